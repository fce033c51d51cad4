/// What SQLite makes of a value before it stores it in a column ("Datatypes In SQLite", section 3.1).
public enum ColumnAffinity: Sendable {
    /// The five affinities, by SQLite's names.
    case blob, text, numeric, integer, real

    /// The affinity of a declared type: the first rule that fits.
    public init(declaredType: String) {
        let type = declaredType.uppercased()
        func has(_ word: String) -> Bool {
            let (text, word) = (Array(type.utf8), Array(word.utf8))
            guard text.count >= word.count else { return false }
            return (0...text.count - word.count).contains { text[$0..<$0 + word.count].elementsEqual(word) }
        }
        if has("INT") {
            self = .integer
        } else if has("CHAR") || has("CLOB") || has("TEXT") {
            self = .text
        } else if type.isEmpty || has("BLOB") {
            self = .blob
        } else if has("REAL") || has("FLOA") || has("DOUB") {
            self = .real
        } else {
            self = .numeric
        }
    }

    var isNumeric: Bool { self == .numeric || self == .integer || self == .real }
}

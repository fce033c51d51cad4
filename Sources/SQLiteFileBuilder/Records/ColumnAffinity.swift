/// The type to which SQLite converts values before it stores them in a column ("Datatypes In SQLite", section 3.1).
public enum ColumnAffinity: Sendable {
    /// The five affinities, under SQLite's names.
    case blob, text, numeric, integer, real

    /// Creates the affinity of a declared type, according to the first rule that applies.
    ///
    /// - Parameters:
    ///   - declaredType: the type in the statement that creates the table; empty if there is none.
    ///   - isStrict: whether the table is a STRICT table, in which the type ANY keeps values as they are.
    public init(declaredType: String, isStrict: Bool = false) {
        let type = declaredType.uppercased()
        if isStrict, type == "ANY" {
            self = .blob
            return
        }
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

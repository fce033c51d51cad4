/// What a `CREATE INDEX` statement says, as far as Core Data writes such: columns by name, without expressions.
struct IndexDefinition: Hashable {
    struct Column: Hashable {
        var name: String
        var isAscending = true
        /// In upper case; that of the column where the statement names none, which is BINARY in Core Data's tables.
        var collation = "BINARY"
    }

    let isUnique: Bool
    let isPartial: Bool

    /// nil where a column is an expression, or the statement is not understood.
    let columns: [Column]?

    init(_ sql: String) {
        var words = SQLWords(sql)
        isUnique = words.next() == .word("CREATE") && words.next() == .word("UNIQUE")
        // Names may be anything in quotes, so the list begins behind the first parenthesis that is none.
        while let word = words.next(), word != .mark("(") {}
        var columns: [Column]? = []
        var end: SQLWords.Word?
        repeat {
            let column = Self.column(&words, end: &end)
            columns = column.flatMap { column in columns.map { $0 + [column] } }
        } while columns != nil && end == .mark(",")
        self.columns = end == .mark(")") ? columns : nil
        isPartial = columns == nil || words.next() == .word("WHERE")
    }

    private static func column(_ words: inout SQLWords, end: inout SQLWords.Word?) -> Column? {
        end = nil
        var column: Column
        switch words.next() {
        case .name(let name)?: column = Column(name: name)
        case .word(_)?: column = Column(name: words.lastText)
        default: return nil
        }
        while let word = words.next() {
            switch word {
            case .word("COLLATE"):
                _ = words.next()
                column.collation = words.lastText.uppercased()
            case .word("ASC"): column.isAscending = true
            case .word("DESC"): column.isAscending = false
            case .mark(","), .mark(")"):
                end = word
                return column
            default: return nil
            }
        }
        return nil
    }
}

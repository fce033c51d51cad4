/// A parsed `CREATE INDEX` statement of the kind that Core Data writes: columns by name, without expressions.
public struct IndexStatement: Hashable, Sendable {
    /// A column that the index sorts by.
    public struct Column: Hashable, Sendable {
        /// The name of the column, without quotation marks.
        public var name: String
        /// Whether smaller values come first.
        public var isAscending = true
        /// The collation in upper case; if the statement names none, that of the column, which is BINARY in Core Data's
        /// tables.
        public var collation = "BINARY"
    }

    /// Whether the statement says `UNIQUE`.
    public let isUnique: Bool

    /// The columns that the index sorts by; nil if one is an expression, or the statement cannot be parsed.
    public let columns: [Column]?

    /// The words after `WHERE`; nil for an index of all rows.
    private let condition: [SQLWords.Word]?

    /// Whether the index may leave rows out: it has a condition, or cannot be parsed.
    public var isPartial: Bool { condition != nil || columns == nil }

    /// Parses a statement in the form in which SQLite keeps it in its schema.
    public init(_ sql: String) {
        var words = SQLWords(sql)
        isUnique = words.next() == .word("CREATE") && words.next() == .word("UNIQUE")
        // Quoted names may contain anything, so the list begins after the first parenthesis outside quotes.
        while let word = words.next(), word != .mark("(") {}
        var columns: [Column]? = []
        var end: SQLWords.Word?
        repeat {
            let column = Self.column(&words, end: &end)
            columns = column.flatMap { column in columns.map { $0 + [column] } }
        } while columns != nil && end == .mark(",")
        self.columns = end == .mark(")") ? columns : nil
        guard self.columns != nil, words.next() == .word("WHERE") else {
            condition = nil
            return
        }
        var condition: [SQLWords.Word] = []
        while let word = words.next() { condition.append(word) }
        self.condition = condition
    }

    /// Returns the same statement with other column names.
    ///
    /// - Parameter names: the new names by the old ones.
    public func renaming(_ names: [String: String]) -> IndexStatement {
        func renamed(_ word: SQLWords.Word) -> SQLWords.Word {
            switch word {
            case .word(let text), .name(let text): names[text].map { .word($0.uppercased()) } ?? word
            case .mark: word
            }
        }
        return IndexStatement(
            isUnique: isUnique,
            columns: columns?.map {
                Column(name: names[$0.name] ?? $0.name, isAscending: $0.isAscending, collation: $0.collation)
            }, condition: condition?.map(renamed))
    }

    private init(isUnique: Bool, columns: [Column]?, condition: [SQLWords.Word]?) {
        self.isUnique = isUnique
        self.columns = columns
        self.condition = condition
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

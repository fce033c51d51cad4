/// Words that are not key paths unless they are written with a `#` before them.
enum ReservedWord {
    /// Reserved in upper and lower case alike.
    private static let anyCase: Set<String> = [
        "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "TRUEPREDICATE", "FALSEPREDICATE", "UNION",
        "INTERSECT", "MINUS", "ANYKEY",
    ]

    /// Reserved only as they stand: many models have a `size` or a `first`.
    private static let upperCase = Set(SymbolicIndex.allCases.map(\.rawValue))

    /// Reserved by `NSPredicate` in upper and lower case alike, and names here where they can be nothing else.
    private static let foundations: Set<String> = [
        "FIRST", "LAST", "SIZE", "CASEINSENSITIVE", "CI", "SUBQUERY", "FETCH", "CAST", "FUNCTION", "TERNARY",
    ]

    static func contains(_ word: String) -> Bool {
        anyCase.contains(word.uppercased()) || upperCase.contains(word)
    }

    /// Whether `NSPredicate` takes the word for a name only where a `#` stands before it.
    static func isReservedByFoundation(_ word: String) -> Bool {
        contains(word) || foundations.contains(word.uppercased())
    }
}

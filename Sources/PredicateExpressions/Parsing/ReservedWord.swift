/// Words that are not key paths unless they are preceded by a `#`.
enum ReservedWord {
    /// Words reserved in any case.
    private static let anyCase: Set<String> = [
        "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "TRUEPREDICATE", "FALSEPREDICATE", "UNION",
        "INTERSECT", "MINUS", "ANYKEY",
    ]

    /// Words reserved only in upper case, since many models have a `size` or a `first`.
    private static let upperCase = Set(SymbolicIndex.allCases.map(\.rawValue))

    /// Words that `NSPredicate` reserves in any case, and that are names here if they can be nothing else.
    private static let foundations: Set<String> = [
        "FIRST", "LAST", "SIZE", "CASEINSENSITIVE", "CI", "SUBQUERY", "FETCH", "CAST", "FUNCTION", "TERNARY",
    ]

    static func contains(_ word: String) -> Bool {
        anyCase.contains(word.uppercased()) || upperCase.contains(word)
    }

    /// Returns whether `NSPredicate` accepts the word as a name only after a `#`.
    static func isReservedByFoundation(_ word: String) -> Bool {
        contains(word) || foundations.contains(word.uppercased())
    }
}

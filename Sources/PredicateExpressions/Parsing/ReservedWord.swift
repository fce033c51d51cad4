/// Words that are no key paths unless they are written with a `#` before them.
enum ReservedWord {
    /// Reserved in upper and lower case alike.
    private static let anyCase: Set<String> = [
        "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "TRUEPREDICATE", "FALSEPREDICATE", "UNION",
        "INTERSECT", "MINUS", "ANYKEY",
    ]

    /// Reserved only as they stand: many models have a `size` or a `first`.
    private static let upperCase = Set(SymbolicIndex.allCases.map(\.rawValue))

    static func contains(_ word: String) -> Bool {
        anyCase.contains(word.uppercased()) || upperCase.contains(word)
    }
}

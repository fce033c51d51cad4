/// A condition in SQL, and whether its evaluation can fail.
///
/// SQLite evaluates the operands of AND and OR in the cheapest order. An operand that can fail must be evaluated only
/// if those before it are not decisive, as in Swift; only CASE guarantees that.
public struct SQLCondition: Sendable, Hashable {
    /// The condition in SQL.
    public let text: String
    /// Whether it fails for some rows: by an overflow, or a cast of a text that is not a date.
    public let mayFail: Bool

    /// Makes a condition from SQL.
    public init(_ text: String, mayFail: Bool = false) {
        self.text = text
        self.mayFail = mayFail
    }

    /// Returns the conjunction of conditions, evaluated in this order; those that cannot fail can still use indexes.
    public static func all(of conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, by: " AND ", decidedBy: false, empty: "1")
    }

    /// Returns the disjunction of conditions, evaluated in this order.
    public static func any(of conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, by: " OR ", decidedBy: true, empty: "0")
    }

    private static func joined(
        _ conditions: [SQLCondition], by word: String, decidedBy value: Bool, empty: String
    ) -> SQLCondition {
        guard conditions.count > 1 else { return conditions.first ?? SQLCondition(empty) }
        func text(_ conditions: [SQLCondition]) -> String { conditions.map(\.text).joined(separator: word) }
        let failing = conditions.filter(\.mayFail)
        guard let last = conditions.lastIndex(where: \.mayFail), last > 0 else {
            return SQLCondition("(\(text(conditions)))", mayFail: !failing.isEmpty)
        }
        let decided = conditions[..<last].map { "WHEN (\($0.text)) IS \(value ? "TRUE THEN 1" : "FALSE THEN 0")" }
        // If the evaluation has not failed, the order no longer matters.
        let guarded = "CASE \(decided.joined(separator: " ")) ELSE (\(text(failing))) END"
        let plain = conditions.filter { !$0.mayFail }
        return SQLCondition("(" + (plain.map(\.text) + [guarded]).joined(separator: word) + ")", mayFail: true)
    }
}

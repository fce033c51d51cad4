/// A condition in SQL, and whether looking at it can fail.
///
/// SQLite looks at the parts of AND and OR in the order that is cheapest. A part that can fail must wait until those
/// before it have not decided, as in Swift; only CASE promises that.
public struct SQLCondition: Sendable, Hashable {
    /// The condition in SQL.
    public let text: String
    /// Whether it is an error for some rows: an overflow, a cast of a text that is not a date.
    public let mayFail: Bool

    /// Makes a condition of SQL.
    public init(_ text: String, mayFail: Bool = false) {
        self.text = text
        self.mayFail = mayFail
    }

    /// All conditions, in the order in which they are looked at; those that cannot fail stay open to indexes.
    public static func all(of conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, by: " AND ", decidedBy: false, empty: "1")
    }

    /// Any of the conditions, in the order in which they are looked at.
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
        // What can fail did not, where the order no longer matters.
        let guarded = "CASE \(decided.joined(separator: " ")) ELSE (\(text(failing))) END"
        let plain = conditions.filter { !$0.mayFail }
        return SQLCondition("(" + (plain.map(\.text) + [guarded]).joined(separator: word) + ")", mayFail: true)
    }
}

/// The SQL condition with which the objects of many keys are fetched at once.
enum KeyCondition {
    /// Returns the condition that the values of expressions are those of one of several keys.
    ///
    /// The parameters are the values of one key after the other. They have no names, since SQLite searches a list of all
    /// names for each parameter that has one.
    static func text(_ expressions: [String], keys count: Int) -> String {
        func list(_ element: String, _ count: Int) -> String {
            repeatElement(element, count: count).joined(separator: ", ")
        }
        if expressions.count == 1 { return "\(expressions[0]) IN (\(list("?", count)))" }
        let rows = list("(\(list("?", expressions.count)))", count)
        return "(\(expressions.joined(separator: ", "))) IN (VALUES \(rows))"
    }
}

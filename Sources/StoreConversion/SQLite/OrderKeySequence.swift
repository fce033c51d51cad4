/// The places of objects in ordered relationships, as Core Data hands them out
/// (docs/format/sqlite-store.md#order-keys).
enum OrderKeySequence {
    static let first: Int64 = 2048
    static let step: Int64 = 1024

    static func key(at position: Int64) -> Int64 { first + step * position }

    /// The same in SQL.
    static func key(at expression: String) -> String { "\(first) + \(step) * \(expression)" }
}

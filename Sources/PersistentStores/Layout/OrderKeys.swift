/// The places of objects in ordered relationships, as Core Data hands them out: with room between them
/// (docs/format/sqlite-store.md#order-keys).
public enum OrderKeys {
    /// The key of an owner's first object.
    public static let first: Int64 = 2048
    /// What each key exceeds the one before by.
    public static let step: Int64 = 1024

    /// The key of the object at a position, which begins at 0.
    public static func key(at position: Int64) -> Int64 { first + step * position }

    /// The same in SQL.
    public static func key(at expression: String) -> String { "\(first) + \(step) * \(expression)" }
}

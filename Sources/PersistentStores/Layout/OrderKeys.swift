/// The order keys of objects in ordered relationships, as Core Data assigns them: with gaps between them
/// (docs/format/sqlite-store.md#order-keys).
public enum OrderKeys {
    /// The key of an owner's first object.
    public static let first: Int64 = 2048
    /// The difference between one key and the next.
    public static let step: Int64 = 1024

    /// Returns the key of the object at a position, counted from 0.
    public static func key(at position: Int64) -> Int64 { first + step * position }

    /// Returns the SQL of the key at a position, which is an SQL expression.
    public static func key(at expression: String) -> String { "\(first) + \(step) * \(expression)" }
}

/// An object of the caller: two numbers that only the evaluation context interprets.
///
/// References are equal if both numbers are; a context must always use the same pair for an object, regardless of the
/// entity through which it was reached.
public struct ObjectReference: Hashable, Sendable {
    /// The entity, or another number that distinguishes objects with the same key.
    public let entity: Int32
    /// The object's key.
    public let key: Int64

    /// Makes a reference from two numbers of the context.
    public init(entity: Int32, key: Int64) {
        self.entity = entity
        self.key = key
    }
}

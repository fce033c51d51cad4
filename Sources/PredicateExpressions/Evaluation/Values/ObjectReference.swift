/// An object of the caller's: two numbers that mean something to the evaluation context only.
///
/// References are equal when both numbers are; a context gives one object always the same pair, whatever subentity
/// the way to it was declared with.
public struct ObjectReference: Hashable, Sendable {
    /// The entity, or whatever else tells objects of one key apart.
    public let entity: Int32
    /// The object's key.
    public let key: Int64

    /// Makes a reference of two numbers of the context's own.
    public init(entity: Int32, key: Int64) {
        self.entity = entity
        self.key = key
    }
}

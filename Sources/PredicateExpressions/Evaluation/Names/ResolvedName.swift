/// The slot in which a context finds the value of a name.
public struct ResolvedName: Hashable, Sendable {
    /// A number assigned by the resolver, which is passed to the context.
    public let slot: Int
    /// The number of keys of the path that the slot covers.
    public let keyCount: Int

    /// Makes a name from a slot and the number of keys that it covers.
    public init(slot: Int, keyCount: Int = 1) {
        self.slot = slot
        self.keyCount = keyCount
    }
}

/// The slot in which a context will find the value of a name.
public struct ResolvedName: Hashable, Sendable {
    /// A number of the resolver's own; the context is asked with it.
    public let slot: Int
    /// How many keys of the path the slot covers.
    public let keyCount: Int

    /// Makes a name of a slot and the number of keys that it covers.
    public init(slot: Int, keyCount: Int = 1) {
        self.slot = slot
        self.keyCount = keyCount
    }
}

public import PersistentStores
public import SQLiteAccess

/// The objects of a store that a test makes: values and links, before they are rows.
public struct StoreContent: Sendable {
    public struct Object: Sendable {
        /// The slot of its entity.
        public let slot: Int
        public let key: Int64
        public var optimisticLock: Int64 = 1

        /// Values without the tag of external storage.
        public var values: [PropertyKey: SQLiteValue] = [:]

        public init(slot: Int, key: Int64) {
            self.slot = slot
            self.key = key
        }
    }

    /// A link from an object to one of a relationship's destinations, both by index.
    public struct Link: Sendable, Hashable {
        public let owner: Int
        public let destination: Int

        public init(owner: Int, destination: Int) {
            self.owner = owner
            self.destination = destination
        }
    }

    public var objects: [Object] = []

    /// The links by relationship, in the order that ordered relationships have; of a relationship and its inverse only
    /// one is listed.
    public var links: [PropertyKey: [Link]] = [:]

    public init() {}
}

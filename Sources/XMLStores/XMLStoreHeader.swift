public import KeyedArchives

/// What stands before the objects of an XML store: who it is and what it says about itself.
public struct XMLStoreHeader: Sendable, Hashable {
    /// The number that all files of this format have had since 2005.
    public static let formatVersion = 134_481_920

    /// The number of the format; all known files have `formatVersion`.
    public var version: Int
    /// The store's UUID in upper case, with hyphens.
    public var uuid: String

    /// The highest number of an object's id in use.
    public var nextObjectID: Int64

    /// The store's metadata without type and UUID, which the file holds elsewhere.
    public var metadata: PropertyListDictionary

    /// Makes the header of a store.
    public init(
        version: Int = formatVersion, uuid: String, nextObjectID: Int64,
        metadata: PropertyListDictionary = PropertyListDictionary()
    ) {
        self.version = version
        self.uuid = uuid
        self.nextObjectID = nextObjectID
        self.metadata = metadata
    }
}

public import KeyedArchives

/// The header of an XML store, which precedes its objects: format version, UUID, and metadata.
public struct XMLStoreHeader: Sendable, Hashable {
    /// The format version of all files since 2005.
    public static let formatVersion = 134_481_920

    /// The format version; all known files have `formatVersion`.
    public var version: Int
    /// The store's UUID in upper case, with hyphens.
    public var uuid: String

    /// The highest object number in use.
    public var nextObjectID: Int64

    /// The store's metadata without type and UUID, which are stored elsewhere in the file.
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

public import PersistentStores

/// Core Data's binary stores (docs/format/binary-store.md): a header, a keyed archive of all objects, and one of the
/// metadata.
public struct BinaryStoreFormat: AtomicStoreFormat {
    /// The type that stores of this format have.
    public let type = PersistentStoreType.binary
    /// What the names of binary stores end with: `binary`.
    public let fileExtensions = ["binary"]

    /// The limits that no one has to know of; tests set them.
    var fixedLimits = ConversionLimits()

    /// Makes the format.
    public init() {}

    /// Whether the bytes begin with those of a binary store's header.
    public func recognizes(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: BinaryStoreHeader.magic)
    }

    /// Reads the metadata of a store, without its objects.
    /// - Throws: `StoreError` if the file cannot be read, or is not a binary store.
    public func metadata(at path: String) throws -> StoreMetadata { try StoreMetadata.read(storeAt: path) }

    /// Opens a store for reading its objects.
    /// - Throws: `StoreError` or `ConversionError` if the file cannot be read, or is damaged.
    public func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        try BinaryObjectReader(path: path, forms: forms, limits: fixedLimits)
    }

    /// Begins a new store.
    /// - Throws: `StoreError` if the file cannot be written; `ConversionError` for more objects than the format can
    ///   hold.
    public func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        try BinaryObjectWriter(
            BufferedOutput(path: path, limits: fixedLimits), forms: forms, metadata: metadata, highestKey: highestKey,
            findings: findings)
    }
}

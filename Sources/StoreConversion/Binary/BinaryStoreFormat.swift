public import PersistentStores

/// Core Data's binary stores (docs/format/binary-store.md): a header, a keyed archive of all objects, and a keyed
/// archive of the metadata.
public struct BinaryStoreFormat: AtomicStoreFormat {
    /// The type of stores with this format.
    public let type = PersistentStoreType.binary
    /// The file name extension of binary stores: `binary`.
    public let fileExtensions = ["binary"]

    /// Internal limits, which tests set to small values.
    var fixedLimits = ConversionLimits()

    /// Creates the format.
    public init() {}

    /// Returns whether bytes begin with the header of a binary store.
    public func recognizes(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: BinaryStoreHeader.magic)
    }

    /// Reads the metadata of a store, without its objects.
    /// - Throws: `StoreError` if the file cannot be read, or is not a binary store.
    public func metadata(at path: String) throws -> StoreMetadata { try StoreMetadata.read(storeAt: path) }

    /// Opens a store to read its objects.
    /// - Throws: `StoreError` or `ConversionError` if the file cannot be read, or is damaged.
    public func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        try BinaryObjectReader(path: path, forms: forms, limits: fixedLimits)
    }

    /// Begins a new store.
    /// - Throws: `StoreError` if the file cannot be written; `ConversionError` for more objects than the format can
    ///   contain.
    public func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        try BinaryObjectWriter(
            BufferedOutput(path: path, limits: fixedLimits), forms: forms, metadata: metadata, highestKey: highestKey,
            findings: findings)
    }
}

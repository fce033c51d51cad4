public import PersistentStores

/// Core Data's binary stores (docs/format/binary-store.md): a header, a keyed archive of all objects, and one of the
/// metadata.
public struct BinaryStoreFormat: AtomicStoreFormat {
    public let type = PersistentStoreType.binary
    public let fileExtensions = ["binary"]

    /// The limits that no one has to know of; tests set them.
    var fixedLimits = ConversionLimits()

    public init() {}

    public func recognizes(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: BinaryStoreHeader.magic)
    }

    public func metadata(at path: String) throws -> StoreMetadata { try StoreMetadata.read(storeAt: path) }

    public func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        try BinaryObjectReader(path: path, forms: forms, limits: fixedLimits)
    }

    public func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        try BinaryObjectWriter(
            BufferedOutput(path: path, limits: fixedLimits), forms: forms, metadata: metadata, highestKey: highestKey,
            findings: findings)
    }
}

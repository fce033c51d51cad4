import XMLStores

/// The form in which a store keeps its objects; the raw value is what Core Data calls it.
public enum StoreType: String, Sendable, Hashable, CaseIterable {
    /// An SQLite database.
    case sqlite = "SQLite"
    /// An XML document.
    case xml = "XML"
    /// An archive of all objects with a header of 64 bytes.
    case binary = "Binary"

    /// The type that a file's first bytes tell, whatever its name says.
    ///
    /// - Throws: `StoreError` where there is no such file, it cannot be reached or read, or it is not a store.
    public init(ofStoreAt path: String) throws(StoreError) {
        try StoreError.checkReach(path)
        if FileSystem.isDirectory(path) { throw StoreError(.isDirectory, path: path) }
        let bytes = try FileBytes.beginning(of: path, count: 4096)
        guard let type = Self.type(of: bytes) else { throw StoreError(bytes.isEmpty ? .empty : .notAStore, path: path) }
        self = type
    }

    private static func type(of bytes: [UInt8]) -> StoreType? {
        if bytes.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
        if bytes.starts(with: BinaryStoreHeader.magic) { return .binary }
        return XMLStoreHeader.isBeginning(bytes) ? .xml : nil
    }
}

import XMLStores

/// The format in which a store keeps its objects; the raw value is Core Data's name for it.
public enum StoreType: String, Sendable, Hashable, CaseIterable {
    /// An SQLite database.
    case sqlite = "SQLite"
    /// An XML document.
    case xml = "XML"
    /// An archive of all objects, preceded by a header of 64 bytes.
    case binary = "Binary"

    /// Determines the type from a file's first bytes, regardless of its name.
    ///
    /// - Throws: `StoreError` if the file does not exist, cannot be reached or read, or is not a store.
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

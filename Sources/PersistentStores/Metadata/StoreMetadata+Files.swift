import Glibc
public import KeyedArchives
import SQLiteAccess

extension StoreMetadata {
    /// Returns the metadata of a store of any type; does not read its objects, and writes nothing.
    ///
    /// - Throws: `StoreError` if the store does not exist, or its metadata cannot be read.
    public static func read(storeAt path: String) throws(StoreError) -> StoreMetadata {
        switch try StoreType(ofStoreAt: path) {
        case .sqlite: try SQLiteStore.metadata(at: path)
        case .xml: try XMLStoreMetadata(path: path).metadata
        case .binary: try BinaryStoreMetadata(path: path).metadata
        }
    }

    /// Changes the metadata of a store of any type; everything else in the store stays as it is.
    ///
    /// A SQLite store is changed in a transaction; an XML or binary one gets a new file that replaces the old one
    /// atomically. If the closure throws, the store is unchanged. Returns why a power failure could undo the change;
    /// nil if it is durable.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - timeout: how long to wait for another process's lock, in milliseconds.
    ///   - isCancelled: asked before the change takes effect; true ends it with an error.
    ///   - change: changes the metadata.
    /// - Throws: `StoreError`, also if the store's type cannot represent a value; any error that the closure throws.
    @discardableResult
    public static func update(
        storeAt path: String, timeout: Int32 = LockTimeout.milliseconds, isCancelled: (() -> Bool)? = nil,
        _ change: (inout StoreMetadata) throws -> Void
    ) throws -> FileError? {
        let files = StoreFiles(followingLinks: path)
        let type = try StoreType(ofStoreAt: files.path)
        switch type {
        case .sqlite:
            let store = try SQLiteStore(path: files.path, access: .readWrite, timeout: timeout)
            store.connection.onProgress(everyInstructions: 20_000, isCancelled)
            try store.updateMetadata(change)
            return nil
        case .xml:
            return try replace(files, type, isCancelled) { () throws in
                let old = try XMLStoreMetadata(path: files.path)
                var new = old.metadata
                try change(&new)
                return (try old.pieces(with: new), new)
            }
        case .binary:
            return try replace(files, type, isCancelled) { () throws in
                let old = try BinaryStoreMetadata(path: files.path)
                var new = old.metadata
                try change(&new)
                return (try old.pieces(with: new), new)
            }
        }
    }

    /// Makes the new file beside the old one, reads it back, and replaces the old one.
    private static func replace(
        _ files: StoreFiles, _ type: StoreType, _ isCancelled: (() -> Bool)?,
        _ content: () throws -> (pieces: [FileBytes.Piece], metadata: StoreMetadata)
    ) throws -> FileError? {
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        // The new file would make a truncated one look intact.
        try type.checkEnding(ofStoreAt: files.path, isCancelled: isCancelled)
        let (pieces, metadata) = try content()
        let staged = try StagedFile(for: files.path, isPrivate: true)
        try FileBytes.write(pieces, of: files.path, to: staged.path, isCancelled: isCancelled)
        // A value that is not read back would be lost: a date's fraction in XML, or a text that XML cannot represent.
        guard try read(storeAt: staged.path) == metadata else {
            throw StoreError(
                .metadataUnwritable("a value would come back changed; dates have only whole seconds there"),
                path: files.path)
        }
        _ = staged.adoptAttributes(of: files.path)
        try staged.synchronize()
        guard StoreFingerprint(of: files) == fingerprint else { throw StoreError(.changed, path: files.path) }
        if isCancelled?() ?? false { throw StoreError(FileError(.write, files.path, number: ECANCELED)) }
        return try staged.move(to: files.path, replacing: true)
    }

    /// Returns whether a key belongs to Core Data, which alone sets its value.
    public static func isReserved(_ key: String) -> Bool {
        key.hasPrefix("NS") || key.hasPrefix("_NS")
    }

    /// The metadata as Core Data returns them to an app, with the store's type and UUID.
    public var dictionary: PropertyListDictionary {
        var result = entries
        result[Key.storeUUID] = .string(uuid)
        return result
    }
}

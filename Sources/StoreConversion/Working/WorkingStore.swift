import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// An SQLite store with the objects of a store of another type, for work that requires SQLite. It is removed with this
/// value.
///
/// It is in the folder for temporary files, so that nothing is written beside a store that is only read. Objects keep
/// their keys, and new objects get higher keys, so that the original objects still have their keys when the store is
/// written back.
public final class WorkingStore {
    /// The path of the store of the other type.
    public let original: String
    /// The type of the original.
    public let type: PersistentStoreType

    /// The path of the SQLite store, which has the original's name. Messages show the path of the original.
    public let path: String

    /// The data of the original that the SQLite store could not represent unchanged.
    public let findings: [ConversionFinding]

    private let folder: TemporaryFolder
    private let registry: PersistentStoreRegistry
    /// The state of the original when it was last read or written back.
    private var fingerprint: StoreFingerprint
    private let highestKey: Int64
    private let isNew: Bool

    /// Creates the SQLite store of an existing store.
    ///
    /// - Parameters:
    ///   - original: the path of the store.
    ///   - newStore: the model with which the original was made.
    ///   - registry: the known store types.
    ///   - keepsFaults: whether the SQLite store also contains links that lead nowhere or have only one direction, and
    ///     objects that violate a uniqueness constraint. If false, links are completed or removed, and such objects
    ///     cause an error.
    ///   - isCancelled: called repeatedly; if it returns true, the work ends with an error.
    /// - Throws: the errors of a conversion.
    public convenience init(
        of original: String, _ newStore: NewStore, registry: PersistentStoreRegistry = .standard,
        keepsFaults: Bool = false, isCancelled: (() -> Bool)? = nil
    ) throws {
        try self.init(
            of: .init(path: original, model: newStore.layout.model), newStore, registry: registry,
            keepsFaults: keepsFaults, isCancelled: isCancelled)
    }

    /// Creates the SQLite store of a store in a file or in memory; a store in memory is not written back.
    /// - Throws: the errors of a conversion.
    public init(
        of source: StoreConverter.Source, _ newStore: NewStore, registry: PersistentStoreRegistry = .standard,
        keepsFaults: Bool = false, isCancelled: (() -> Bool)? = nil
    ) throws {
        original = source.path
        self.registry = registry
        isNew = false
        type = try source.type(in: registry)
        fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: original), isSettled: true)
        folder = try Self.makeFolder()
        path = folder.path + "/" + FileSystem.name(of: original)
        var options = ConversionOptions()
        options.keepsIDs = true
        options.keepsFaults = keepsFaults
        options.registry = registry
        options.isCancelled = isCancelled
        findings = try StoreConverter(
            sources: [source], target: .init(path: path, type: .sqlite, newStore: newStore), options: options
        ).convert().findings
        highestKey = try SQLiteStore(path: path).entityRecords.map(\.maximumKey).max() ?? 0
    }

    /// Creates the place for an SQLite store that does not exist yet, and that will become a new store of another type.
    /// - Throws: `StoreError` if a file already exists at the path, or if there is no folder for temporary files.
    public init(
        forNew original: String, type: PersistentStoreType, registry: PersistentStoreRegistry = .standard
    ) throws {
        if FileSystem.isThere(original) { throw StoreError(.exists, path: original) }
        self.original = original
        self.type = type
        self.registry = registry
        isNew = true
        findings = []
        highestKey = 0
        fingerprint = StoreFingerprint(of: StoreFiles(original))
        folder = try Self.makeFolder()
        path = folder.path + "/" + FileSystem.name(of: original)
    }

    private static func makeFolder() throws(StoreError) -> TemporaryFolder {
        do {
            return try TemporaryFolder(kind: "ferry-store-")
        } catch {
            throw StoreError(FileError(.create, error.parent, number: error.number))
        }
    }

    /// Checks that all values could be written back unchanged.
    /// - Throws: `ConversionError.lossOfValues` if a value would change, which is better reported before the work than
    ///   after it.
    public func checkFaithfulness() throws(ConversionError) {
        let losses = findings.filter(\.isLossOfValues)
        guard losses.isEmpty else { throw ConversionError(.lossOfValues(losses.map(\.description)), path: original) }
    }

    /// Converts the SQLite store back to the type of the original, in the original's place or elsewhere.
    ///
    /// - Parameters:
    ///   - newStore: the model that the SQLite store has now.
    ///   - output: the path of a new store; nil for the original's place.
    ///   - backup: a folder to which the original is copied before it is replaced; nil for none.
    ///   - keepsKeys: whether new objects also keep their keys, which must be unique among all objects of the store.
    ///   - isCancelled: called repeatedly; if it returns true, the work ends with an error.
    ///   - onCheckpoint: called after each step that changes the files on disk.
    /// - Throws: `ConversionError.lossOfValues`; `StoreError.changed` if another program wrote to the original
    ///   meanwhile; the errors of a conversion.
    @discardableResult
    public func writeBack(
        _ newStore: NewStore, to output: String? = nil, backup: String? = nil, keepsKeys: Bool = false,
        isCancelled: (() -> Bool)? = nil, onCheckpoint: ((String) -> Void)? = nil
    ) throws -> ConversionReport {
        try checkFaithfulness()
        var options = ConversionOptions()
        options.keepsIDs = !isNew
        options.keptKeys = isNew || keepsKeys ? nil : highestKey
        options.registry = registry
        options.replaces = output == nil && !isNew
        options.isCancelled = isCancelled
        options.onCheckpoint = onCheckpoint
        let kept = try backup.map { try StoreBackup(of: StoreFiles(followingLinks: original), in: $0) }
        options.onReady = { [fingerprint, original] in
            guard StoreFingerprint(of: StoreFiles(followingLinks: original)) == fingerprint else {
                throw StoreError(.changed, path: original)
            }
            try kept?.make(isCancelled: isCancelled)
        }
        let report = try StoreConverter(
            sources: [.init(path: path, model: newStore.layout.model, shownAs: original)],
            target: .init(path: output ?? original, type: type, newStore: newStore), options: options
        ).convert()
        kept?.keep()
        if output == nil { fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: original), isSettled: true) }
        return report
    }
}

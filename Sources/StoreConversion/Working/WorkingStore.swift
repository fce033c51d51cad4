import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// A SQLite store with the objects of a store of another type, for work that needs SQLite; gone with this value.
///
/// It lies in the folder for temporary files, so that nothing is written beside a store that is only read. Objects keep
/// their keys, and new ones get keys above all of them, so that the objects of the original still have theirs when the
/// store is written back.
public final class WorkingStore {
    /// The store of the other type.
    public let original: String
    /// The type of the original.
    public let type: PersistentStoreType

    /// The SQLite store to work on; it has the original's name. Messages show the path of the original.
    public let path: String

    /// What the original has that the SQLite store could not take as it is.
    public let findings: [ConversionFinding]

    private let folder: TemporaryFolder
    private let registry: PersistentStoreRegistry
    /// What the original looked like when it was read, or written back last.
    private var fingerprint: StoreFingerprint
    private let highestKey: Int64
    private let isNew: Bool

    /// Makes the SQLite store of an existing one.
    ///
    /// - Parameters:
    ///   - original: the path of the store.
    ///   - newStore: the model that the original was made with.
    ///   - registry: the types of stores that are known.
    ///   - keepsFaults: whether links of rows that lead nowhere or one way, and objects that a uniqueness constraint
    ///     forbids, are in the SQLite store as well; without it the links are mended, and such objects an error.
    ///   - isCancelled: asked now and then; true ends the work with an error.
    /// - Throws: what a conversion throws.
    public convenience init(
        of original: String, _ newStore: NewStore, registry: PersistentStoreRegistry = .standard,
        keepsFaults: Bool = false, isCancelled: (() -> Bool)? = nil
    ) throws {
        try self.init(
            of: .init(path: original, model: newStore.layout.model), newStore, registry: registry,
            keepsFaults: keepsFaults, isCancelled: isCancelled)
    }

    /// Makes the SQLite store of one in a file or in memory; a store in memory is not written back.
    /// - Throws: what a conversion throws.
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

    /// A place for a SQLite store that does not exist yet, and shall become a new store of another type.
    /// - Throws: `StoreError` if something is at the path already, or there is no folder for temporary files.
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

    /// Checks that all values would come back as they were.
    /// - Throws: `ConversionError.lossOfValues` where a value would not come back as it was: better before the work
    ///   than at its end.
    public func checkFaithfulness() throws(ConversionError) {
        let losses = findings.filter(\.isLossOfValues)
        guard losses.isEmpty else { throw ConversionError(.lossOfValues(losses.map(\.description)), path: original) }
    }

    /// Makes a store of the original's type of what the SQLite store has become: in the original's place, or elsewhere.
    ///
    /// - Parameters:
    ///   - newStore: the model that the SQLite store has now.
    ///   - output: the path of a new store; nil for the original's place.
    ///   - backup: a folder that gets the original before it is replaced; nil for none.
    ///   - keepsKeys: whether new objects keep their keys as well, which must be one numbering with those of the
    ///     others.
    ///   - isCancelled: asked now and then; true ends the work with an error.
    ///   - onCheckpoint: told after each step that leaves something else on disk.
    /// - Throws: `ConversionError.lossOfValues`; `StoreError.changed` where somebody wrote to the original meanwhile;
    ///   what a conversion throws.
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

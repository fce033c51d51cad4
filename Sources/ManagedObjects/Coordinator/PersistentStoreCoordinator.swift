import KeyedArchives
public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
public import StoreConversion
import Synchronization
import XMLStores

/// The stores of a model, from which contexts read and to which they save.
///
/// It can be used from any task; each context has its own connections.
public final class PersistentStoreCoordinator: Sendable {
    /// The model of the stores.
    public let model: ResolvedModel
    /// The settings of the coordinator besides the model.
    public let options: CoordinatorOptions
    let objects: ObjectModel
    let types: [ManagedObject.Type]
    let rules: ModelRules
    /// The version hashes for new stores.
    private let hashes: [String: VersionHash]

    private struct State {
        var stores: [PersistentStore] = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    private struct Follower {
        weak var changes: SavedElsewhere?
    }

    private let followers = Mutex<[Follower]>([])

    /// Makes a coordinator without stores.
    public init(model: ResolvedModel, options: CoordinatorOptions = CoordinatorOptions()) {
        self.model = model
        self.options = options
        objects = ObjectModel(model)
        types = options.classes.types(in: objects)
        rules = ModelRules(objects, options)
        hashes = ModelHashes.hashes(of: model)
    }

    // MARK: - Stores

    /// The stores of the coordinator, in the order in which they were added.
    public var persistentStores: [PersistentStore] { state.withLock(\.stores) }

    /// Returns the store with a path; nil if it was not added.
    public func persistentStore(at path: String) -> PersistentStore? {
        persistentStores.first { $0.path == path || FileSystem.isSameFile($0.path, path) }
    }

    /// Adds a store; makes an empty one if it does not exist.
    ///
    /// - Parameters:
    ///   - path: the path of the file, or the name of an in-memory store.
    ///   - type: the type of the store; nil to take it from the file or, for a new store, from its name.
    ///   - configuration: the configuration whose objects the store may contain; nil for all.
    ///   - storeOptions: whether the store can be written, the lock timeout, and settings of SQLite.
    /// - Throws: `StoreError`, `ConversionError`, `StorePragmaError` for a setting that cannot be changed in an
    ///   existing store, `DocumentError` for an XML store that violates its document type, and `ManagedObjectError` for
    ///   a store of another model, a type without such settings, an unknown configuration, and a journal mode that
    ///   another process's connection prevents.
    @discardableResult
    public func addStore(
        at path: String, type: PersistentStoreType? = nil, configuration: String? = nil,
        options storeOptions: StoreOptions = StoreOptions()
    ) throws -> PersistentStore {
        let entities = try entities(of: configuration)
        let newStore = newStore(configuration)
        guard persistentStore(at: path) == nil else { throw ManagedObjectError(.storeAlreadyAdded(path)) }
        let isInMemory = type == .inMemory
        let isThere = !isInMemory && FileSystem.isThere(path)
        let known = isThere ? try options.registry.type(at: path) : type ?? options.registry.type(ofNewStore: path)
        let location = StoreLocation(path: path, type: known, configuration: configuration, options: storeOptions)
        try check(storeOptions, of: isInMemory ? .inMemory : known, isThere: isThere)
        if !isThere, !isInMemory {
            guard !storeOptions.isReadOnly else { throw StoreError(FileError(.open, path, number: 2)) }
            try makeStore(at: path, known, newStore, storeOptions.pragmas)
        }
        let uuid: String
        let store: PersistentStore
        if isInMemory {
            let backing = try StoreBacking(inMemory: newStore)
            try makeStore(at: backing.workingPath, .sqlite, newStore)
            uuid = try SQLiteStore(path: backing.workingPath).metadata.uuid
            store = PersistentStore(
                number: nextNumber(), location: location, uuid: uuid, entities: entities, backing: backing)
        } else if known == .sqlite {
            let opened = try SQLiteStore(path: path, timeout: storeOptions.timeout)
            try check(opened.metadata, path)
            try check(opened)
            if isThere { try setJournalMode(storeOptions.pragmas, at: path, storeOptions.timeout) }
            store = PersistentStore(
                number: nextNumber(), location: location, uuid: opened.metadata.uuid, entities: entities, backing: nil)
            try opened.connection.close()
        } else {
            if known == .xml, storeOptions.validatesXML { try XMLStoreValidator.validate(path: path) }
            let metadata = try options.registry.metadata(at: path)
            try check(metadata, path)
            store = PersistentStore(
                number: nextNumber(), location: location, uuid: metadata.uuid, entities: entities,
                backing: try StoreBacking(of: path, newStore, registry: options.registry))
        }
        state.withLock { $0.stores.append(store) }
        return store
    }

    /// Adds an open store, regardless of its version hashes; it must have the model's tables.
    func adopt(_ opened: SQLiteStore) throws -> PersistentStore {
        try check(opened)
        let path = opened.files.path
        let store = PersistentStore(
            number: nextNumber(),
            location: StoreLocation(path: path, type: .sqlite, configuration: nil, options: StoreOptions()),
            uuid: opened.metadata.uuid, entities: Set(model.entities.indices), backing: nil)
        state.withLock { $0.stores.append(store) }
        return store
    }

    /// Removes a store from the coordinator, but not its file. Contexts must not have objects of the store any more.
    /// - Throws: `ManagedObjectError` with code `storeUnknown` if the coordinator does not have the store.
    public func remove(_ store: PersistentStore) throws(ManagedObjectError) {
        let isThere = state.withLock { state in
            let count = state.stores.count
            state.stores.removeAll { $0 === store }
            return state.stores.count < count
        }
        guard isThere else { throw ManagedObjectError(.storeUnknown(store.path)) }
    }

    /// Converts a store to another type or path, and replaces it in the coordinator by the new one; the old file stays.
    ///
    /// - Returns: the new store, and the new IDs of objects by the old ones; the map is empty if all keep their keys.
    /// - Throws: `ManagedObjectError` with code `storeUnknown` if the coordinator does not have the store; the errors
    ///   of `StoreConverter.convert()`. In these cases the coordinator keeps the old store, and no new one exists.
    public func migrate(
        _ store: PersistentStore, to path: String, type: PersistentStoreType
    ) throws -> (store: PersistentStore, ids: [ManagedObjectID: ManagedObjectID]) {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw ManagedObjectError(.storeUnknown(store.path))
        }
        let migration = StoreMigrationRun(of: store, to: path, type, newStore(store.configuration), options.registry)
        let ids = try migration.run()
        try remove(store)
        do {
            let new = try addStore(at: path, configuration: store.configuration, options: store.options)
            return (new, ids)
        } catch {
            state.withLock { $0.stores.append(store) }
            throw error
        }
    }

    private func check(_ storeOptions: StoreOptions, of type: PersistentStoreType, isThere: Bool) throws {
        guard !storeOptions.pragmas.isEmpty else { return }
        guard type == .sqlite, !storeOptions.isReadOnly else {
            throw ManagedObjectError(.unsupported("only SQLite stores that are written have pragmas"))
        }
        if isThere { try storeOptions.pragmas.checkForChange() }
    }

    private func setJournalMode(_ pragmas: StorePragmas, at path: String, _ timeout: Int32) throws {
        guard pragmas[.journalMode] != nil else { return }
        let store = try SQLiteStore(path: path, access: .readWrite, timeout: timeout)
        if let reason = pragmas.applyJournalMode(store.connection) { throw ManagedObjectError(.unsupported(reason)) }
        try store.connection.close()
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func newStore(_ configuration: String?) -> NewStore {
        var new = NewStore(
            model: model, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes),
            checksum: ModelHashes.checksum(of: hashes), uuid: "")
        if let configuration {
            new.objectEntities = model.model.configurations.first { $0.name == configuration }
                .map { Set($0.entityNames) }
        }
        return new
    }

    private func makeStore(
        at path: String, _ type: PersistentStoreType, _ newStore: NewStore, _ pragmas: StorePragmas = StorePragmas()
    ) throws {
        let empty = InMemoryStore(metadata: StoreMetadata(uuid: ""))
        var options = ConversionOptions()
        options.registry = self.options.registry
        options.pragmas = pragmas
        _ = try StoreConverter(
            sources: [.init(empty, model: model)], target: .init(path: path, type: type, newStore: newStore),
            options: options
        ).convert()
    }

    private func entities(of configuration: String?) throws(ManagedObjectError) -> Set<Int> {
        guard let configuration else { return Set(model.entities.indices) }
        guard let description = model.model.configurations.first(where: { $0.name == configuration }) else {
            throw ManagedObjectError(
                .configurationUnknown(configuration, known: model.model.configurations.map(\.name)))
        }
        return Set(description.entityNames.compactMap { model.slot(named: $0) })
    }

    private func check(_ metadata: StoreMetadata, _ path: String) throws(ManagedObjectError) {
        guard options.checksVersionHashes else { return }
        let found = metadata.versionHashes
        let differing = Set(found.keys).union(hashes.keys).filter { found[$0] != hashes[$0]?.bytes }
        guard differing.isEmpty else {
            throw ManagedObjectError(.modelMismatch(path, entities: differing.sorted()))
        }
    }

    /// Checks that no column is missing, since objects could not be saved.
    private func check(_ store: SQLiteStore) throws(ManagedObjectError) {
        let problems = store.layout(for: model).problems
        guard problems.isEmpty else {
            throw ManagedObjectError(.modelMismatch(store.files.path, entities: problems.map { "\($0)" }))
        }
    }

    // MARK: - Saves

    /// Notifies a context of what others save from here on, until its list is released.
    func follow(_ changes: SavedElsewhere?) {
        followers.withLock { followers in
            followers.removeAll { $0.changes == nil }
            if let changes { followers.append(Follower(changes: changes)) }
        }
    }

    func tell(_ saved: ContextDidSave, except own: SavedElsewhere?) {
        followers.withLock { followers in
            for follower in followers where follower.changes !== own { follower.changes?.add(saved) }
        }
    }

    // MARK: - IDs

    /// Returns the ID of an object from its URI; nil for any other text, an unknown entity, or a store that the
    /// coordinator does not have.
    public func objectID(forURI uri: String) -> ManagedObjectID? {
        guard let id = ManagedObjectID(uri: uri), key(of: id) != nil else { return nil }
        return id
    }

    func store(numbered number: Int) -> PersistentStore? { persistentStores.first { $0.number == number } }

    func store(withUUID uuid: String) -> PersistentStore? {
        persistentStores.first { $0.uuid.uppercased() == uuid.uppercased() }
    }

    /// Returns nil for an ID of an unknown store or entity.
    func key(of id: ManagedObjectID) -> ObjectKey? {
        guard let slot = model.slot(named: id.entityName) else { return nil }
        var number = 0
        if !id.isTemporary {
            guard let store = store(withUUID: id.storeUUID) else { return nil }
            number = store.number
        }
        return ObjectKey(
            table: objects.table(ofEntity: slot, store: number), entity: Int32(truncatingIfNeeded: slot),
            key: id.primaryKey)
    }

    func objectID(_ key: ObjectKey, _ shape: EntityShape) -> ManagedObjectID {
        guard !key.isTemporary else { return ManagedObjectID(temporary: key.key, entityName: shape.name) }
        let uuid = store(numbered: objects.store(of: key.table))?.uuid ?? ""
        return ManagedObjectID(storeUUID: uuid, entityName: shape.name, primaryKey: key.key)
    }
}

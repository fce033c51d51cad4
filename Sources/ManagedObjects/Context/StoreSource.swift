import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// The stores of a coordinator, accessed through connections of one context.
final class StoreSource: ObjectSource {
    let coordinator: PersistentStoreCoordinator
    let limits: ContextLimits
    private var connections: [Int: StoreConnection] = [:]

    init(_ coordinator: PersistentStoreCoordinator, _ limits: ContextLimits) {
        self.coordinator = coordinator
        self.limits = limits
    }

    var model: ObjectModel { coordinator.objects }

    var readCount: Int { connections.values.reduce(0) { $0 + $1.readCount } }

    func connection(to store: PersistentStore) throws -> StoreConnection {
        if let known = connections[store.number], known.store === store { return known }
        let connection = try StoreConnection(store, model, limits)
        connections[store.number] = connection
        return connection
    }

    /// Uses a store that the caller has open, instead of opening it.
    func borrow(_ sqlite: SQLiteStore, as store: PersistentStore) throws {
        connections[store.number] = try StoreConnection(store, model, limits, borrowing: sqlite)
    }

    /// Returns nil for a table without a store, or if the coordinator no longer has the store.
    func connection(of table: Int32) throws -> StoreConnection? {
        guard let store = coordinator.store(numbered: model.store(of: table)) else { return nil }
        return try connection(to: store)
    }

    func load(_ block: SnapshotBlock, _ positions: Range<Int>?) throws {
        guard let connection = try connection(of: block.table) else {
            block.take(BlockRows(ReadColumns(width: block.width), count: block.awaited.count))
            return
        }
        let (entity, count) = (model.resolved.entities[model.shape(of: block.table).root].name, block.awaited.count)
        try translating(connection, telling: { .fault(entity: entity, count: count) }) {
            try connection.load(block, positions)
        }
    }

    func links(_ owners: [ObjectKey], _ relationship: ResolvedRelationship) throws -> [[ToManyState.Link]] {
        guard let first = owners.first, let connection = try connection(of: first.table) else {
            return owners.map { _ in [] }
        }
        let entity = model.resolved.entities[relationship.owner].name
        let found = try translating(
            connection,
            telling: { _ in .links(entity: entity, relationship: relationship.name, count: owners.count) }
        ) { try connection.links(owners.map(\.key), relationship) }
        return owners.map { found[$0.key] ?? [] }
    }

    func find(_ key: ObjectKey) throws -> ObjectKey? {
        guard let connection = try connection(of: key.table) else { return nil }
        let root = model.root(of: key.table)
        guard let slot = try translating(connection, { try connection.entity(ofKey: key.key, root: root) }) else {
            return nil
        }
        return ObjectKey(table: key.table, entity: Int32(truncatingIfNeeded: slot), key: key.key)
    }

    func files(of key: ObjectKey) -> ExternalDataReader? { try? connection(of: key.table)?.files }

    /// Turns errors of SQLite into those of the store, and reports the work to the observer.
    func translating<Result>(
        _ connection: StoreConnection, telling work: ((Result) -> ContextEvent.Work)? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            guard let work, let onEvent = coordinator.options.onEvent else { return try body() }
            let start = ContinuousClock.now
            let result = try body()
            onEvent(ContextEvent(work: work(result), duration: start.duration(to: .now)))
            return result
        } catch let error as SQLiteError {
            throw StoreError(error, path: connection.store.path)
        }
    }

    // MARK: - Fetching

    func fetch(_ search: ObjectSearch) throws -> FetchedRows {
        var result = FetchedRows()
        let entity = search.request.entityName
        for store in try stores(for: search) {
            let connection = try connection(to: store)
            let runs = try translating(
                connection, telling: { .fetch(entity: entity, count: $0.reduce(0) { $0 + $1.keys.count }) }
            ) { try rows(search, connection) }
            result.lists.append(runs)
        }
        return result
    }

    private func rows(_ search: ObjectSearch, _ connection: StoreConnection) throws -> [FetchedRows.Run] {
        guard let shape = model.shape(named: search.request.entityName) else { return [] }
        let columns = connection.tables[shape.rootNumber]
        var request = try request(search, connection)
        request.resultType = .objectIDs
        let selection = try search.readsRows ? selection(request, shape, columns) : nil
        request.storedColumns = selection?.names ?? ["Z_PK", "Z_ENT"]
        connection.noteRead()
        let plan = try FetchCompiler.plan(
            request, layout: connection.layout, storeUUID: connection.store.uuid)
        let cursor = try FetchCursor(plan, store: connection.sqlite, layout: connection.layout)
        defer { cursor.statement.reset() }
        var runs: [FetchedRows.Run] = []
        var run = OpenRun(
            table: model.table(ofEntity: shape.entity.slot, store: connection.store.number), width: shape.table.width,
            selection)
        let (statement, slots) = (cursor.statement, connection.slots)
        while try cursor.next() {
            guard let slot = slots[statement.integer(1)] else { continue }
            run.append(statement, entity: slot, slots, limit: limits.rowsPerBlock)
            if run.count >= limits.rowsPerBlock { runs.append(run.close()) }
        }
        if run.count > 0 { runs.append(run.close()) }
        return runs
    }

    /// Returns the columns to read: all, or the properties that a request names.
    private func selection(
        _ request: FetchRequest, _ shape: EntityShape, _ columns: TableColumns
    ) throws -> TableSelection {
        guard !request.propertiesToFetch.isEmpty else { return columns.selection }
        var positions: Set<Int> = []
        for property in request.propertiesToFetch {
            guard case .expression(.keyPath(.evaluatedObject, let name)) = property.content else {
                throw ManagedObjectError(
                    .unsupported("\(property.name) cannot be fetched with objects; fetch it in dictionaries"))
            }
            switch shape.slot(named: name) {
            case .attribute(let slot): if let position = shape.attributes[slot].position { positions.insert(position) }
            case .toOne(let slot):
                if let position = shape.toOnes[slot].position { positions.formUnion(position...(position + 1)) }
            case .toMany, .fetched:
                throw ManagedObjectError(.unsupported("\(name) has no column in its objects; prefetch it"))
            case nil: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
            }
        }
        return columns.selection(of: positions)
    }

    func count(_ search: ObjectSearch) throws -> Int {
        var sum = 0
        for store in try stores(for: search) {
            let connection = try connection(to: store)
            sum += try translating(connection, telling: { .fetch(entity: search.request.entityName, count: $0) }) {
                var request = try request(search, connection)
                request.resultType = .count
                request.sortDescriptors = []
                connection.noteRead()
                let plan = try FetchCompiler.plan(
                    request, layout: connection.layout, storeUUID: connection.store.uuid)
                let cursor = try FetchCursor(plan, store: connection.sqlite, layout: connection.layout)
                defer { cursor.statement.reset() }
                return try cursor.next() ? Int(cursor.statement.integer(0)) : 0
            }
        }
        return sum
    }

    func fetchDictionaries(_ search: ObjectSearch) throws -> [[String: DictionaryValue]] {
        let stores = try stores(for: search)
        let request = search.request
        let isOfOne =
            request.isGrouped || request.returnsDistinctResults || !request.sortDescriptors.isEmpty
            || request.fetchLimit > 0 || request.fetchOffset > 0
        guard stores.count < 2 || !isOfOne else {
            throw ManagedObjectError(
                .unsupported(
                    "several stores hold objects of \(request.entityName), and groups, orders and limits of "
                        + "dictionaries are those of one; name it"))
        }
        return try stores.flatMap { store in
            let connection = try connection(to: store)
            return try translating(
                connection, telling: { .fetch(entity: request.entityName, count: $0.count) }
            ) {
                connection.noteRead()
                let plan = try FetchCompiler.plan(
                    self.request(search, connection), layout: connection.layout, storeUUID: connection.store.uuid)
                return try DictionaryReader(
                    FetchCursor(plan, store: connection.sqlite, layout: connection.layout)
                ).rows()
            }
        }
    }

    /// Returns the request in the form for one store.
    private func request(_ search: ObjectSearch, _ connection: StoreConnection) throws -> FetchRequest {
        var request = search.request
        request.predicate = request.predicate.map {
            StoreObjects(connection.store, coordinator).translated($0.substituting(request.variables))
        }
        request.variables = [:]
        request.relationshipKeyPathsForPrefetching = []
        return request
    }

    /// Returns the stores that may have results.
    func stores(for search: ObjectSearch) throws -> [PersistentStore] {
        guard let shape = model.shape(named: search.request.entityName) else {
            throw ManagedObjectError(
                .entityUnknown(search.request.entityName, known: model.resolved.entities.map(\.name)))
        }
        let all = coordinator.persistentStores
        guard !all.isEmpty else { throw ManagedObjectError(.storeMissing(entity: shape.name)) }
        return all.filter { store in
            (search.stores?.contains { $0 === store } ?? true)
                && !store.entities.isDisjoint(with: shape.entity.subtree)
        }
    }

    // MARK: - Saving

    func save(_ context: ManagedObjectContext) throws -> SavedObjects {
        let start = ContinuousClock.now
        let saved = try SaveRun(self, context).execute()
        coordinator.options.onEvent?(
            ContextEvent(
                work: .save(
                    inserted: saved.inserted.count, updated: saved.updated.count, deleted: saved.deleted.count),
                duration: start.duration(to: .now)))
        return saved
    }

    func permanentKeys(
        for objects: [ManagedObject], of context: ManagedObjectContext
    ) throws -> [ObjectKey: ObjectKey] {
        var keys: [ObjectKey: ObjectKey] = [:]
        var groups: [Int: [ManagedObject]] = [:]
        for object in objects where object.key.isTemporary {
            groups[try store(for: object, of: context).number, default: []].append(object)
        }
        for (number, objects) in groups.sorted(by: { $0.key < $1.key }) {
            guard let store = coordinator.store(numbered: number) else { continue }
            let connection = try connection(to: store)
            try translating(connection) {
                try connection.begin()
                do {
                    let given = try KeyGiver(connection).keys(for: objects)
                    for (object, key) in zip(objects, given) { keys[object.key] = key }
                    try connection.commit()
                } catch {
                    connection.rollBack()
                    throw error
                }
            }
        }
        return keys
    }

    /// Returns the store for a new object.
    func store(for object: ManagedObject, of context: ManagedObjectContext) throws -> PersistentStore {
        let slot = object.shape.entity.slot
        if let assigned = context.assignments[ObjectIdentifier(object)] { return assigned }
        guard
            let store = coordinator.persistentStores.first(where: {
                !$0.options.isReadOnly && $0.entities.contains(slot)
            })
        else { throw ManagedObjectError(.storeMissing(entity: object.shape.name)) }
        return store
    }
}

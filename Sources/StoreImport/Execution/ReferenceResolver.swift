import ManagedObjectModels
import PersistentStores
import RecordConversion
import SQLiteAccess

/// The look-up of the objects of one entity by a key: in memory if there are few objects, otherwise by sorted fetches
/// with IN for each batch.
///
/// The results of a `fetch` are available until the next one, no matter what happens to the objects in memory.
final class ReferenceResolver {
    let slot: Int
    let key: CompiledReferenceKey
    let entityNumber: Int64
    private let connection: Connection
    private let table: String
    private let root: Int
    private let numbers: String
    private let limits: ImportLimits
    /// The objects that the last fetch found or that were created since, and those that were in memory when there were
    /// too many of them.
    private var fetched = KeyIndex()
    private var insertStatement = LazyStatement()
    private let layout: StoreLayout
    /// The table of the objects.
    let entityTable: EntityTable
    /// The values of new objects in addition to their keys.
    let defaults: [(column: String, value: ConvertedDefault)]

    /// The objects in memory, and the number of created ones. They are restored if a batch is rolled back.
    struct Knowledge {
        /// All objects with their keys; nil if there are too many, or if they may have changed.
        fileprivate var cache: KeyIndex?
        /// The number of objects that were created because a record names them.
        var created: Int64 = 0
    }

    @exclusivity(unchecked) var knowledge = Knowledge()
    /// Whether several objects have the same key.
    var hasDuplicates = false

    private var fetchStatement = LazyStatement()

    /// The number of objects that were created because a record names them.
    var created: Int64 { knowledge.created }

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - layout: the layout of the store.
    ///   - compiled: the entity and the key.
    ///   - keys: the table of keys that exist only in the sources; nil for keys that attributes contain.
    ///   - limits: the limits of the import.
    init(
        connection: Connection, layout: StoreLayout, _ compiled: CompiledImport.Resolver, table keys: String?,
        limits: ImportLimits
    ) throws(SQLiteError) {
        self.connection = connection
        self.limits = limits
        self.layout = layout
        slot = compiled.slot
        key = compiled.key
        defaults = compiled.defaults
        entityNumber = Int64(layout.entityNumbers[slot])
        entityTable = compiled.table
        root = compiled.table.root
        table = keys ?? SQLiteIdentifier.quoted(compiled.table.name)
        numbers = layout.model.entities[slot].subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
        // The keys of objects that are found by attributes of other objects, or by values that the store computes, may
        // change without notice. They are therefore fetched for each batch.
        guard key.isSourceKey || key.ownColumns.count == 1 && key.parts.count == 1, !hasDerivedKey else { return }
        let count =
            try connection.value(
                "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE Z_ENT IN (\(numbers)) LIMIT \(limits.cachedObjects + 1))"
            ).integer ?? 0
        if count <= Int64(limits.cachedObjects) { try loadCache() }
    }

    /// Returns whether an object has the entity, or one of its subentities.
    func finds(_ target: KeyIndex.Target) -> Bool {
        target.entity == entityNumber
            || layout.slot(ofEntityNumber: Int(target.entity)).map { layout.model.isKind($0, of: slot) } ?? false
    }

    /// Whether its keys exist only in the sources.
    var isSourceKey: Bool { key.isSourceKey }

    /// Whether the store computes a part of its keys.
    var hasDerivedKey: Bool { key.parts.contains { $0.attribute?.isDerived ?? false } }

    /// The attribute by which objects are kept in memory; nil if they are not in memory, or if their keys exist only in
    /// the sources.
    var cachedAttribute: PropertyKey? { isCached ? key.parts.first?.attribute?.key : nil }

    /// The name of the key in messages.
    var keyName: String { isSourceKey ? "source key" : key.parts.map(\.name).joined(separator: ", ") }

    /// The column that determines which of several objects with the same key is used: the first one.
    private var precedence: String { isSourceKey ? "t.rowid" : "t.Z_PK" }

    /// The columns that must have an index for fetches to be fast, each list with its table.
    var indexedColumns: [(table: String, columns: [String])] { key.indexedColumns }

    private var selection: String {
        let columns = key.parts.map(\.expression).joined(separator: ", ")
        return "SELECT t.Z_PK, t.Z_ENT, \(columns) FROM \(table) AS t\(key.joins) WHERE t.Z_ENT IN (\(numbers))"
    }

    private func loadCache() throws(SQLiteError) {
        var index = KeyIndex()
        let statement = try connection.prepare("\(selection) ORDER BY \(precedence)")
        try read(statement, into: &index)
        knowledge.cache = isTooLarge(index) ? nil : index
    }

    private func isTooLarge(_ index: KeyIndex) -> Bool {
        index.count > limits.cachedObjects || index.byteCount > limits.cachedKeyBytes
    }

    private func read(_ statement: Statement, into index: inout KeyIndex) throws(SQLiteError) {
        var bytes: [UInt8] = []
        while try statement.step() {
            bytes.removeAll(keepingCapacity: true)
            var isWhole = true
            for part in key.parts.indices where !KeyBytes.append(Int32(2 + part), of: statement, to: &bytes) {
                isWhole = false
            }
            guard isWhole else { continue }
            let target = KeyIndex.Target(primaryKey: statement.integer(0), entity: statement.integer(1))
            if !index.insert(bytes, target), index.target(of: bytes) != target { hasDuplicates = true }
        }
        statement.reset()
    }

    /// Notes an object that the import has created or found, so that later records find it.
    func learn(_ key: some Collection<UInt8>, _ target: KeyIndex.Target) {
        guard knowledge.cache != nil else { return }
        let isNew = knowledge.cache?.insert(key, target) ?? true
        // An object may have several records. A source key that several objects have means the first one.
        if !isNew, isSourceKey, knowledge.cache?.target(of: key) != target { hasDuplicates = true }
        guard let cache = knowledge.cache, isTooLarge(cache) else { return }
        // The rest of the batch relies on these objects, because its keys were not fetched.
        fetched = cache
        knowledge.cache = nil
    }

    /// Notes an object that another resolver has created from its key, if one of its values is the key of this
    /// resolver.
    func learn(of key: ReferenceKey, _ target: KeyIndex.Target, madeBy other: ReferenceResolver) {
        guard other !== self, isCached, !isSourceKey, let column = self.key.ownColumns.first else { return }
        var bytes: [UInt8] = []
        if let part = other.key.ownColumns.firstIndex(of: column) {
            guard KeyBytes.append(key.values[part], to: &bytes) else { return }
        } else {
            guard let value = other.defaults.first(where: { $0.column == column })?.value else { return }
            KeyBytes.append(value, to: &bytes)
        }
        learn(bytes, target)
    }

    /// Discards the objects in memory, because their keys may have changed. From now on, objects are fetched for each
    /// batch.
    func forgetAll() {
        knowledge.cache = nil
    }

    /// Whether all objects are in memory, so that nothing has to be fetched.
    var isCached: Bool { knowledge.cache != nil }

    /// Fetches the objects with the keys of a batch, sorted. Does nothing if all objects are in memory.
    func fetch(_ keys: [ReferenceKey]) throws(SQLiteError) {
        guard knowledge.cache == nil else { return }
        fetched.removeAll()
        var sorted = keys
        sorted.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var distinct: [ReferenceKey] = []
        for key in sorted where distinct.last?.bytes != key.bytes { distinct.append(key) }
        let statement = try preparedFetch()
        let parts = key.parts.count
        var start = 0
        while start < distinct.count {
            let end = min(start + limits.fetchedKeys, distinct.count)
            for index in 0..<limits.fetchedKeys {
                for part in 0..<parts {
                    let value = start + index < end ? distinct[start + index].values[part] : .null
                    try statement.bind(value, at: Int32(index * parts + part + 1))
                }
            }
            try read(statement, into: &fetched)
            start = end
        }
    }

    private func preparedFetch() throws(SQLiteError) -> Statement {
        try fetchStatement.prepared(on: connection) { fetchText }
    }

    private var fetchText: String {
        let expressions = key.parts.map(\.expression)
        let condition = KeyCondition.text(expressions, keys: limits.fetchedKeys)
        return "\(selection) AND \(condition) ORDER BY \(expressions.joined(separator: ", ")), \(precedence)"
    }

    /// Returns the object with a key. If not all objects are in memory, `fetch` must be called first.
    func target(of key: some Collection<UInt8>) -> KeyIndex.Target? {
        knowledge.cache?.target(of: key) ?? (knowledge.cache == nil ? fetched.target(of: key) : nil)
    }

    /// Returns the object with a key of one value, if all objects are in memory.
    @inline(__always)
    func target(of value: ConvertedValue, in arena: Span<UInt8>) -> KeyIndex.Target? {
        knowledge.cache?.target(of: value, in: arena)
    }

    /// Finds the objects that a list names, if all objects are in memory; returns false if one of them is not found.
    func findTargets(
        of keys: Range<Int>, in lists: borrowing ReferenceLists, _ arena: Span<UInt8>, _ found: inout [Int64]
    ) -> Bool {
        found.removeAll(keepingCapacity: true)
        guard let cache = knowledge.cache else { return false }
        for place in keys {
            guard let target = cache.target(of: lists.value(at: place), in: arena) else { return false }
            found.append(target.primaryKey)
        }
        return true
    }

    /// Finds the destinations of a to-one relationship in memory, by keys that have been converted already.
    ///
    /// - Returns: the other instances whose records are not rejected.
    @_optimize(speed)
    func resolve(
        _ position: Int, of instances: inout ObjectInstances, _ isRejected: [Bool], in arena: [UInt8]
    ) -> [Int] {
        let arena = arena.span
        let count = instances.toOneCount
        var others: [Int] = []
        guard let cache = knowledge.cache else {
            return (0..<instances.count).filter { !isRejected[Int(instances.records[$0])] }
        }
        for instance in 0..<instances.count where !isRejected[Int(instances.records[instance])] {
            let place = instance * count + position
            guard instances.toOneConverted[place],
                let found = cache.target(of: instances.toOneCells[place], in: arena)
            else {
                others.append(instance)
                continue
            }
            instances.toOnePresent[place] = true
            instances.toOneKeys[place] = found.primaryKey
            instances.toOneEntities[place] = found.entity
        }
        return others
    }

    /// Creates an object with only its key and the model's defaults.
    ///
    /// - Parameter former: the primary key that the object had before it was removed; 0 if there was none. It is used
    ///   unless another object has it.
    func create(
        _ key: ReferenceKey, reusing former: Int64 = 0, keys: inout PrimaryKeyAllocator
    ) throws -> KeyIndex.Target {
        let own = self.key.ownColumns
        let others = defaults.filter { !own.contains($0.column) }
        let statement = try insertStatement.prepared(on: connection) {
            let names = ["Z_PK", "Z_ENT", "Z_OPT"] + (own + others.map(\.column)).map { SQLiteIdentifier.quoted($0) }
            let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            return "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        }
        let isFree = try former != 0 && connection.cells(table, former, ["Z_PK"]).isEmpty
        let primaryKey = try isFree ? former : keys.key(inTableOf: root)
        try statement.bindInteger(primaryKey, at: 1)
        try statement.bindInteger(entityNumber, at: 2)
        try statement.bindInteger(1, at: 3)
        for (index, value) in key.values.enumerated() { try statement.bind(value, at: Int32(4 + index)) }
        for (index, other) in others.enumerated() { try statement.bind(other.value, at: Int32(4 + own.count + index)) }
        try statement.run()
        let target = KeyIndex.Target(primaryKey: primaryKey, entity: entityNumber)
        noteCreated(key, target)
        return target
    }

    /// Notes an object that was created because a record names it.
    func noteCreated(_ key: ReferenceKey, _ target: KeyIndex.Target) {
        knowledge.created += 1
        if knowledge.cache != nil { learn(key.bytes, target) } else { fetched.insert(key.bytes, target) }
    }
}

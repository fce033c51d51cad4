import ManagedObjectModels
import PersistentStores
import RecordConversion
import SQLiteAccess

/// Finds the objects of one entity by a key: from memory where they are few, else by sorted IN fetches for each batch.
///
/// What a batch looks for is known until the next `fetch`, whatever becomes of the memory meanwhile.
final class ReferenceResolver {
    let slot: Int
    let key: CompiledReferenceKey
    let entityNumber: Int64
    private let connection: Connection
    private let table: String
    private let root: Int
    private let numbers: String
    private let limits: ImportLimits
    /// What the last fetch found, and what was made since; also what was in memory when it became too much.
    private var fetched = KeyIndex()
    private var insertStatement = LazyStatement()
    private let layout: StoreLayout
    /// The table of the objects.
    let entityTable: EntityTable
    /// What new objects have beside their keys.
    let defaults: [(column: String, value: ConvertedDefault)]

    /// What it has in memory, and how many objects it made; to be put back where a batch is undone.
    struct Knowledge {
        /// All objects with their keys; nil if they are too many.
        fileprivate var cache: KeyIndex?
        /// Objects that were created because a record named them.
        var created: Int64 = 0
    }

    @exclusivity(unchecked) var knowledge = Knowledge()
    /// Whether several objects have the same key.
    var hasDuplicates = false

    private var fetchStatement = LazyStatement()

    /// Objects that were created because a record named them.
    var created: Int64 { knowledge.created }

    /// - Parameter table: where the keys are that no attribute has.
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
        // Objects found by others' attributes change without a word when those do: they are always fetched.
        // So do values that the store computes.
        guard key.isSourceKey || key.ownColumns.count == 1 && key.parts.count == 1, !hasDerivedKey else { return }
        let count =
            try connection.value(
                "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE Z_ENT IN (\(numbers)) LIMIT \(limits.cachedObjects + 1))"
            ).integer ?? 0
        if count <= Int64(limits.cachedObjects) { try loadCache() }
    }

    /// Whether its keys are those that only the sources have.
    var isSourceKey: Bool { key.isSourceKey }

    /// Whether the store computes a part of its keys.
    var hasDerivedKey: Bool { key.parts.contains { $0.attribute?.isDerived ?? false } }

    /// The attribute that objects are kept by in memory.
    var cachedAttribute: PropertyKey? { isCached ? key.parts.first?.attribute?.key : nil }

    /// What the key is called in messages.
    var keyName: String { isSourceKey ? "source key" : key.parts.map(\.name).joined(separator: ", ") }

    /// What decides among objects with the same key: which one was there first.
    private var precedence: String { isSourceKey ? "t.rowid" : "t.Z_PK" }

    /// Columns that an index should have for fetches to be quick, each list with its table.
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

    /// Takes note of an object that the import itself made or found, so that later records find it.
    func learn(_ key: some Collection<UInt8>, _ target: KeyIndex.Target) {
        guard knowledge.cache != nil else { return }
        let isNew = knowledge.cache?.insert(key, target) ?? true
        // An object has several records, and a source key of several objects means the first.
        if !isNew, isSourceKey, knowledge.cache?.target(of: key) != target { hasDuplicates = true }
        guard let cache = knowledge.cache, isTooLarge(cache) else { return }
        // The rest of the batch relies on it: its keys were not fetched.
        fetched = cache
        knowledge.cache = nil
    }

    /// Learns of an object that another look-up made of its key, where objects are known by one of its values.
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

    /// Fetches objects batch by batch from here on: those in memory may have other keys now.
    func forgetAll() {
        knowledge.cache = nil
    }

    /// Whether all objects are in memory, so that no fetch is needed.
    var isCached: Bool { knowledge.cache != nil }

    /// Fetches the objects of a batch's keys, sorted; without effect where all are in memory.
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
        let condition: String
        if expressions.count == 1 {
            condition =
                expressions[0] + " IN (" + (1...limits.fetchedKeys).map { "?\($0)" }.joined(separator: ", ") + ")"
        } else {
            let rows = (0..<limits.fetchedKeys).map { row in
                "(" + expressions.indices.map { "?\(row * expressions.count + $0 + 1)" }.joined(separator: ", ") + ")"
            }
            condition = "(\(expressions.joined(separator: ", "))) IN (VALUES \(rows.joined(separator: ", ")))"
        }
        return "\(selection) AND \(condition) ORDER BY \(expressions.joined(separator: ", ")), \(precedence)"
    }

    /// The object with a key; only after `fetch` where not all are in memory.
    func target(of key: some Collection<UInt8>) -> KeyIndex.Target? {
        knowledge.cache?.target(of: key) ?? (knowledge.cache == nil ? fetched.target(of: key) : nil)
    }

    /// The object with a key of one value, where all are in memory.
    @inline(__always)
    func target(of value: ConvertedValue, in arena: Span<UInt8>) -> KeyIndex.Target? {
        knowledge.cache?.target(of: value, in: arena)
    }

    /// Finds the objects that a list names, where all are in memory; false if one is not.
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

    /// Finds the destinations of a to-one in memory, by keys that are converted already.
    ///
    /// - Returns: the other instances whose records are not rejected.
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

    /// Creates an object with nothing but its key and the model's defaults.
    func create(_ key: ReferenceKey, keys: inout PrimaryKeyAllocator) throws -> KeyIndex.Target {
        let own = self.key.ownColumns
        let others = defaults.filter { !own.contains($0.column) }
        let statement = try insertStatement.prepared(on: connection) {
            let names = ["Z_PK", "Z_ENT", "Z_OPT"] + (own + others.map(\.column)).map { SQLiteIdentifier.quoted($0) }
            let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            return "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        }
        let primaryKey = try keys.key(inTableOf: root)
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

    /// Takes note of an object that was created because a record named it.
    func noteCreated(_ key: ReferenceKey, _ target: KeyIndex.Target) {
        knowledge.created += 1
        if knowledge.cache != nil { learn(key.bytes, target) } else { fetched.insert(key.bytes, target) }
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Finds the objects of one entity by one attribute: from memory where they are few, else by one sorted IN fetch a batch.
final class ReferenceResolver {
    /// Up to so many objects are kept whole: a few MiB at the most. More are fetched batch by batch.
    static let largestCache = 20_000

    let slot: Int
    let attribute: ResolvedAttribute
    let entityNumber: Int64
    private let connection: Connection
    private let table: String
    private let column: String
    private let root: Int
    private let numbers: String
    private var cache: KeyIndex?
    private var fetched = KeyIndex()
    private var insertStatement: Statement?
    private let layout: StoreLayout
    private let defaults: [(column: String, value: ConvertedDefault)]

    /// Keys that are looked up in one batch at the most; SQLite allows 32 766 variables in a statement.
    private static let fetchSize = 500
    private var fetchStatement: Statement?

    /// Objects that were created because a record named them.
    private(set) var created: Int64 = 0

    init(
        connection: Connection, layout: StoreLayout, slot: Int, attribute: ResolvedAttribute, table: EntityTable,
        column: String, defaults: [(column: String, value: ConvertedDefault)]
    ) throws(SQLiteError) {
        self.connection = connection
        self.layout = layout
        self.slot = slot
        self.attribute = attribute
        self.defaults = defaults
        entityNumber = Int64(layout.entityNumbers[slot])
        root = table.root
        self.table = SQLiteIdentifier.quoted(table.name)
        self.column = SQLiteIdentifier.quoted(column)
        numbers = layout.model.entities[slot].subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
        let count = try connection.value(
            "SELECT count(*) FROM (SELECT 1 FROM \(self.table) WHERE Z_ENT IN (\(numbers)) LIMIT \(Self.largestCache + 1))"
        ).integer ?? 0
        if count <= Int64(Self.largestCache) { try loadCache() }
    }

    private func loadCache() throws(SQLiteError) {
        var index = KeyIndex()
        let statement = try connection.prepare(
            "SELECT Z_PK, Z_ENT, \(column) FROM \(table) WHERE Z_ENT IN (\(numbers)) AND \(column) IS NOT NULL ORDER BY Z_PK")
        var key: [UInt8] = []
        while try statement.step() {
            key.removeAll(keepingCapacity: true)
            guard KeyBytes.append(2, of: statement, to: &key) else { continue }
            index.insert(key, KeyIndex.Target(primaryKey: statement.integer(0), entity: statement.integer(1)))
        }
        cache = index
    }

    /// Tells of an object that the import itself made or found, so that later records find it.
    func learn(_ key: some Collection<UInt8>, _ target: KeyIndex.Target) {
        guard cache != nil else { return }
        cache?.insert(key, target)
        if let count = cache?.count, count > Self.largestCache { cache = nil }
    }

    /// Whether all objects are in memory, so that no fetch is needed.
    var isCached: Bool { cache != nil }

    /// Fetches the objects of a batch's keys, sorted; without effect where all are in memory.
    func fetch(_ values: [(key: [UInt8], value: SQLiteValue)]) throws(SQLiteError) {
        guard cache == nil else { return }
        fetched.removeAll()
        var sorted = values
        sorted.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let statement: Statement
        if let fetchStatement {
            statement = fetchStatement
        } else {
            let marks = (1...Self.fetchSize).map { "?\($0)" }.joined(separator: ", ")
            statement = try connection.prepare(
                "SELECT Z_PK, Z_ENT, \(column) FROM \(table) WHERE \(column) IN (\(marks)) AND Z_ENT IN (\(numbers)) "
                    + "ORDER BY \(column), Z_PK", persistent: true)
            fetchStatement = statement
        }
        var start = 0
        var key: [UInt8] = []
        while start < sorted.count {
            let end = min(start + Self.fetchSize, sorted.count)
            for index in 0..<Self.fetchSize {
                try statement.bind(start + index < end ? sorted[start + index].value : .null, at: Int32(index + 1))
            }
            while try statement.step() {
                key.removeAll(keepingCapacity: true)
                guard KeyBytes.append(2, of: statement, to: &key) else { continue }
                fetched.insert(key, KeyIndex.Target(primaryKey: statement.integer(0), entity: statement.integer(1)))
            }
            statement.reset()
            start = end
        }
    }

    /// The object with a key; only after `fetch` where not all are in memory.
    func target(of key: some Collection<UInt8>) -> KeyIndex.Target? {
        cache?.target(of: key) ?? (cache == nil ? fetched.target(of: key) : nil)
    }

    /// Creates an object with nothing but its key and the model's defaults.
    func create(
        _ key: [UInt8], value: SQLiteValue, keys: inout PrimaryKeyAllocator
    ) throws(SQLiteError) -> KeyIndex.Target {
        let statement: Statement
        let others = defaults.filter { SQLiteIdentifier.quoted($0.column) != column }
        if let insertStatement {
            statement = insertStatement
        } else {
            let names = ["Z_PK", "Z_ENT", "Z_OPT", column] + others.map { SQLiteIdentifier.quoted($0.column) }
            let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            statement = try connection.prepare(
                "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))", persistent: true)
            insertStatement = statement
        }
        let primaryKey = keys.key(inTableOf: root)
        try statement.bindInteger(primaryKey, at: 1)
        try statement.bindInteger(entityNumber, at: 2)
        try statement.bindInteger(1, at: 3)
        try statement.bind(value, at: 4)
        for (index, other) in others.enumerated() { try statement.bind(other.value, at: Int32(index + 5)) }
        try statement.run()
        created += 1
        let target = KeyIndex.Target(primaryKey: primaryKey, entity: entityNumber)
        if cache != nil { learn(key, target) } else { fetched.insert(key, target) }
        return target
    }
}

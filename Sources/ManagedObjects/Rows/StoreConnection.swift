import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// A context's own connection to a store.
final class StoreConnection {
    let store: PersistentStore
    let sqlite: SQLiteStore
    let layout: StoreLayout
    let model: ObjectModel
    let files: ExternalDataReader
    private let limits: ContextLimits
    /// By the number of the root.
    let tables: [TableColumns]
    private var statements: [String: Statement] = [:]
    private let slots: [Int: Int]

    /// How often rows or links were read from the store.
    private(set) var readCount = 0

    var connection: Connection { sqlite.connection }

    init(_ store: PersistentStore, _ model: ObjectModel, _ limits: ContextLimits) throws {
        self.store = store
        self.model = model
        self.limits = limits
        sqlite = try SQLiteStore(
            path: store.workingPath, access: store.options.isReadOnly ? .readOnly : .readWrite,
            timeout: store.options.timeout)
        layout = sqlite.layout(for: model.resolved)
        // As apps' connections have it: what others' triggers say in double quotes is text.
        sqlite.connection.setLenientSchema(true)
        try sqlite.connection.registerExpressionFunctions()
        files = ExternalDataReader(of: sqlite.files)
        tables = model.tables.map { [layout] in TableColumns($0, layout) }
        slots = Dictionary(
            layout.entityNumbers.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    func slot(ofNumber number: Int64) -> Int? { slots[Int(truncatingIfNeeded: number)] }

    /// A statement that is kept.
    func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let known = statements[sql] { return known }
        // Every set of changed columns has a statement of its own.
        if statements.count >= max(1, limits.statements) { statements = [:] }
        let statement = try connection.prepare(sql, persistent: true)
        statements[sql] = statement
        return statement
    }

    func noteRead() { readCount += 1 }

    /// Lets go of the statements, so that the connection can be closed.
    func close() { statements = [:] }

    // MARK: - Rows

    /// Reads the rows that a block waits for.
    func load(_ block: SnapshotBlock) throws {
        let keys = block.awaited
        let root = Int(block.table) % model.tables.count
        block.prepare()
        noteRead()
        guard let low = keys.min(), let high = keys.max() else { return }
        let places = Places(keys)
        // Neighbours are read in the order of the table, with few others between them.
        if high - low < 2 * Int64(keys.count) + 8 {
            let statement = try statement(tables[root].selection + " WHERE Z_PK BETWEEN ?1 AND ?2")
            defer { statement.reset() }
            try statement.bind([.integer(low), .integer(high)])
            while try statement.step() { fill(block, places, root, statement) }
        } else {
            for start in stride(from: 0, to: keys.count, by: max(1, limits.keysPerStatement)) {
                let part = keys[start..<min(start + max(1, limits.keysPerStatement), keys.count)]
                try forEachRow(root, part) { fill(block, places, root, $0) }
            }
        }
        block.finish()
    }

    /// Reads rows by their keys, in no order.
    func forEachRow(_ root: Int, _ keys: ArraySlice<Int64>, _ body: (Statement) throws -> Void) throws {
        guard let last = keys.last else { return }
        // One statement does for any number: the last key fills what is left over.
        let count = keys.count == 1 ? 1 : max(1, limits.keysPerStatement)
        let marks = repeatElement("?", count: count).joined(separator: ", ")
        let statement = try statement(tables[root].selection + " WHERE Z_PK IN (\(marks))")
        defer { statement.reset() }
        for index in 0..<count {
            let key = index < keys.count ? keys[keys.startIndex + index] : last
            try statement.bindInteger(key, at: Int32(index + 1))
        }
        while try statement.step() { try body(statement) }
    }

    /// Where in a block the row of a key goes.
    private struct Places {
        private let keys: [Int64]
        private let places: [Int64: Int]

        init(_ keys: [Int64]) {
            self.keys = keys
            let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
            places =
                isSorted
                ? [:] : Dictionary(keys.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
        }

        subscript(key: Int64) -> Int? {
            if let place = places[key] { return place }
            guard places.isEmpty else { return nil }
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low < keys.count && keys[low] == key ? low : nil
        }
    }

    private func fill(_ block: SnapshotBlock, _ places: Places, _ root: Int, _ statement: Statement) {
        guard let row = places[statement.integer(0)], let slot = slot(ofNumber: statement.integer(1)) else { return }
        block.setEntity(slot, ofRow: row)
        copy(statement, to: block, row, root)
    }

    /// Copies a statement's row, whose columns are those of the table, into a block.
    func copy(_ statement: Statement, to block: SnapshotBlock, _ row: Int, _ root: Int) {
        block.set(row, 0, from: 2, of: statement)
        var column: Int32 = 3
        for target in tables[root].targets {
            if target.isEntityNumber {
                let slot = statement.isNull(column) ? nil : slot(ofNumber: statement.integer(column))
                block.set(row, target.position, to: slot.map { ArenaValue.integer(Int64($0)) } ?? .null)
            } else {
                block.set(row, target.position, from: column, of: statement)
            }
            column += 1
        }
    }

    /// The slot of the entity of an object; nil if there is no such row.
    func entity(ofKey key: Int64, root: Int) throws -> Int? {
        noteRead()
        let statement = try statement("SELECT Z_ENT FROM \(tables[root].table) WHERE Z_PK = ?")
        defer { statement.reset() }
        try statement.bindInteger(key, at: 1)
        return try statement.step() ? slot(ofNumber: statement.integer(0)) : nil
    }

    // MARK: - Links

    /// The links of a to-many relationship of some objects, in order, by the owner's key.
    func links(_ owners: [Int64], _ relationship: ResolvedRelationship) throws -> [Int64: [ToManyState.Link]] {
        guard let place = LinkPlace(relationship, layout: layout),
            let table = layout.table(ofEntity: relationship.destination)
        else { return [:] }
        noteRead()
        let order = place.order.map { "l.\($0)" } ?? "0"
        let destination = "main." + SQLiteIdentifier.quoted(table.name)
        let isJoined = place.kind == .joinTable
        let from =
            isJoined
            ? "main.\(place.table) l JOIN \(destination) d ON d.Z_PK = l.\(place.destination)"
            : "\(destination) l"
        let entity = isJoined ? "d.Z_ENT" : "l.Z_ENT"
        var result: [Int64: [ToManyState.Link]] = [:]
        for start in stride(from: 0, to: owners.count, by: max(1, limits.keysPerStatement)) {
            let part = owners[start..<min(start + max(1, limits.keysPerStatement), owners.count)]
            let count = part.count == 1 ? 1 : max(1, limits.keysPerStatement)
            let marks = repeatElement("?", count: count).joined(separator: ", ")
            let statement = try statement(
                "SELECT l.\(place.owner), l.\(place.destination), \(entity), \(order) FROM \(from) "
                    + "WHERE l.\(place.owner) IN (\(marks)) ORDER BY 1, 4, 2")
            defer { statement.reset() }
            for index in 0..<count {
                let key = part[min(part.startIndex + index, part.endIndex - 1)]
                try statement.bindInteger(key, at: Int32(index + 1))
            }
            while try statement.step() {
                let slot = slot(ofNumber: statement.integer(2)) ?? relationship.destination
                let key = ObjectKey(
                    table: model.table(ofEntity: slot, store: store.number), entity: Int32(truncatingIfNeeded: slot),
                    key: statement.integer(1))
                result[statement.integer(0), default: []].append(.init(key: key, order: statement.integer(3)))
            }
        }
        return result
    }
}

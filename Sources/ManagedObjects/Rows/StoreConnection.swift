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
    /// Whether the connection belongs to the caller, who has begun a transaction and will end it.
    let isBorrowed: Bool
    /// The columns by the index of the root entity.
    let tables: [TableColumns]
    private var statements: [String: Statement] = [:]
    let slots: EntitySlots
    /// The requested positions by the index of the root entity.
    private var parts: [Int: Part] = [:]

    /// How often rows or links were read from the store.
    private(set) var readCount = 0

    var connection: Connection { sqlite.connection }

    /// - Parameter borrowed: a store that is open within a transaction; nil to open the store.
    init(
        _ store: PersistentStore, _ model: ObjectModel, _ limits: ContextLimits, borrowing borrowed: SQLiteStore? = nil
    ) throws {
        self.store = store
        self.model = model
        self.limits = limits
        isBorrowed = borrowed != nil
        sqlite =
            try borrowed
            ?? SQLiteStore(
                path: store.workingPath, access: store.options.isReadOnly ? .readOnly : .readWrite,
                timeout: store.options.timeout)
        layout = sqlite.layout(for: model.resolved)
        // As on apps' connections, since triggers of others may have text in double quotes.
        if borrowed == nil {
            sqlite.connection.setLenientSchema(true)
            try store.options.pragmas.applyToConnection(sqlite.connection)
        }
        try sqlite.connection.registerExpressionFunctions()
        files = ExternalDataReader(of: sqlite.files)
        tables = model.tables.map { [layout] in TableColumns($0, layout) }
        slots = EntitySlots(layout.entityNumbers)
    }

    func slot(ofNumber number: Int64) -> Int? { slots[number] }

    /// Returns a prepared statement from the cache.
    func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let known = statements[sql] { return known }
        // Every set of changed columns has its own statement.
        if statements.count >= max(1, limits.statements) { statements = [:] }
        let statement = try connection.prepare(sql, persistent: true)
        statements[sql] = statement
        return statement
    }

    // MARK: - Transactions

    /// Begins a transaction, or a savepoint within a borrowed one.
    func begin() throws(SQLiteError) {
        try connection.execute(isBorrowed ? "SAVEPOINT ferry_context" : "BEGIN IMMEDIATE")
    }

    func commit() throws(SQLiteError) { try connection.execute(isBorrowed ? "RELEASE ferry_context" : "COMMIT") }

    /// Rolls back to `begin`.
    func rollBack() {
        guard connection.isInTransaction else { return }
        if isBorrowed {
            try? connection.execute("ROLLBACK TO ferry_context; RELEASE ferry_context")
        } else {
            try? connection.execute("ROLLBACK")
        }
    }

    func noteRead() { readCount += 1 }

    /// Releases the statements, so that the connection can be closed.
    func close() { statements = [:] }

    // MARK: - Rows

    /// Reads the rows that a block waits for: completely, or as far as these positions require.
    ///
    /// - Parameter positions: the requested positions; nil for all.
    func load(_ block: SnapshotBlock, _ positions: Range<Int>?) throws {
        let root = model.root(of: block.table)
        let selection = selection(for: block, positions, root)
        let keys = block.awaited
        var rows = BlockRows(selection.columns, count: keys.count)
        var places = Places(keys)
        noteRead()
        guard let low = keys.min(), let high = keys.max() else { return }
        func take(_ statement: Statement) {
            guard let row = places.place(of: statement.integer(0)), let slot = slots[statement.integer(1)] else {
                return
            }
            rows.setEntity(slot, ofRow: row)
            rows.copy(row, statement, selection, slots)
        }
        // Adjacent keys are read in the order of the table, with few others in between.
        if high.subtractingReportingOverflow(low).partialValue.magnitude < 2 * UInt64(keys.count) + 8 {
            let statement = try statement(selection.text + " WHERE Z_PK BETWEEN ?1 AND ?2")
            defer { statement.reset() }
            try statement.bindInteger(low, at: 1)
            try statement.bindInteger(high, at: 2)
            while try statement.step() { take(statement) }
        } else {
            for start in stride(from: 0, to: keys.count, by: max(1, limits.keysPerStatement)) {
                let part = keys[start..<min(start + max(1, limits.keysPerStatement), keys.count)]
                try forEachRow(selection, part, take)
            }
        }
        block.take(rows)
    }

    /// Returns the columns to read for a block when some positions are requested. The positions requested for one block
    /// are expected for the next ones, too.
    private func selection(for block: SnapshotBlock, _ positions: Range<Int>?, _ root: Int) -> TableSelection {
        guard block.readsParts, let positions else { return tables[root].selection }
        var part = parts[root] ?? Part(positions: [])
        if !part.positions.isSuperset(of: positions) {
            part.positions.formUnion(positions)
            part.selection = nil
        }
        if part.selection == nil, part.positions.count <= limits.columnsPerPart {
            part.selection = tables[root].selection(of: part.positions)
        }
        parts[root] = part
        // At the second request, all remaining columns are read.
        guard !block.hasRows, let selection = part.selection else { return tables[root].selection }
        return selection
    }

    /// The positions of a table's rows that blocks have requested, and the selection for them; nil if there are too
    /// many.
    private struct Part {
        var positions: Set<Int>
        var selection: TableSelection?
    }

    /// Reads rows by their keys, in any order.
    private func forEachRow(
        _ selection: TableSelection, _ keys: ArraySlice<Int64>, _ body: (Statement) throws -> Void
    ) throws {
        guard let last = keys.last else { return }
        // One statement is used for any number of keys: the last key fills the remaining parameters.
        let count = keys.count == 1 ? 1 : max(1, limits.keysPerStatement)
        let marks = repeatElement("?", count: count).joined(separator: ", ")
        let statement = try statement(selection.text + " WHERE Z_PK IN (\(marks))")
        defer { statement.reset() }
        for index in 0..<count {
            let key = index < keys.count ? keys[keys.startIndex + index] : last
            try statement.bindInteger(key, at: Int32(index + 1))
        }
        while try statement.step() { try body(statement) }
    }

    /// The row index in a block for each key.
    private struct Places {
        private let keys: [Int64]
        private let places: [Int64: Int]
        /// The index after the last one that was found.
        private var next = 0

        init(_ keys: [Int64]) {
            self.keys = keys
            let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
            places =
                isSorted
                ? [:] : Dictionary(keys.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
        }

        mutating func place(of key: Int64) -> Int? {
            guard places.isEmpty else { return places[key] }
            // Keys in ascending order are found in the requested order.
            if next < keys.count, keys[next] == key {
                next += 1
                return next - 1
            }
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            guard low < keys.count, keys[low] == key else { return nil }
            next = low + 1
            return low
        }
    }

    /// Returns the slot of an object's entity; nil if there is no such row.
    func entity(ofKey key: Int64, root: Int) throws -> Int? {
        noteRead()
        let statement = try statement("SELECT Z_ENT FROM \(tables[root].table) WHERE Z_PK = ?")
        defer { statement.reset() }
        try statement.bindInteger(key, at: 1)
        return try statement.step() ? slot(ofNumber: statement.integer(0)) : nil
    }

    // MARK: - Links

    /// Returns the links of a to-many relationship of some objects, in order, by the owner's key.
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

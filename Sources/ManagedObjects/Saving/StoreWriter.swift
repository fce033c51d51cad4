import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreEditing

/// Writes the changes of a context to one store, in one transaction.
final class StoreWriter {
    let connection: StoreConnection
    /// The files for large values; if nil, large values stay in their rows.
    private let external: ExternalData?
    private var changes: ObjectChanges?
    private var isBegun = false
    private let constraints: UniquenessGuard
    /// The transaction's author and context name for persistent history.
    private let author: String?
    private let contextName: String?
    private var isReleased = false

    private var sqlite: Connection { connection.connection }
    private var layout: StoreLayout { connection.layout }
    private var model: ObjectModel { connection.model }

    init(_ connection: StoreConnection, of context: ManagedObjectContext) {
        self.connection = connection
        author = context.transactionAuthor
        contextName = context.name
        constraints = UniquenessGuard(connection.connection, connection.layout)
        external =
            connection.isBorrowed ? nil : ExternalData(store: connection.store.workingPath, isDryRun: false)
    }

    // MARK: - The transaction

    func begin() throws {
        try translating {
            try connection.begin()
            isBegun = true
            guard try !InterruptedImport.isPresent(in: sqlite) else {
                throw StoreError(.importInterrupted, path: connection.store.path)
            }
            // Removes the leftovers of a killed run.
            try external?.prune(sqlite, layout: layout)
            if try HistoryWriter.isKept(in: sqlite) { changes = try ObjectChanges(sqlite, layout: layout) }
        }
    }

    /// Computes derived values, and writes persistent history.
    func complete() throws {
        try translating {
            try changes?.stop()
            let faults = try constraints.faults(limit: Int.max, uri: uri)
            let errors = faults.flatMap { fault in
                fault.objects.map { uri in
                    ObjectValidationError(
                        code: fault.code, objectID: ManagedObjectID(uri: uri), entity: fault.entity,
                        key: fault.property, message: fault.message)
                }
            }
            if let error = ObjectValidationErrors.combining(errors) { throw error }
            try DerivedValues(layout: layout).compute(on: sqlite)
            if let changes { try HistoryWriter(changes, author: author, contextName: contextName).finish() }
        }
    }

    func commit() throws {
        try translating { try connection.commit() }
        isBegun = false
        try? external?.prune(sqlite, layout: layout)
    }

    func rollBack() {
        guard isBegun else { return }
        isBegun = false
        connection.rollBack()
        try? external?.prune(sqlite, layout: layout)
    }

    /// Sets a savepoint, to which the following changes can be rolled back.
    func beginAttempt() throws { try translating { try sqlite.execute("SAVEPOINT ferry_save") } }

    func endAttempt() throws { try translating { try sqlite.execute("RELEASE ferry_save") } }

    func takeBackAttempt() throws {
        try translating {
            try sqlite.execute("ROLLBACK TO ferry_save")
            try sqlite.execute("RELEASE ferry_save")
        }
    }

    /// Suspends unique indexes until `complete`, since values may be equal for a moment.
    func releaseConstraints() throws {
        try translating { try constraints.release() }
        isReleased = true
    }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreError(error, path: connection.store.path)
        }
    }

    // MARK: - Rows

    /// - Throws: `UniquenessFailure` if a unique index refuses a row.
    func write(
        inserted: [ManagedObject], updated: [ManagedObject], deleted: [ManagedObject], _ rows: SavedRows
    ) throws {
        func write() throws {
            let orders = try OrderWriter(connection, rows)
            try orders.assign(inserted + updated)
            for object in deleted { try delete(object) }
            for object in updated { try update(object, rows, orders) }
            for object in inserted { try insert(object, rows, orders) }
            try JoinRowWriter(connection, rows, orders).write(inserted + updated + deleted)
            try orders.writeRest()
        }
        try translating {
            do {
                try write()
            } catch let error as SQLiteError where error.isConstraint && !isReleased {
                throw UniquenessFailure()
            }
        }
    }

    private func uri(_ number: Int64, _ key: Int64) -> String {
        let name = connection.slot(ofNumber: number).map { model.shapes[$0].name } ?? "entity \(number)"
        return ManagedObjectID(storeUUID: connection.store.uuid, entityName: name, primaryKey: key).uri
    }

    private func delete(_ object: ManagedObject) throws {
        let table = connection.tables[object.shape.rootNumber]
        for attribute in object.shape.attributes where attribute.isExternal {
            guard let position = attribute.position, let column = table.columns[position] else { continue }
            let stored = try sqlite.value(
                "SELECT \(column) FROM \(table.table) WHERE Z_PK = ?", [.integer(object.key.key)])
            if let bytes = stored.blob { try external?.release(bytes) }
        }
        let statement = try connection.statement("DELETE FROM \(table.table) WHERE Z_PK = ?")
        try statement.bindInteger(object.key.key, at: 1)
        try statement.run()
    }

    private func insert(_ object: ManagedObject, _ rows: SavedRows, _ orders: OrderWriter) throws {
        let shape = object.shape
        let table = connection.tables[shape.rootNumber]
        let (block, row) = rows.begin(object, version: 1)
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var values: [SQLiteValue] = [
            .integer(rows.key(of: object).key), .integer(Int64(layout.entityNumbers[shape.entity.slot])), .integer(1),
        ]
        for (slot, attribute) in shape.attributes.enumerated() where !attribute.attribute.isDerived {
            guard let position = attribute.position, let column = table.columns[position] else { continue }
            let value = try stored(object, slot, attribute) ?? .null
            columns.append(column)
            values.append(value)
            block.set(row, position, to: value)
        }
        for (slot, toOne) in shape.toOnes.enumerated() {
            guard let position = toOne.position else { continue }
            let key = try object.toOneKey(slot)
            add(
                toOne, position, key.map { rows.key($0) }, order: orders.order(of: object, slot), table, &columns,
                &values,
                (block, row))
        }
        let marks = repeatElement("?", count: values.count).joined(separator: ", ")
        let statement = try connection.statement(
            "INSERT INTO \(table.table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
        try statement.bind(values)
        try statement.run()
    }

    private func add(
        _ toOne: EntityShape.ToOne, _ position: Int, _ key: ObjectKey?, order: Int64?, _ table: TableColumns,
        _ columns: inout [String], _ values: inout [SQLiteValue], _ place: (block: SnapshotBlock, row: Int)
    ) {
        guard let column = table.columns[position] else { return }
        columns.append(column)
        values.append(key.map { .integer($0.key) } ?? .null)
        place.block.set(place.row, position, to: key.map { .integer($0.key) } ?? ArenaValue.null)
        place.block.set(
            place.row, position + 1, to: key.map { .integer(Int64($0.entity)) } ?? ArenaValue.null)
        if let entity = table.entityColumns[position] {
            columns.append(entity)
            values.append(key.map { .integer(Int64(layout.entityNumbers[Int($0.entity)])) } ?? .null)
        }
        if let ordered = table.orderColumns[position] {
            columns.append(ordered)
            values.append(key == nil ? .null : order.map { .integer($0) } ?? .null)
        }
    }

    /// Returns the value of an attribute for its column, with large values in files; nil for NULL.
    private func stored(
        _ object: ManagedObject, _ slot: Int, _ attribute: EntityShape.Attribute
    ) throws -> SQLiteValue? {
        guard let value = object.state?.attributes[slot] ?? nil else { return nil }
        let stored = StoredForm.stored(value, of: attribute)
        guard attribute.isExternal, case .blob(let tagged) = stored, let name = try external?.stored(tagged[...]) else {
            return stored
        }
        return .blob(name)
    }

    private func update(_ object: ManagedObject, _ rows: SavedRows, _ orders: OrderWriter) throws {
        let shape = object.shape
        let table = connection.tables[shape.rootNumber]
        guard let state = object.state else { return }
        let changesJoin = state.toManys.entries.contains { slot, links in
            links.isChanged && shape.toManys[slot].relationship.storage == .joinTable
                && shape.toManys[slot].relationship.isStored
        }
        let isRestored = object.flags.contains(.restored)
        let hasColumns =
            state.attributes.entries.contains { shape.attributes[$0.slot].position != nil }
            || state.toOnes.entries.contains { shape.toOnes[$0.slot].position != nil }
        guard hasColumns || changesJoin || isRestored else { return }
        guard !isRestored else {
            try insert(object, rows, orders)
            return
        }
        guard let old = object.block, old.isLoaded else {
            // Only links have changed, and the object has not been checked.
            try raiseVersion(object, table)
            return
        }
        let oldVersion = old.version(Int(object.row))
        let version = min(max(0, oldVersion), Int64.max - 1) + 1
        let (block, row) = rows.begin(object, version: version)
        var columns = ["Z_OPT"]
        var values: [SQLiteValue] = [.integer(version)]
        for (slot, _) in state.attributes.entries {
            let attribute = shape.attributes[slot]
            guard let position = attribute.position, let column = table.columns[position],
                !attribute.attribute.isDerived
            else { continue }
            if attribute.isExternal, case .blob(let bytes) = old.sqliteValue(Int(object.row), position) {
                try external?.release(bytes)
            }
            let value = try stored(object, slot, attribute) ?? .null
            columns.append(column)
            values.append(value)
            block.set(row, position, to: value)
        }
        for (slot, key) in state.toOnes.entries {
            guard let position = shape.toOnes[slot].position else { continue }
            add(
                shape.toOnes[slot], position, key.map { rows.key($0) }, order: orders.order(of: object, slot), table,
                &columns, &values, (block, row))
        }
        let sets = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let statement = try connection.statement("UPDATE \(table.table) SET \(sets) WHERE Z_PK = ?")
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
        try statement.bindInteger(object.key.key, at: Int32(values.count + 1))
        try statement.run()
    }

    private func raiseVersion(_ object: ManagedObject, _ table: TableColumns) throws {
        let statement = try connection.statement(
            "UPDATE \(table.table) SET \(ObjectVersion.raised()) WHERE Z_PK = ?")
        try statement.bindInteger(object.key.key, at: 1)
        try statement.run()
    }
}

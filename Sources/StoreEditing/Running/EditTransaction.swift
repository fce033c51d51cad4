import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// The steps of an edit within a transaction, with their changes. All lists of objects are temporary tables.
final class EditTransaction {
    let store: SQLiteStore
    let layout: StoreLayout
    let options: StoreEditor.Options
    let constraints: UniquenessGuard
    let values: EditValues
    let links: LinkEditor
    let keys: PrimaryKeys
    private let changes: ObjectChanges
    private let log: EditLog
    /// The files for large values; if nil, large values stay in their rows.
    private let external: ExternalData?
    /// The result of each step.
    private(set) var outcomes: [EditOutcome] = []
    var faults: [EditFault] = []
    private var notes: [String] = []

    var connection: Connection { store.connection }

    /// The temporary tables for the objects that satisfy `where`, and those that satisfy `to`.
    static let found = "temp.ferry_found"
    static let others = "temp.ferry_others"

    init(
        _ store: SQLiteStore, _ layout: StoreLayout, _ external: ExternalData?, _ options: StoreEditor.Options
    ) throws {
        self.store = store
        self.layout = layout
        self.options = options
        self.external = external
        constraints = UniquenessGuard(store.connection, layout)
        values = EditValues(store, layout, options)
        links = LinkEditor(store.connection, layout)
        keys = PrimaryKeys(store.connection, layout, isShared: options.hasOneNumbering)
        changes = try ObjectChanges(store.connection, layout: layout)
        log = try EditLog(store.connection, layout)
        for table in [Self.found, Self.others] {
            try store.connection.execute("CREATE TEMP TABLE \(table.dropFirst(5)) (k INTEGER PRIMARY KEY)")
        }
    }

    func run(_ steps: [EditStep]) throws {
        for step in steps {
            try run(step)
            // Later errors may only be consequences of a denied deletion.
            guard !faults.contains(where: { $0.code == 1600 }) else { return }
        }
    }

    private func run(_ step: EditStep) throws {
        guard let entity = layout.model.entity(named: step.entityName), layout.table(ofEntity: entity.slot) != nil
        else {
            throw EditError(step, "the store has no entity \(step.entityName)")
        }
        var outcome = EditOutcome()
        switch step {
        case .update(_, let filter, let assignments):
            try find(entity, filter, into: Self.found, step)
            faults += try values.set(assignments, of: entity, step, isNew: false)
            outcome.objects = values.changed
        case .delete(_, let filter, let removal):
            try find(entity, filter, into: Self.found, step)
            outcome = try delete(removal) {
                try $0.add(entity.slot, where: "s.Z_PK IN (SELECT k FROM \(Self.found))")
            }
        case .insert(_, let assignments, let relations):
            try insert(entity, assignments, relations, step)
            outcome.objects = 1
        case .relate(_, let name, let filter, let to):
            let relationship = try step.relationship(name, of: entity)
            try find(entity, filter, into: Self.found, step)
            try find(layout.model.entities[relationship.destination], to, into: Self.others, step)
            try links.relate(relationship, step)
            outcome.objects = try connection.value("SELECT count(*) FROM \(Self.found)").integer ?? 0
        case .unrelate(_, let name, let filter, let to):
            let relationship = try step.relationship(name, of: entity)
            try find(entity, filter, into: Self.found, step)
            if let to { try find(layout.model.entities[relationship.destination], to, into: Self.others, step) }
            try links.unrelate(relationship, limited: to != nil)
            outcome.objects = try connection.value("SELECT count(*) FROM \(Self.found)").integer ?? 0
        }
        outcomes.append(outcome)
    }

    // MARK: Finding

    /// Fills a table with the keys of the objects that satisfy a predicate, by a fetch.
    private func find(_ entity: ResolvedEntity, _ text: String, into table: String, _ step: EditStep) throws {
        try connection.execute("DELETE FROM \(table)")
        do {
            let plan = try FetchCompiler.plan(
                step.objects(of: entity, text), layout: layout, storeUUID: store.metadata.uuid, now: options.now)
            _ = try FetchCursor(plan, store: store, layout: layout).writeKeys(into: table)
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw EditError(step, "\(error)")
        }
    }

    // MARK: Deleting

    /// Deletes the objects that the closure adds, including cascades.
    @discardableResult
    func delete(
        _ removal: LinkRemoval = .byDeleteRules, _ add: (ObjectDeletion) throws -> Void
    ) throws -> EditOutcome {
        let deletion = try ObjectDeletion(connection, layout: layout)
        try add(deletion)
        try deletion.cascade()
        var outcome = EditOutcome()
        let denials = try deletion.denials(naming: options.exampleLimit)
        for (refusal, rows) in denials {
            faults.append(
                EditFault(
                    code: refusal.code, entity: refusal.entity, property: refusal.relationship,
                    message: "the relationship denies the deletion: it leads to objects that stay",
                    count: refusal.objects, objects: rows.map { uri($0[0].integer ?? 0, $0[1].integer ?? 0) }))
        }
        if denials.isEmpty {
            outcome.objects = try deletion.delete(unlinking: removal)
            outcome.danglingLinks = try deletion.danglingLinks(unlinking: removal)
            for left in outcome.danglingLinks {
                notes.append(
                    "\(left.entity).\(left.relationship): \(Quantity.count(left.objects, "link")) to deleted objects "
                        + "left, because no delete rule reaches them (No Action, or no inverse)")
            }
        }
        try deletion.close()
        return outcome
    }

    // MARK: Inserting

    private func insert(
        _ entity: ResolvedEntity, _ assignments: [EditAssignment], _ relations: [EditLink], _ step: EditStep
    ) throws {
        guard !entity.isAbstract else {
            throw EditError(step, "\(entity.name) is abstract, and has no objects of its own")
        }
        guard let number = try insert(RowInsertion(of: entity, count: 1) { _, _ in nil }),
            let table = layout.table(ofEntity: entity.slot)
        else { throw EditError(step, "there are no more keys for objects of \(entity.name)") }
        let name = "main.\(SQLiteIdentifier.quoted(table.name))"
        let key = SQLiteValue.integer(number)
        func find() throws {
            try connection.execute("DELETE FROM \(Self.found)")
            try connection.execute("INSERT INTO \(Self.found) VALUES (?)", [key])
        }
        try find()
        if !assignments.isEmpty { faults += try values.set(assignments, of: entity, step, isNew: true) }
        for link in relations {
            let relationship = try step.relationship(link.relationship, of: entity)
            try self.find(
                layout.model.entities[relationship.destination], link.destinations, into: Self.others, step)
            try find()
            try links.relate(relationship, step)
        }
        try connection.execute("UPDATE \(name) SET Z_OPT = 1 WHERE Z_PK = ? AND Z_OPT <> 1", [key])
    }

    /// Inserts the rows of new objects.
    ///
    /// - Returns: the key of the first one; nil if there are not enough keys, or the store lacks the table.
    func insert(_ rows: RowInsertion) throws -> Int64? {
        let entity = rows.entity
        guard let table = layout.table(ofEntity: entity.slot),
            let last = try keys.give(Int64(rows.count), ofRoot: table.root)
        else { return nil }
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var attributes: [(attribute: ResolvedAttribute, initial: SQLiteValue)] = []
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            guard let column = layout.column(.attribute(attribute.key)) else { continue }
            columns.append(SQLiteIdentifier.quoted(column.name))
            attributes.append((attribute, StoredValue.defaultValue(of: attribute)))
        }
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let statement = try connection.prepare(
            "INSERT INTO main.\(SQLiteIdentifier.quoted(table.name)) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(places))")
        for row in 0..<rows.count {
            try statement.bindInteger(last + Int64(row) + 1, at: 1)
            try statement.bindInteger(Int64(layout.entityNumbers[entity.slot]), at: 2)
            try statement.bindInteger(1, at: 3)
            for (index, (attribute, initial)) in attributes.enumerated() {
                try statement.bind(try rows.value(row, attribute) ?? initial, at: Int32(index + 4))
            }
            try statement.run()
        }
        return last + 1
    }

    // MARK: The end

    /// Validates the changes, and writes history. The report has all faults.
    func finish(_ empty: EditReport) throws -> EditReport {
        var report = empty
        try settle()
        report.faults = faults
        if !faults.contains(where: { $0.code == 1600 }) {
            let validation = try EditValidation(connection, layout, options, uri: uri)
            report.faults += try validation.faults()
            report.faults += try constraints.faults(limit: options.exampleLimit, uri: uri)
            notes += validation.unchecked
        }
        report.notes = notes
        try count(into: &report)
        if report.isValid { try conclude() }
        return report
    }

    /// Finishes without validation, which the caller does: returns only faults of the steps themselves, and values that
    /// violate a unique index.
    func finishUnvalidated() throws -> [EditFault] {
        try settle()
        let faults = try faults + constraints.faults(limit: options.exampleLimit, uri: uri)
        if faults.isEmpty { try conclude() }
        return faults
    }

    /// Updates derived data in the store.
    private func settle() throws {
        try changes.stop()
        try log.stop()
        try storeLargeValues()
        if try connection.value("SELECT 1 FROM temp.ferry_changed LIMIT 1") != .null {
            try DerivedValues(layout: layout).compute(on: connection)
        }
    }

    /// Writes history, and removes the temporary tables.
    private func conclude() throws {
        try log.forEachReleased { try external?.release($0) }
        if try HistoryWriter.isKept(in: connection) { try HistoryWriter(changes).finish() } else { try changes.close() }
        try log.close()
        for table in [Self.found, Self.others] { try connection.execute("DROP TABLE \(table)") }
    }

    private func count(into report: inout EditReport) throws {
        for row in try connection.rows(
            "SELECT entity, kind, count(*) FROM temp.ferry_changed GROUP BY 1, 2 ORDER BY 1, 2")
        {
            let number = row[0].integer ?? 0
            let examples = try connection.rows(
                "SELECT object FROM temp.ferry_changed WHERE entity = ? AND kind = ? ORDER BY 1 "
                    + "LIMIT \(options.exampleLimit)", [row[0], row[1]])
            let objects = EditReport.Objects(
                count: row[2].integer ?? 0, objects: examples.map { uri(number, $0[0].integer ?? 0) })
            switch row[1].integer {
            case 0: report.inserted[entityName(number)] = objects
            case 1: report.updated[entityName(number)] = objects
            default: report.deleted[entityName(number)] = objects
            }
        }
    }

    private func entityName(_ number: Int64) -> String {
        layout.slot(ofEntityNumber: Int(number)).map { layout.model.entities[$0].name } ?? "entity \(number)"
    }

    func uri(_ number: Int64, _ key: Int64) -> String {
        ManagedObjectID(storeUUID: store.metadata.uuid, entityName: entityName(number), primaryKey: key).uri
    }

    /// Calls a closure with the columns whose values may be in files, and the folder for such files.
    func copyFiles(_ body: ([EditLog.ExternalColumn], ExternalData?) throws -> Void) rethrows {
        try body(log.externalColumns, external)
    }

    /// Moves large values to files of their own, one after the other.
    private func storeLargeValues() throws {
        guard let external else { return }
        for column in log.externalColumns {
            let rows =
                "\(column.table) WHERE length(\(column.name)) > \(ExternalData.largestInline + 1) "
                + "AND substr(\(column.name), 1, 1) = x'01' AND EXISTS (SELECT 1 FROM temp.ferry_changed c "
                + "WHERE c.entity = Z_ENT AND c.object = Z_PK AND c.kind < 2)"
            while let row = try connection.rows("SELECT Z_PK, \(column.name) FROM \(rows) LIMIT 1").first {
                guard let bytes = row[1].blob, let stored = try external.stored(bytes[...]) else { break }
                try connection.execute(
                    "UPDATE \(column.table) SET \(column.name) = ? WHERE Z_PK = ?", [.blob(stored), row[0]])
            }
        }
    }
}

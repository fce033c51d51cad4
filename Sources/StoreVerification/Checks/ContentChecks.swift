import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Checks the rows of entity tables and join tables.
final class ContentChecks {
    let verifier: StoreVerifier
    let layout: StoreLayout

    /// The SQL for the expected values of derived attributes.
    let derivedValues: [PropertyKey: String]

    /// The number of rows.
    private(set) var rows: Int64 = 0

    /// The numbers of rows by table, for all tables that could be counted.
    private var counts: [String: Int64] = [:]

    var connection: Connection { verifier.store.connection }
    var model: ResolvedModel { layout.model }
    var limit: Int { verifier.options.exampleLimit }

    init(verifier: StoreVerifier, layout: StoreLayout) {
        self.verifier = verifier
        self.layout = layout
        derivedValues = DerivedAttributeTriggers(layout: layout).values
    }

    func findings() throws -> [VerificationFinding] {
        let tests = try ValueTests(connection)
        let external = ExternalFileInventory(of: verifier.files)
        var result: [VerificationFinding] = []
        // Damage that prevents counting is found by the checks below.
        for table in layout.tables.map(\.name) + layout.joinTables.map(\.name) where hasRows(table) {
            counts[table] = try? rowCount(table)
        }
        for table in layout.tables where isPlain(table) {
            report(table.name)
            result += try verifier.guarded(table.name) { () throws(SQLiteError) in
                try count(table.name)
                var findings: [VerificationFinding] = []
                for scan in scans(of: table, tests, external) {
                    findings += try scan.findings(limit: limit) { self.uri($0, entity: $1, in: table) }
                }
                findings += try outsideConfiguration(table)
                return findings
            }
            result += try verifier.guarded(table.name) { try GroupChecks(self).findings(of: table) }
        }
        for join in layout.joinTables {
            report(join.name)
            result += try verifier.guarded(join.name) { try JoinChecks(self).findings(of: join) }
        }
        if verifier.isAsked(.externalFileUnused) { result += external.unused(limit: limit) }
        if verifier.isAsked(.predicateUnchecked) {
            result += tests.unchecked.map {
                VerificationFinding(.predicateUnchecked, subject: $0.subject, detail: $0.reason)
            }
        }
        return result
    }

    /// Returns findings for objects of entities outside the store's configuration.
    private func outsideConfiguration(_ table: EntityTable) throws(SQLiteError) -> [VerificationFinding] {
        guard let held = verifier.objectEntities, verifier.isAsked(.outsideConfiguration) else { return [] }
        var findings: [VerificationFinding] = []
        for slot in model.entities[table.root].subtree where !held.contains(model.entities[slot].name) {
            let rows = "FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT = \(layout.entityNumbers[slot])"
            let count = try connection.value("SELECT count(*) \(rows)").integer ?? 0
            guard count > 0 else { continue }
            let keys = try connection.rows("SELECT Z_PK \(rows) ORDER BY Z_PK LIMIT \(limit)").compactMap {
                $0[0].integer
            }
            findings.append(
                VerificationFinding(
                    .outsideConfiguration, subject: model.entities[slot].name, count: count,
                    examples: keys.map { uri($0, entity: Int64(layout.entityNumbers[slot]), in: table) }))
        }
        return findings
    }

    func isPlain(_ table: EntityTable?) -> Bool {
        table.flatMap { verifier.store.schema.table(named: $0.name) }?.isPlainEntityTable ?? false
    }

    func count(_ table: String) throws(SQLiteError) {
        if let known = counts[table] { rows += known } else { rows += try rowCount(table) }
    }

    private func rowCount(_ table: String) throws(SQLiteError) -> Int64 {
        try connection.value("SELECT count(*) FROM \(SQLiteIdentifier.quoted(table))").integer ?? 0
    }

    private func hasRows(_ table: String) -> Bool {
        verifier.store.schema.table(named: table).map { !$0.isVirtual } ?? false
    }

    /// Reports progress before a table is checked.
    private func report(_ table: String) {
        verifier.options.onProgress?(
            VerificationProgress(table: table, rowsDone: rows, rowsTotal: counts.values.reduce(0, +)))
    }

    /// Returns the URI of an object in a table.
    func uri(_ key: Int64, entity number: Int64, in table: EntityTable) -> String {
        // An entity number that does not belong to the table: the root entity is used.
        let slot = Int(exactly: number).flatMap(layout.slot(ofEntityNumber:)) ?? table.root
        let name = model.entities[slot].root == table.root ? model.entities[slot].name : model.entities[table.root].name
        return ManagedObjectID(storeUUID: verifier.store.metadata.uuid, entityName: name, primaryKey: key).uri
    }

    /// Returns the entity numbers of an entity and its subentities, for SQL.
    func numbers(ofSubtree slot: Int) -> String {
        model.entities[slot].subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
    }

    // MARK: One pass over a table

    /// Returns the scans of a table for the requested checks.
    func scans(of table: EntityTable, _ tests: ValueTests, _ external: ExternalFileInventory) -> [TableScan] {
        let name = SQLiteIdentifier.quoted(table.name)
        let limits = verifier.options.fixedLimits
        var scans = [TableScan(connection, table: name, limits: limits)]
        /// Returns the number of joins that are still possible in the current scan; begins another one if there are
        /// none.
        func room() -> Int {
            if scans[scans.count - 1].isFull { scans.append(TableScan(connection, table: name, limits: limits)) }
            return scans.count - 1
        }
        func add(_ checks: [RowCondition], at index: Int) {
            // The unused files are known only after all names have been read.
            for check in checks
            where verifier.isAsked(check.rule)
                || (check.rule == .externalFileMissing && verifier.isAsked(.externalFileUnused))
            {
                scans[index].add(check)
            }
        }
        add(rowChecks(table, name), at: room())
        let values = ValueChecks(content: self, tests: tests, external: external)
        for slot in model.entities[table.root].subtree {
            let entity = model.entities[slot]
            for attribute in entity.declaredAttributes where attribute.isStored {
                guard let column = layout.column(.attribute(attribute.key)) else { continue }
                add(values.checks(of: attribute, column, name, condition(slot, name)), at: room())
            }
        }
        let links = LinkChecks(content: self)
        for column in table.columns {
            let index = room()
            add(links.checks(of: column, in: table, named: name, joining: &scans[index]), at: index)
        }
        return scans
    }

    /// Returns the SQL condition for the rows of an entity and its subentities, followed by `AND`; empty for all rows.
    func condition(_ slot: Int, _ table: String) -> String {
        model.entities[slot].superentity == nil ? "" : "\(table).Z_ENT IN (\(numbers(ofSubtree: slot))) AND "
    }

    private func rowChecks(_ table: EntityTable, _ name: String) -> [RowCondition] {
        let root = model.entities[table.root]
        var checks = [
            RowCondition(
                rule: .wrongEntity, subject: root.name,
                condition: "\(name).Z_ENT IS NULL OR \(name).Z_ENT NOT IN (\(numbers(ofSubtree: table.root)))",
                repair: .delete),
            RowCondition(
                rule: .lockCounterInvalid, subject: root.name,
                condition: "typeof(\(name).Z_OPT) <> 'integer' OR \(name).Z_OPT < 1",
                repair: .set("Z_OPT", "1")),
        ]
        for slot in root.subtree where model.entities[slot].isAbstract {
            checks.append(
                RowCondition(
                    rule: .abstractEntity, subject: model.entities[slot].name,
                    condition: "\(name).Z_ENT = \(layout.entityNumbers[slot])", repair: .delete))
        }
        return checks
    }
}

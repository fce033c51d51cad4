import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Arranges the transfers of an inferred mapping into the steps of a program. Pure.
struct ProgramBuilder {
    let builder: TransferBuilder
    let schema: StoreSchema
    let kept: KeptObjects
    let bookkeeping: BookkeepingSteps

    var destination: StoreLayout { builder.destination }

    /// The tables of the source's entities and relationships, in upper case.
    static func ownedTables(of source: StoreLayout) -> Set<String> {
        Set((source.tables.map(\.name) + source.joinTables.map(\.name)).map { $0.uppercased() })
    }

    // MARK: - A new file

    func newFile() -> MigrationProgram {
        var program = MigrationProgram(arena: .newFile)
        program.steps += bookkeeping.tables
        let transfers = builder.tables()
        for transfer in transfers {
            program.steps.append(create(transfer.table.name, transfer.table.createStatement))
        }
        for table in destination.joinTables {
            program.steps.append(create(table.name, table.createStatement))
        }
        var indexed: Set<String> = []
        for transfer in transfers {
            appendFill(transfer, to: &program, indexed: &indexed)
        }
        for join in builder.joinTables() {
            program.steps += copySteps(join, indexed: &indexed) ?? joinSteps(join)
            program.tiers[join.table.name] = (join.selections.isEmpty ? .none : .sqlTransfer, "")
        }
        for table in kept.tables {
            program.steps.append(create(table.name, table.sql))
            program.steps.append(keptRows(table))
        }
        program.steps += indexSteps(existing: indexed)
        program.steps += keptObjectSteps(kept.objects)
        program.steps += derivedSteps()
        program.steps += bookkeeping.rows(isNewFile: true, hasModelCache: false)
        return program
    }

    private func create(_ table: String, _ sql: String) -> MigrationStep {
        MigrationStep(phase: .schema, table: table, summary: "create \(table)", work: .statement(sql))
    }

    /// - Parameter indexed: gets the indexes that are made with the rows.
    private func appendFill(_ transfer: TableTransfer, to program: inout MigrationProgram, indexed: inout Set<String>) {
        guard let source = transfer.source else {
            program.tiers[transfer.table.name] = (.none, "all its entities are new")
            return
        }
        let fill = tableFill(transfer, source: builder.naming.name(source.name))
        if !fill.needsRowTransfer, isIdentical(transfer) {
            program.steps += copySteps(transfer, from: source, indexed: &indexed)
            program.tiers[transfer.table.name] = (.sqlTransfer, "the columns are the same")
        } else {
            program.steps.append(
                MigrationStep(
                    phase: .objects, table: transfer.table.name, summary: "fill from \(source.name)",
                    work: .fill(fill)))
            program.tiers[transfer.table.name] = fill.needsRowTransfer
                ? (.rowTransfer, "external data become inline: their files must be read")
                : (.sqlTransfer, "every value is a column, a constant or an SQL expression")
        }
        program.steps += orderSteps(transfer)
    }

    /// Whether SQLite can copy the table's records as they are: same columns in the same order, all rows.
    private func isIdentical(_ transfer: TableTransfer) -> Bool {
        guard let source = transfer.source, let existing = schema.table(named: source.name),
            transfer.excludedNumbers.isEmpty, existing.columns.count == transfer.columns.count
        else { return false }
        return zip(existing.columns, transfer.columns).allSatisfy { column, new in
            new.column.name == column.name && new.column.declaredType == column.declaredType
                && new.uniform == .column(column.name)
        }
    }

    private func tableFill(_ transfer: TableTransfer, source: String) -> TableFill {
        TableFill(
            table: SQLiteIdentifier.bare(transfer.table.name), source: source,
            columns: transfer.columns.map { SQLiteIdentifier.bare($0.column.name) },
            expressions: transfer.columns.map(\.expression.sql),
            // Rows of an entity that is none of the table's are no objects; the report counts them.
            condition: "s.Z_ENT IN (\(transfer.takenNumbers.map(String.init).joined(separator: ", ")))",
            inlinedColumns: transfer.columns.indices.filter { transfer.columns[$0].needsFiles })
    }

    /// Core Data's order keys begin at 2048 and go up by 1024, so that there is room between them (SPEC B.7).
    static let firstOrderKey = 2048
    static let orderKeyStep = 1024

    private func orderSteps(_ transfer: TableTransfer) -> [MigrationStep] {
        let table = SQLiteIdentifier.bare(transfer.table.name)
        return transfer.countedOrders.map { order in
            let (column, key) = (SQLiteIdentifier.bare(order.column), SQLiteIdentifier.bare(order.key))
            // Rows that have an order key keep it; the others follow behind the last.
            let first = order.hasSome
                ? "max(\(Self.firstOrderKey), ifnull(m, 0) + \(Self.orderKeyStep))" : "\(Self.firstOrderKey)"
            let rows = order.hasSome
                ? "(SELECT Z_PK, \(key), \(column), max(\(column)) OVER (PARTITION BY \(key)) AS m FROM main.\(table)) "
                    + "WHERE \(column) IS NULL AND \(key) IS NOT NULL"
                : "main.\(table) WHERE \(key) IS NOT NULL"
            return MigrationStep(
                phase: .relationships, table: transfer.table.name, summary: "number \(order.column) by key",
                work: .statement(
                    "UPDATE main.\(table) SET \(column) = c.n FROM (SELECT Z_PK AS k, \(first) + "
                        + "\(Self.orderKeyStep) * (row_number() OVER (PARTITION BY \(key) ORDER BY Z_PK) - 1) AS n "
                        + "FROM \(rows)) AS c WHERE c.k = \(table).Z_PK"))
        }
    }

    private func joinSteps(_ join: JoinTransfer) -> [MigrationStep] {
        let table = join.table
        return join.selections.map { selection in
            func counted(by key: String, then other: String) -> String {
                "\(Self.firstOrderKey) + \(Self.orderKeyStep) * "
                    + "(row_number() OVER (PARTITION BY \(key) ORDER BY \(other)) - 1)"
            }
            var columns = [table.ownerColumn, table.destinationColumn]
            var values = [selection.owner, selection.destination]
            if let column = table.inverseOrderColumn {
                columns.append(column)
                values.append(selection.inverseOrder ?? counted(by: selection.destination, then: selection.owner))
            }
            if let column = table.orderColumn {
                columns.append(column)
                values.append(selection.order ?? counted(by: selection.owner, then: selection.destination))
            }
            // In key order both the table and its automatic index grow at their ends. One link may stand on both sides
            // of the source, or twice after a broken migration: the primary key keeps one.
            let sql = "INSERT OR IGNORE INTO main.\(SQLiteIdentifier.bare(table.name)) "
                + "(\(columns.map(SQLiteIdentifier.bare).joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) \(selection.from) ORDER BY 1, 2"
            return MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(selection.description)",
                work: .fillWhole(WholeFill(statement: sql)))
        }
    }

    private func keptRows(_ table: SchemaTable) -> MigrationStep {
        let columns = table.columns.map { SQLiteIdentifier.quoted($0.name) }.joined(separator: ", ")
        let name = SQLiteIdentifier.quoted(table.name)
        return MigrationStep(
            phase: .keptTables, table: table.name, summary: "keep \(table.name) as it is",
            work: .fillWhole(
                WholeFill(
                    statement: "INSERT INTO main.\(name) (rowid, \(columns)) "
                        + "SELECT rowid, \(columns) FROM \(builder.naming.name(table.name))")))
    }

    /// - Parameter existing: indexes that are there and right.
    private func indexSteps(existing: Set<String>) -> [MigrationStep] {
        destination.indexes().indexes.filter { !existing.contains($0.name) }.map {
            MigrationStep(
                phase: .indexes, table: $0.table, summary: "create the index \($0.name)",
                work: .statement($0.createStatement))
        }
    }

    private func keptObjectSteps(_ objects: [SchemaObject]) -> [MigrationStep] {
        objects.compactMap { object in
            object.sql.map {
                MigrationStep(
                    phase: .indexes, table: object.table, summary: "keep the \(object.kind.rawValue) \(object.name)",
                    work: .statement($0))
            }
        }
    }

    // MARK: - A file that is there

    /// The changes of the entity tables, by destination table.
    func changes() -> [(transfer: TableTransfer, change: TableChange?)] {
        let transfers = builder.tables()
        let uses = Dictionary(transfers.compactMap { $0.source?.name }.map { ($0, 1) }, uniquingKeysWith: +)
        return transfers.map { transfer in
            guard let source = transfer.source, let existing = schema.table(named: source.name) else {
                return (transfer, nil)
            }
            if uses[source.name, default: 0] > 1 {
                return (transfer, .rebuilt(reason: "the hierarchy of \(source.name) is split"))
            }
            if let constraint = Self.staleConstraint(of: existing, schema: schema, destination: destination) {
                return (transfer, .rebuilt(reason: constraint))
            }
            return (transfer, TableChange(transfer, from: existing))
        }
    }

    /// A uniqueness constraint that CREATE TABLE itself has, as Core Data wrote them once (SPEC B.8), cannot be dropped.
    private static func staleConstraint(
        of table: SchemaTable, schema: StoreSchema, destination: StoreLayout
    ) -> String? {
        table.sql.uppercased().contains(" UNIQUE ") ? "its uniqueness constraint is part of the table" : nil
    }

    func existingFile(arena: MigrationProgram.Arena) -> MigrationProgram {
        var program = MigrationProgram(arena: arena)
        var renamed: [String: String] = [:]
        let changes = self.changes()
        let joins = builder.joinTables()
        let owned = Self.ownedTables(of: builder.source)

        // 1. Triggers and stale indexes go first: ALTER TABLE would carry them along.
        for object in schema.objects where object.kind == .trigger && owned.contains(object.table.uppercased()) {
            program.steps.append(drop(object.kind.rawValue.uppercased(), object.name, object.table))
        }
        for view in schema.objects where view.kind == .view {
            program.steps.append(drop("VIEW", view.name, view.table))
        }
        let indexes = IndexReconciliation(
            schema: schema, wanted: destination.indexes().indexes,
            renamedTables: Self.finalNames(changes, joins), renamedColumns: Self.renamedColumns(changes, joins),
            rebuiltTables: Self.rebuiltTables(changes, joins, schema: schema), owned: owned)
        for index in indexes.dropped {
            program.steps.append(drop("INDEX", index.name, index.table))
        }

        // 2. Tables whose rows go elsewhere, or whose name another one takes, get a name that nobody has.
        let sourceJoinsKept = Set(joins.compactMap { $0.renamedFrom?.name })
        var number = 0
        func setAside(_ table: String) {
            guard renamed[table] == nil else { return }
            number += 1
            let name = "ZFERRY_OLD_\(number)"
            renamed[table] = name
            program.steps.append(rename(table, to: name))
        }
        for (transfer, change) in changes {
            guard let source = transfer.source else { continue }
            switch change {
            case .rebuilt?: setAside(source.name)
            case .altered(let alteration)? where alteration.renamesTableFrom != nil: setAside(source.name)
            default: break
            }
        }
        let usedSources = Set(changes.compactMap { $0.transfer.source?.name })
        for table in builder.source.tables where !usedSources.contains(table.name) { setAside(table.name) }
        for table in builder.source.joinTables {
            let stays = joins.contains { $0.renamedFrom?.name == table.name && $0.table.name == table.name }
            if !stays { setAside(table.name) }
        }

        // 3. New tables, filled while all old rows are still there.
        let now = TransferBuilder(
            correspondence: builder.correspondence, source: builder.source, destination: builder.destination,
            naming: .renamed(renamed))
        let moving = ProgramBuilder(builder: now, schema: schema, kept: kept, bookkeeping: bookkeeping)
        let transfers = Dictionary(now.tables().map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (transfer, change) in changes {
            let name = transfer.table.name
            switch change {
            case nil:
                program.steps.append(create(name, transfer.table.createStatement))
                program.tiers[name] = (.none, "all its entities are new")
            case .rebuilt(let reason)?:
                program.steps.append(create(name, transfer.table.createStatement))
                if let transfer = transfers[name] {
                    moving.appendRebuild(transfer, reason: reason, to: &program)
                }
            case .unchanged?: program.tiers[name] = (.inPlace, "the table stays as it is")
            case .altered(let alteration)?:
                program.tiers[name] = (
                    .inPlace,
                    alteration.isIndependentOfRows ? "ALTER TABLE; no row is read" : "ALTER TABLE and UPDATE"
                )
            }
        }
        for join in now.joinTables() {
            if let from = join.renamedFrom, sourceJoinsKept.contains(from.name) {
                program.tiers[join.table.name] = (.inPlace, "the join table is kept")
                continue
            }
            program.steps.append(create(join.table.name, join.table.createStatement))
            program.steps += moving.joinSteps(join)
            program.tiers[join.table.name] = (join.selections.isEmpty ? .none : .sqlTransfer, "")
        }

        // 4. The tables that stay change; what is left of the old ones goes.
        for (transfer, change) in changes {
            if case .altered(let alteration)? = change, let source = transfer.source {
                program.steps += alterSteps(
                    alteration, table: renamed[source.name] ?? source.name, final: transfer.table.name)
                program.steps += orderSteps(transfer)
            } else if case .rebuilt? = change, let source = transfer.source, let old = renamed[source.name],
                !changes.contains(where: { other in
                    if case .altered? = other.change { return other.transfer.source?.name == source.name }
                    return false
                }) {
                program.steps.append(drop("TABLE", old, source.name))
                renamed[source.name] = nil
            }
        }
        for join in joins {
            guard let from = join.renamedFrom else { continue }
            program.steps += renameSteps(from, to: join.table, current: renamed[from.name] ?? from.name)
            renamed[from.name] = nil
        }
        for table in builder.source.tables where !usedSources.contains(table.name) {
            if let old = renamed[table.name] { program.steps.append(drop("TABLE", old, table.name)) }
        }
        for table in builder.source.joinTables where !sourceJoinsKept.contains(table.name) {
            if let old = renamed[table.name] { program.steps.append(drop("TABLE", old, table.name)) }
        }
        for table in schema.tables where KeptObjects.history.contains(table.name.uppercased()) {
            if !kept.tables.contains(table) { program.steps.append(drop("TABLE", table.name, table.name)) }
        }

        // 5. Indexes, triggers, bookkeeping.
        program.steps += indexSteps(existing: indexes.satisfied)
        program.steps += keptObjectSteps(
            kept.objects.filter { $0.kind == .view || ($0.kind == .trigger && owned.contains($0.table.uppercased())) })
        program.steps += derivedSteps()
        let hasModelCache = schema.table(named: "Z_MODELCACHE") != nil
        program.steps += bookkeeping.rows(isNewFile: false, hasModelCache: hasModelCache)
        return program
    }

    private func appendRebuild(_ transfer: TableTransfer, reason: String, to program: inout MigrationProgram) {
        guard let source = transfer.source else { return }
        let fill = tableFill(transfer, source: builder.naming.name(source.name))
        program.steps.append(
            MigrationStep(
                phase: .objects, table: transfer.table.name, summary: "fill from \(source.name)", work: .fill(fill)))
        program.tiers[transfer.table.name] = (fill.needsRowTransfer ? .rowTransfer : .sqlTransfer, reason)
        program.steps += orderSteps(transfer)
    }

    private func drop(_ kind: String, _ name: String, _ table: String) -> MigrationStep {
        MigrationStep(
            phase: .schema, table: table, summary: "drop the \(kind.lowercased()) \(name)",
            work: .statement("DROP \(kind) IF EXISTS main.\(SQLiteIdentifier.quoted(name))"))
    }

    private func rename(_ table: String, to name: String) -> MigrationStep {
        MigrationStep(
            phase: .schema, table: table, summary: "rename \(table) to \(name)",
            work: .statement(
                "ALTER TABLE main.\(SQLiteIdentifier.quoted(table)) RENAME TO \(SQLiteIdentifier.quoted(name))"))
    }
}

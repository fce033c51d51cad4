import PersistentStores
import SQLiteAccess

/// Arranges the steps that change a store's own file, or a copy of it.
///
/// New tables are filled while all old rows still exist. A table whose name is needed for another one is renamed for
/// that time.
struct ExistingFileProgram {
    private let builder: ProgramBuilder
    /// Computes the transfers, once the temporary names of tables are known.
    private let transfers: TransferBuilder
    private let changes: [(transfer: TableTransfer, change: TableChange?)]
    private let joins: [JoinTransfer]
    private var program: MigrationProgram
    private var names: WorkingNames

    /// The temporary names of source tables.
    private var renamed: [String: String] = [:]

    static func make(
        _ builder: ProgramBuilder, _ transfers: TransferBuilder, arena: MigrationProgram.Arena
    ) -> MigrationProgram {
        var instance = ExistingFileProgram(builder, transfers, arena: arena)
        return instance.arrange()
    }

    private init(_ builder: ProgramBuilder, _ transfers: TransferBuilder, arena: MigrationProgram.Arena) {
        self.builder = builder
        self.transfers = transfers
        changes = builder.changes()
        joins = builder.transfer.joins
        program = MigrationProgram(arena: arena)
        names = WorkingNames(
            avoiding: builder.schema.tables.map(\.name) + builder.schema.objects.map(\.name)
                + builder.destination.tables.map(\.name) + builder.destination.joinTables.map(\.name))
    }

    private mutating func arrange() -> MigrationProgram {
        let satisfied = dropObjects()
        setTablesAside()
        fillNewTables()
        changeTables()
        dropTables()
        program.steps += builder.references
        program.steps += rowTreeSteps()
        program.steps += builder.indexSteps(existing: satisfied)
        program.steps += builder.derivedSteps()
        let hasModelCache = builder.schema.table(named: "Z_MODELCACHE") != nil
        program.steps += builder.bookkeeping.rows(isNewFile: false, hasModelCache: hasModelCache)
        program.foreignSteps = builder.foreign.kept.filter { !builder.staysAsItIs($0, changes) }.map(
            builder.createForeign)
        return program
    }

    // MARK: - 1. Triggers, views and stale indexes

    /// Removes triggers, views and stale indexes. Triggers would fire for the statements of the migration, and triggers
    /// and views that name changed objects make `ALTER TABLE` fail or are rewritten by it. Therefore all of them are
    /// removed first, whatever their table.
    ///
    /// Returns the names of required indexes that already exist and are kept.
    private mutating func dropObjects() -> Set<String> {
        for object in builder.schema.objects where object.kind == .trigger {
            program.steps.append(builder.drop("TRIGGER", object.name, object.table))
        }
        for view in builder.schema.objects where view.kind == .view {
            program.steps.append(builder.drop("VIEW", view.name, view.table))
        }
        let indexes = builder.reconciledIndexes(changes, joins)
        for index in indexes.dropped {
            program.steps.append(builder.drop("INDEX", index.name, index.table))
        }
        return indexes.satisfied
    }

    // MARK: - 2. Tables whose rows are moved, or whose name another table takes

    private var usedSources: Set<String> { Set(changes.compactMap { $0.transfer.source?.name }) }

    private mutating func setAside(_ table: String) {
        guard renamed[table] == nil else { return }
        let name = names.next()
        renamed[table] = name
        program.steps.append(builder.rename(table, to: name))
    }

    private mutating func setTablesAside() {
        for (transfer, change) in changes {
            guard let source = transfer.source else { continue }
            switch change {
            case .rebuilt?: setAside(source.name)
            case .altered(let alteration)? where alteration.renamesTableFrom != nil: setAside(source.name)
            default: break
            }
        }
        let used = usedSources
        for table in builder.transfer.source.tables where !used.contains(table.name) { setAside(table.name) }
        for table in builder.transfer.source.joinTables {
            let stays = joins.contains { $0.renamedFrom?.name == table.name && $0.table.name == table.name }
            if !stays { setAside(table.name) }
        }
    }

    // MARK: - 3. New tables, filled while all old rows still exist

    private mutating func fillNewTables() {
        let moving = builder.with(transfers.naming(.renamed(renamed)).transfer())
        let transfers = Dictionary(
            moving.transfer.tables.map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (transfer, change) in changes {
            let name = transfer.table.name
            switch change {
            case nil:
                program.steps.append(builder.create(name, transfer.table.createStatement))
                program.tiers[name] = (.none, "all its entities are new")
            case .rebuilt(let reason)?:
                program.steps.append(builder.create(name, transfer.table.createStatement))
                if let transfer = transfers[name] { rebuild(transfer, reason: reason, moving) }
            case .unchanged?: program.tiers[name] = (.inPlace, "the table stays as it is")
            case .altered(let alteration)?:
                program.tiers[name] = (
                    .inPlace,
                    alteration.isIndependentOfRows ? "ALTER TABLE; no row is read" : "ALTER TABLE and UPDATE"
                )
            }
        }
        let keptJoins = Set(joins.compactMap { $0.renamedFrom?.name })
        for join in moving.transfer.joins {
            if let from = join.renamedFrom, keptJoins.contains(from.name) {
                program.tiers[join.table.name] = (.inPlace, "the join table is kept")
                continue
            }
            program.steps.append(builder.create(join.table.name, join.table.createStatement))
            program.steps += moving.joinSteps(join)
            program.tiers[join.table.name] = (join.selections.isEmpty ? .none : .sqlTransfer, "")
        }
    }

    private mutating func rebuild(_ transfer: TableTransfer, reason: String, _ moving: ProgramBuilder) {
        guard let source = transfer.source else { return }
        let fill = transfer.fill(from: moving.naming.name(source.name))
        program.steps.append(
            MigrationStep(
                phase: .objects, table: transfer.table.name, summary: "fill from \(source.name)", work: .fill(fill)))
        program.tiers[transfer.table.name] = (fill.needsRowTransfer ? .rowTransfer : .sqlTransfer, reason)
        program.steps += moving.orderSteps(transfer)
    }

    // MARK: - 4. Changes of kept tables, and removal of the old ones

    private mutating func changeTables() {
        let altered = Set(
            changes.compactMap { pair -> String? in
                if case .altered? = pair.change { pair.transfer.source?.name } else { nil }
            })
        for (transfer, change) in changes {
            guard let source = transfer.source else { continue }
            switch change {
            case .altered(let alteration)?:
                program.steps += builder.alterSteps(
                    alteration, table: renamed[source.name] ?? source.name, final: transfer.table.name)
                program.steps += builder.orderSteps(transfer)
            case .rebuilt? where !altered.contains(source.name):
                if let old = renamed.removeValue(forKey: source.name) {
                    program.steps.append(builder.drop("TABLE", old, source.name))
                }
            default: break
            }
        }
        for join in joins {
            guard let from = join.renamedFrom else { continue }
            program.steps += builder.renameSteps(from, to: join.table, current: renamed[from.name] ?? from.name)
            renamed[from.name] = nil
        }
    }

    /// Returns the steps that remove entries from Core Data's R-trees, whose triggers do not fire for rows that a
    /// migration removes.
    private func rowTreeSteps() -> [MigrationStep] {
        let names = ProgramBuilder.finalNames(changes, joins)
        return builder.kept.tables.filter { $0.isVirtual && $0.name.hasPrefix("Z_RT_") }.compactMap { tree in
            let trigger = builder.foreign.kept.first { $0.kind == .trigger && $0.name == tree.name + "_DELETE" }
            guard let source = trigger?.table,
                let table = names[source]
                    ?? changes.first(where: { $0.transfer.source?.name == source })?
                    .transfer.table.name
            else { return nil }
            return MigrationStep(
                phase: .keptTables, table: tree.name, summary: "remove the entries of rows that are gone",
                work: .statement(
                    "DELETE FROM main.\(SQLiteIdentifier.quoted(tree.name)) WHERE Z_PK NOT IN "
                        + "(SELECT Z_PK FROM main.\(SQLiteIdentifier.quoted(table)))"))
        }
    }

    private mutating func dropTables() {
        let used = usedSources.union(joins.compactMap { $0.renamedFrom?.name })
        let source = builder.transfer.source
        for table in source.tables.map(\.name) + source.joinTables.map(\.name) where !used.contains(table) {
            if let old = renamed[table] { program.steps.append(builder.drop("TABLE", old, table)) }
        }
        for table in builder.schema.tables
        where KeptTables.history.contains(table.name.uppercased()) && !builder.kept.tables.contains(table) {
            program.steps.append(builder.drop("TABLE", table.name, table.name))
        }
    }
}

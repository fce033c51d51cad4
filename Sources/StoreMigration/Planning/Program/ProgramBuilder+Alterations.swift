import PersistentStores
import SQLiteAccess

extension ProgramBuilder {
    /// Returns the statements of an alteration: columns are added, rows are changed, columns are dropped, names are
    /// changed.
    func alterSteps(_ alteration: TableChange.Alteration, table: String, final: String) -> [MigrationStep] {
        let quoted = SQLiteIdentifier.quoted(table)
        var steps: [MigrationStep] = []
        func add(
            _ summary: String, _ sql: String, phase: MigrationStep.Phase = .schema, removesStrangers: Bool = false
        ) {
            var step = MigrationStep(phase: phase, table: final, summary: summary, work: .statement(sql))
            step.removesStrangers = removesStrangers
            steps.append(step)
        }
        if let numbers = alteration.knownNumbers {
            let list = numbers.map(String.init).joined(separator: ", ")
            add(
                "remove the rows of unknown entities",
                "DELETE FROM main.\(quoted) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(list))", phase: .objects,
                removesStrangers: true)
        }
        if !alteration.excludedNumbers.isEmpty {
            let list = alteration.excludedNumbers.map(String.init).joined(separator: ", ")
            add(
                "remove the rows of entities that are gone",
                "DELETE FROM main.\(quoted) WHERE Z_ENT IN (\(list))", phase: .objects)
        }
        for (column, value) in alteration.addedColumns {
            // Existing rows get the default without being written. Core Data itself always sets every column.
            add(
                "add the column \(column.name)",
                "ALTER TABLE main.\(quoted) ADD COLUMN \(SQLiteIdentifier.bare(column.name)) \(column.declaredType)"
                    + (value == .null ? "" : " DEFAULT \(value.literal)"))
        }
        if !alteration.assignments.isEmpty {
            let list = alteration.assignments.map { "\(SQLiteIdentifier.bare($0.column)) = \($0.expression)" }
            add(
                "change \(alteration.assignments.map(\.column).joined(separator: ", "))",
                "UPDATE main.\(quoted) AS s SET \(list.joined(separator: ", "))"
                    + (alteration.assignmentCondition.map { " WHERE " + $0 } ?? ""),
                phase: .objects)
        }
        for column in alteration.droppedColumns {
            add(
                "drop the column \(column)",
                "ALTER TABLE main.\(quoted) DROP COLUMN "
                    + "\(SQLiteIdentifier.quoted(column))")
        }
        for (from, to) in alteration.renamedColumns {
            add(
                "rename \(from) to \(to)",
                "ALTER TABLE main.\(quoted) RENAME COLUMN \(SQLiteIdentifier.quoted(from)) TO "
                    + "\(SQLiteIdentifier.bare(to))")
        }
        if table != final {
            add("rename \(table) to \(final)", "ALTER TABLE main.\(quoted) RENAME TO \(SQLiteIdentifier.bare(final))")
        }
        return steps
    }

    /// Returns the steps that rename a join table and its columns, and keep its rows.
    func renameSteps(_ from: JoinTable, to: JoinTable, current: String) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        func add(_ summary: String, _ sql: String) {
            steps.append(MigrationStep(phase: .schema, table: to.name, summary: summary, work: .statement(sql)))
        }
        let quoted = SQLiteIdentifier.quoted(current)
        let pairs: [(String?, String?)] = [
            (from.ownerColumn, to.ownerColumn), (from.destinationColumn, to.destinationColumn),
            (from.orderColumn, to.orderColumn), (from.inverseOrderColumn, to.inverseOrderColumn),
        ]
        let renames = pairs.compactMap { old, new -> (String, String)? in
            guard let old, let new, old != new else { return nil }
            return (old, new)
        }
        // Names may be exchanged, so an unused name is needed.
        let taken = Set(pairs.compactMap { $0.0 })
        var names = WorkingNames(avoiding: pairs.flatMap { [$0.0, $0.1].compactMap { $0 } })
        let aside = renames.map { taken.contains($0.1) ? names.next() : nil }
        for ((old, _), name) in zip(renames, aside) {
            guard let name else { continue }
            add(
                "set \(old) aside",
                "ALTER TABLE main.\(quoted) RENAME COLUMN \(SQLiteIdentifier.quoted(old)) TO \(name)")
        }
        for ((old, new), name) in zip(renames, aside) {
            add(
                "rename \(old) to \(new)",
                "ALTER TABLE main.\(quoted) RENAME COLUMN \(name ?? SQLiteIdentifier.quoted(old)) "
                    + "TO \(SQLiteIdentifier.bare(new))")
        }
        if current != to.name {
            add(
                "rename \(current) to \(to.name)",
                "ALTER TABLE main.\(quoted) RENAME TO "
                    + "\(SQLiteIdentifier.bare(to.name))")
        }
        return steps
    }

    /// Returns the final names of tables, by their names in the source.
    static func finalNames(
        _ changes: [(transfer: TableTransfer, change: TableChange?)], _ joins: [JoinTransfer]
    ) -> [String: String] {
        var names: [String: String] = [:]
        for (transfer, change) in changes {
            if case .rebuilt? = change { continue }
            if let source = transfer.source { names[source.name] = transfer.table.name }
        }
        for join in joins {
            if let from = join.renamedFrom { names[from.name] = join.table.name }
        }
        return names
    }

    /// Returns the final names of columns, by table and name in the source.
    static func renamedColumns(
        _ changes: [(transfer: TableTransfer, change: TableChange?)], _ joins: [JoinTransfer]
    ) -> [String: [String: String]] {
        var names: [String: [String: String]] = [:]
        for (transfer, change) in changes {
            guard case .altered(let alteration)? = change, let source = transfer.source else { continue }
            for (from, to) in alteration.renamedColumns { names[source.name, default: [:]][from] = to }
            // An index on a column that is dropped must be dropped first.
            for column in alteration.droppedColumns { names[source.name, default: [:]][column] = "" }
        }
        for join in joins {
            guard let from = join.renamedFrom else { continue }
            names[from.name, default: [:]][from.ownerColumn] = join.table.ownerColumn
            names[from.name, default: [:]][from.destinationColumn] = join.table.destinationColumn
        }
        return names
    }

    /// Returns the source tables that are not kept, whose indexes are removed with them.
    static func rebuiltTables(
        _ changes: [(transfer: TableTransfer, change: TableChange?)], _ joins: [JoinTransfer], schema: StoreSchema
    ) -> Set<String> {
        let stays = Set(finalNames(changes, joins).keys)
        return Set(schema.tables.map(\.name)).subtracting(stays)
    }

    /// Returns how the indexes of a changed file are used; those that are kept have the names of a new store.
    func reconciledIndexes(
        _ changes: [(transfer: TableTransfer, change: TableChange?)], _ joins: [JoinTransfer]
    ) -> IndexReconciliation {
        let staying = foreign.kept.filter { staysAsItIs($0, changes) }.map(\.name)
        return IndexReconciliation(
            schema: schema, wanted: destination.indexes().indexes,
            renamedTables: Self.finalNames(changes, joins), renamedColumns: Self.renamedColumns(changes, joins),
            rebuiltTables: Self.rebuiltTables(changes, joins, schema: schema),
            owned: Self.ownedTables(of: transfer.source).union(KeptTables.bookkeeping), excluded: Set(staying),
            demandsName: true)
    }

    /// Returns whether an index that does not belong to Core Data is on a table in which no row and no name changes.
    func staysAsItIs(
        _ object: SchemaObject, _ changes: [(transfer: TableTransfer, change: TableChange?)]
    ) -> Bool {
        let pair = changes.first { $0.transfer.source?.name == object.table }
        guard object.kind == .index, let pair else { return false }
        switch pair.change {
        case .unchanged?: return true
        case .altered(let alteration)?:
            return alteration.isIndependentOfRows && alteration.renamesTableFrom == nil
                && alteration.renamedColumns.isEmpty
        case .rebuilt?, nil: return false
        }
    }

    /// Whether an index is created on the rows of a kept table.
    var makesIndexes: Bool {
        let (changes, joins) = (self.changes(), transfer.joins)
        let names = Set(Self.finalNames(changes, joins).values)
        let satisfied = reconciledIndexes(changes, joins).satisfied
        return destination.indexes().indexes.contains { names.contains($0.table) && !satisfied.contains($0.name) }
    }
}

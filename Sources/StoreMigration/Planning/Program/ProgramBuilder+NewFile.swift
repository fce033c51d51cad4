import PersistentStores
import SQLiteAccess

/// A new file beside the target, into which the source's rows are copied.
extension ProgramBuilder {
    func newFile() -> MigrationProgram {
        var program = MigrationProgram(arena: .newFile)
        program.usesExpressionFunctions = transfer.recreatesObjects
        program.valueFunctions = transfer.functions
        program.validation = transfer.validation
        program.steps += bookkeeping.tables
        for table in destination.tables {
            program.steps.append(create(table.name, table.createStatement))
        }
        for table in destination.joinTables {
            program.steps.append(create(table.name, table.createStatement))
        }
        program.steps += transfer.keySteps
        var late: [MigrationStep] = []
        for table in kept.tables {
            program.steps.append(create(table.name, table.sql))
            let rows = keptRows(table)
            if rows.readsResult { late.append(rows.step) } else { program.steps.append(rows.step) }
        }
        var indexed: Set<String> = []
        for table in transfer.tables {
            appendFill(table, to: &program, indexed: &indexed)
        }
        program.steps += transfer.policySteps + late
        for join in transfer.joins {
            program.steps += copySteps(join, indexed: &indexed) ?? joinSteps(join)
            program.tiers[join.table.name] = (join.selections.isEmpty ? .none : .sqlTransfer, "")
        }
        program.steps += transfer.linkSteps
        program.steps += indexSteps(existing: indexed)
        program.steps += kept.indexes.map(createIndex)
        program.steps += derivedSteps()
        program.steps += bookkeeping.rows(isNewFile: true, hasModelCache: false)
        program.foreignSteps = foreign.kept.map(createForeign)
        return program
    }

    /// - Parameter indexed: receives the indexes that are created with the rows.
    private func appendFill(_ transfer: TableTransfer, to program: inout MigrationProgram, indexed: inout Set<String>) {
        guard let source = transfer.source else {
            program.tiers[transfer.table.name] = (.none, "all its entities are new")
            return
        }
        if isIdentical(transfer) {
            program.steps += copySteps(transfer, from: source, indexed: &indexed)
            program.tiers[transfer.table.name] = (.sqlTransfer, "the columns are the same")
        } else {
            var step = MigrationStep(
                phase: .objects,
                // A policy may create objects in several tables.
                table: transfer.policy == nil ? transfer.table.name : "",
                summary: transfer.mapping.map { "objects of \($0.name)" } ?? "fill from \(source.name)",
                work: transfer.policy.map { .policy($0) } ?? .fill(transfer.fill(from: naming.name(source.name))))
            step.mapping = transfer.mapping?.name
            program.steps.append(step)
            program.tiers[transfer.table.name] = transfer.tier
        }
        program.steps += orderSteps(transfer)
    }

    /// Returns whether SQLite can copy the table's records unchanged: same columns in the same order, all rows.
    private func isIdentical(_ transfer: TableTransfer) -> Bool {
        guard let source = transfer.source, let existing = schema.table(named: source.name),
            transfer.excludedNumbers.isEmpty, existing.columns.count == transfer.columns.count
        else { return false }
        return zip(existing.columns, transfer.columns).allSatisfy { column, new in
            new.column.name == column.name && new.column.declaredType == column.declaredType
                && new.uniform == .column(column.name)
        }
    }

    /// Returns the step that keeps the rows of a table, and whether they depend on the objects of the new file.
    private func keptRows(_ table: SchemaTable) -> (step: MigrationStep, readsResult: Bool) {
        let copy = copies[table.name]
        let rows = TableFill(
            table: SQLiteIdentifier.quoted(table.name), source: naming.name(table.name),
            columns: table.columns.map { SQLiteIdentifier.quoted($0.name) },
            values: table.columns.map { copy?.values[$0.name] ?? .column($0.name) }, condition: copy?.condition,
            entityNumbers: nil, inlinedColumns: [], key: kept.keys[table.name] ?? "rowid")
        let rowID = KeptTables.lacksRowIDs(table) ? [] : ["rowid"]
        let name = SQLiteValue.string(table.name).literal
        let highest =
            KeptTables.isNumbered(table)
            ? "INSERT INTO main.sqlite_sequence SELECT name, seq FROM \(naming.name("sqlite_sequence")) "
                + "WHERE name = \(name); " : ""
        let step = MigrationStep(
            phase: .keptTables, table: table.name,
            summary: copy == nil ? "keep \(table.name) as it is" : "keep \(table.name), with the new entity numbers",
            work: .fillWhole(
                WholeFill(
                    statement: "\(highest)INSERT INTO main.\(rows.table) "
                        + "(\((rowID + rows.columns).joined(separator: ", "))) "
                        + "SELECT \((rowID + rows.expressions).joined(separator: ", ")) FROM \(rows.source) s"
                        + (rows.condition.map { " WHERE " + $0 } ?? ""),
                    rows: kept.keys[table.name].map { _ in rows })))
        return (step, rows.readsResult)
    }
}

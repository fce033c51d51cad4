import PersistentStores
import SQLiteAccess

/// Tables that are copied to a new file unchanged.
///
/// `INSERT INTO a SELECT * FROM b` into an empty table with the same columns copies whole records without examining
/// them, and also the entries of the indexes in order, if every index of `a` has an equal one in `b` (xferOptimization
/// in SQLite's insert.c). Therefore these indexes are created before the rows, and those that the source lacks after
/// them.
extension ProgramBuilder {
    func copySteps(_ transfer: TableTransfer, from source: EntityTable, indexed: inout Set<String>) -> [MigrationStep] {
        let columns = Dictionary(
            transfer.table.columns.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
        return indexSteps(like: source.name, in: transfer.table.name, renaming: columns, &indexed) + [
            MigrationStep(
                phase: .objects, table: transfer.table.name, summary: "copy the rows of \(source.name)",
                work: .fillWhole(
                    copy(
                        of: source.name, into: transfer.table.name, columns: transfer.columns.map(\.column.name),
                        from: transfer.columns.map(\.column.name), key: "Z_PK")))
        ]
    }

    /// Returns the steps for a join table that is at most renamed; nil if its rows must be examined.
    func copySteps(_ join: JoinTransfer, indexed: inout Set<String>) -> [MigrationStep]? {
        guard let source = join.renamedFrom, let existing = schema.table(named: source.name),
            existing.columns.map(\.name) == source.columnNames,
            source.columnNames.count == join.table.columnNames.count,
            // Without the primary key, the same link may occur twice.
            Self.isSame(existing.sql, source.createStatement(named: existing.name))
        else { return nil }
        let columns = Dictionary(
            zip(source.columnNames, join.table.columnNames), uniquingKeysWith: { first, _ in first })
        return indexSteps(like: existing.name, in: join.table.name, renaming: columns, &indexed) + [
            MigrationStep(
                phase: .relationships, table: join.table.name, summary: "copy the rows of \(existing.name)",
                work: .fillWhole(
                    copy(
                        of: existing.name, into: join.table.name, columns: join.table.columnNames,
                        from: source.columnNames, key: "rowid")))
        ]
    }

    private func copy(
        of source: String, into table: String, columns: [String], from sourceColumns: [String], key: String
    ) -> WholeFill {
        let rows = TableFill(
            table: SQLiteIdentifier.bare(table), source: naming.name(source),
            columns: columns.map(SQLiteIdentifier.bare), values: sourceColumns.map { .column($0) }, condition: nil,
            entityNumbers: nil, inlinedColumns: [], key: key)
        return WholeFill(
            statement: "INSERT INTO main.\(rows.table) SELECT * FROM \(rows.source)", rows: rows)
    }

    /// Returns the steps that create those indexes of a new table which the source's table has too.
    private func indexSteps(
        like source: String, in table: String, renaming columns: [String: String], _ indexed: inout Set<String>
    ) -> [MigrationStep] {
        let wanted = destination.indexes().indexes.filter { $0.table == table }
        let alike = IndexReconciliation(
            schema: schema, wanted: wanted, renamedTables: [source: table], renamedColumns: [source: columns],
            rebuiltTables: [], owned: [source.uppercased()]
        ).satisfied
        indexed.formUnion(alike)
        return wanted.filter { alike.contains($0.name) }.map {
            MigrationStep(
                phase: .schema, table: table, summary: "create the index \($0.name)",
                work: .statement($0.createStatement))
        }
    }

    /// Returns whether two CREATE statements differ at most in quotes and spaces.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        func plain(_ sql: String) -> String { sql.filter { $0 != "\"" && !$0.isWhitespace } }
        return plain(left) == plain(right)
    }
}

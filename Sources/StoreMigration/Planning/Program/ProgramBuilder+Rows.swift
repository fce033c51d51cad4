import PersistentStores
import SQLiteAccess

/// The statements that move rows and links.
extension ProgramBuilder {
    func tableFill(_ transfer: TableTransfer, source: String) -> TableFill {
        TableFill(
            table: SQLiteIdentifier.bare(transfer.table.name), source: source,
            columns: transfer.columns.map { SQLiteIdentifier.bare($0.column.name) },
            values: transfer.columns.map(\.expression),
            // Rows of an entity that does not belong to the table are not objects; the report counts them.
            condition: "s.Z_ENT IN (\(transfer.takenNumbers.map(String.init).joined(separator: ", ")))",
            entityNumbers: transfer.takenNumbers,
            inlinedColumns: transfer.columns.indices.filter { transfer.columns[$0].needsFiles })
    }

    /// Core Data's order keys begin at 2048 and go up by 1024, so that there is room between them
    /// (docs/format/sqlite-store.md#order-keys).
    static let firstOrderKey = 2048
    static let orderKeyStep = 1024

    func orderSteps(_ transfer: TableTransfer) -> [MigrationStep] {
        let table = SQLiteIdentifier.bare(transfer.table.name)
        return transfer.countedOrders.map { order in
            let (column, key) = (SQLiteIdentifier.bare(order.column), SQLiteIdentifier.bare(order.key))
            // Rows that have an order key keep it; the others follow behind the last.
            let first =
                order.hasSome
                ? "max(\(Self.firstOrderKey), ifnull(m, 0) + \(Self.orderKeyStep))" : "\(Self.firstOrderKey)"
            let rows =
                order.hasSome
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

    func joinSteps(_ join: JoinTransfer) -> [MigrationStep] {
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
            let sql =
                "INSERT OR IGNORE INTO main.\(SQLiteIdentifier.bare(table.name)) "
                + "(\(columns.map(SQLiteIdentifier.bare).joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) \(selection.from) ORDER BY 1, 2"
            return MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(selection.description)",
                work: .fillWhole(WholeFill(statement: sql)))
        }
    }
}

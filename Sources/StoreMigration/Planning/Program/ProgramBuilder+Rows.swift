import PersistentStores
import SQLiteAccess

/// The statements that copy rows and links.
extension ProgramBuilder {
    func orderSteps(_ transfer: TableTransfer) -> [MigrationStep] {
        let table = SQLiteIdentifier.bare(transfer.table.name)
        return transfer.countedOrders.map { order in
            let (column, key) = (SQLiteIdentifier.bare(order.column), SQLiteIdentifier.bare(order.key))
            // Rows with an order key keep it; the others are appended after the last.
            let first =
                order.hasSome
                ? "max(\(OrderKeys.first), ifnull(m, 0) + \(OrderKeys.step))" : "\(OrderKeys.first)"
            let rows =
                order.hasSome
                ? "(SELECT Z_PK, \(key), \(column), max(\(column)) OVER (PARTITION BY \(key)) AS m FROM main.\(table)) "
                    + "WHERE \(column) IS NULL AND \(key) IS NOT NULL"
                : "main.\(table) WHERE \(key) IS NOT NULL"
            return MigrationStep(
                phase: .relationships, table: transfer.table.name, summary: "number \(order.column) by key",
                work: .statement(
                    "UPDATE main.\(table) SET \(column) = c.n FROM (SELECT Z_PK AS k, \(first) + "
                        + "\(OrderKeys.step) * (row_number() OVER (PARTITION BY \(key) ORDER BY Z_PK) - 1) AS n "
                        + "FROM \(rows)) AS c WHERE c.k = \(table).Z_PK"))
        }
    }

    func joinSteps(_ join: JoinTransfer) -> [MigrationStep] {
        let table = join.table
        return join.selections.map { selection in
            func counted(by key: String, then other: String) -> String {
                "\(OrderKeys.first) + \(OrderKeys.step) * "
                    + "(row_number() OVER (PARTITION BY \(key) ORDER BY \(other)) - 1)"
            }
            var columns = [table.ownerColumn, table.destinationColumn]
            var values = [selection.owner, selection.destination]
            var places: [String] = []
            func place(_ column: String?, _ value: String?, by key: String, then other: String) {
                guard let column, let value = value ?? (join.countsLater ? nil : counted(by: key, then: other)) else {
                    return
                }
                places.append(SQLiteIdentifier.bare(column))
                columns.append(column)
                values.append(value)
            }
            place(
                table.inverseOrderColumn, selection.inverseOrder, by: selection.destination, then: selection.owner)
            place(table.orderColumn, selection.order, by: selection.owner, then: selection.destination)
            // In key order, both the table and its automatic index grow at their ends. A link may be on both sides of
            // the source, or occur twice after an incomplete migration; the primary key keeps one. If order keys are
            // counted later, the link keeps the place that either side specifies.
            let isUpdated = join.countsLater && !places.isEmpty
            let names = columns.map(SQLiteIdentifier.bare)
            let select = "SELECT \(values.joined(separator: ", ")) \(selection.from) ORDER BY 1, 2"
            let sql =
                "INSERT \(isUpdated ? "" : "OR IGNORE ")INTO main.\(SQLiteIdentifier.bare(table.name)) "
                + "(\(names.joined(separator: ", "))) \(select)"
                + (isUpdated
                    ? " ON CONFLICT DO UPDATE SET \(places.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
                    : "")
            return MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(selection.description)",
                work: .fillWhole(
                    WholeFill(
                        statement: sql,
                        links: join.selections.count == 1 ? LinkFill(columns: names, selectStatement: select) : nil)))
        }
    }
}

import PersistentStores
import SQLiteAccess
import StoreAssembly

/// The statements that copy rows and links.
extension ProgramBuilder {
    func orderSteps(_ transfer: TableTransfer) -> [MigrationStep] {
        transfer.countedOrders.map { order in
            MigrationStep(
                phase: .relationships, table: transfer.table.name, summary: "number \(order.column) by key",
                work: .links(
                    LinkChange(
                        table: transfer.table.name,
                        columns: ChangedLinks.Columns(key: order.key, entity: nil, order: order.column),
                        kind: .count(keepsPlaces: order.hasSome))))
        }
    }

    /// Returns the step that fills a join table; none if it stays empty.
    func joinSteps(_ join: JoinTransfer) -> [MigrationStep] {
        guard !join.selections.isEmpty else { return [] }
        let table = join.table
        let columns = [
            table.ownerColumn, table.destinationColumn, table.inverseOrderColumn, table.orderColumn,
        ].compactMap(\.self).map(SQLiteIdentifier.bare)
        let selection = JoinSelection(join)
        let select = selection.sql
        let summary = join.selections.map(\.description).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        // In key order, both the table and its automatic index grow at their ends. A link may occur twice after an
        // incomplete migration; the primary key keeps one.
        let statement =
            "INSERT OR IGNORE INTO main.\(SQLiteIdentifier.bare(table.name)) (\(columns.joined(separator: ", "))) \(select)"
        return [
            MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(summary.joined(separator: ", "))",
                work: .fillWhole(
                    WholeFill(
                        statement: statement,
                        links: LinkFill(
                            columns: columns, selectStatement: select, unsortedStatement: selection.unsorted))))
        ]
    }
}

/// The rows of a join table as one SELECT, sorted by the keys: the owner, the destination, the owner's place among the
/// destination's owners, and the destination's place. Places for which the table has no column are left out.
private struct JoinSelection {
    let join: JoinTransfer

    init(_ join: JoinTransfer) { self.join = join }

    private var isOrdered: Bool { join.table.orderColumn != nil }
    private var isInverseOrdered: Bool { join.table.inverseOrderColumn != nil }

    /// The rows in any order, and with duplicates; nil if SQLite sorts them, or if they have places.
    var unsorted: String? {
        isOrdered || isInverseOrdered || join.selections.allSatisfy(\.isSortedBySQLite)
            ? nil : pairs.joined(separator: " UNION ALL ")
    }

    private var pairs: [String] {
        join.selections.map { "SELECT \($0.owner), \($0.destination) \($0.from)" }
    }

    var sql: String {
        guard isOrdered || isInverseOrdered else { return pairs.joined(separator: " UNION ") + " ORDER BY 1, 2" }
        switch join.orders {
        case .copied: return copied
        case .counted: return placed(counting: true)
        case .countedLater: return placed(counting: false)
        }
    }

    /// The query for copied places. If several selections contain a link, the row of the first one comes first.
    private var copied: String {
        let rows = join.selections.enumerated().map { number, selection in
            let order =
                selection.order ?? OrderKeys.counted(by: selection.owner, then: selection.destination)
            let inverseOrder =
                selection.inverseOrder ?? OrderKeys.counted(by: selection.destination, then: selection.owner)
            let places = (isInverseOrdered ? [inverseOrder] : []) + (isOrdered ? [order] : [])
            let number = join.selections.count > 1 ? ["\(number)"] : []
            return "SELECT \(([selection.owner, selection.destination] + places + number).joined(separator: ", ")) "
                + selection.from
        }
        guard rows.count > 1 else { return rows[0] + " ORDER BY 1, 2" }
        let names = ["o", "d"] + (isInverseOrdered ? ["m"] : []) + (isOrdered ? ["n"] : [])
        return "WITH links (\((names + ["p"]).joined(separator: ", "))) AS (\(rows.joined(separator: " UNION ALL "))) "
            + "SELECT \(names.joined(separator: ", ")) FROM links ORDER BY o, d, p"
    }

    /// Returns the query for the places of links. If several selections contain a link, the last one determines its
    /// place.
    private func placed(counting: Bool) -> String {
        func rows(_ selections: [LinkSelection], _ place: (LinkSelection) -> String?, as name: String) -> [String] {
            let rows = selections.enumerated().map { number, selection in
                "SELECT \(selection.owner) AS o, \(selection.destination) AS d, \(place(selection) ?? "NULL") AS q, "
                    + "\(number) AS p \(selection.from)"
            }
            guard !rows.isEmpty else { return [] }
            // In an aggregate query with max(), SQLite takes the other values from the row with the maximum.
            let last = "SELECT o, d, q, max(p) FROM (\(rows.joined(separator: " UNION ALL "))) GROUP BY o, d"
            let places = name == "n" ? "NULL AS m, q AS n" : "q AS m, NULL AS n"
            return ["SELECT o, d, \(places) FROM (\(rows.count > 1 ? last : rows[0]))"]
        }
        let ordered = join.selections.filter { isOrdered && $0.order != nil }
        let inverseOrdered = join.selections.filter { isInverseOrdered && $0.inverseOrder != nil }
        let others = join.selections.filter {
            (!isOrdered || $0.order == nil) && (!isInverseOrdered || $0.inverseOrder == nil)
        }
        let parts =
            rows(ordered, \.order, as: "n") + rows(inverseOrdered, \.inverseOrder, as: "m")
            + others.map { "SELECT \($0.owner) AS o, \($0.destination) AS d, NULL AS m, NULL AS n \($0.from)" }
        var links = parts.joined(separator: " UNION ALL ")
        // One selection may have both places.
        if parts.count > 1 { links = "SELECT o, d, max(m) AS m, max(n) AS n FROM (\(links)) GROUP BY o, d" }
        let inverseOrder = counting ? OrderKeys.counted(by: "d", placed: "m", then: "o") : "m"
        let order = counting ? OrderKeys.counted(by: "o", placed: "n", then: "d") : "n"
        let places = (isInverseOrdered ? [inverseOrder] : []) + (isOrdered ? [order] : [])
        return "SELECT \((["o", "d"] + places).joined(separator: ", ")) FROM (\(links)) ORDER BY o, d"
    }
}

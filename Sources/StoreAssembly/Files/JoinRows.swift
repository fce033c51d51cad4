public import SQLiteFileBuilder

/// Appends links to the join table that they have.
public final class JoinRows {
    private enum Cell {
        case owner, destination, order, inverseOrder, null
    }

    private let table: TableBuilder
    /// The rows that links lead from and to; nil if these keep their keys.
    private let ends: (owners: EntityRows, destinations: EntityRows)?
    /// What each column of a row gets.
    private let cells: [Cell]
    /// Whether a row has the two keys and nothing else, the owner's first or last.
    private let isPair: Bool
    private let isOwnerFirst: Bool
    /// How many rows there are.
    @exclusivity(unchecked) public private(set) var count: Int64 = 0
    /// How many links lead from or to no row.
    private(set) var unresolved = 0

    init(
        _ place: AssembledList.Place, _ table: TableBuilder,
        between ends: (owners: EntityRows, destinations: EntityRows)? = nil
    ) {
        self.table = table
        self.ends = ends
        cells = table.definition.columns.map { column in
            switch column.name {
            case place.owner: .owner
            case place.destination: .destination
            case place.orders.ofDestinations: .order
            case place.orders.ofOwners: .inverseOrder
            default: .null
            }
        }
        isPair = cells == [.owner, .destination] || cells == [.destination, .owner]
        isOwnerFirst = cells.first == .owner
    }

    /// The table's name.
    var name: String { table.definition.name }

    /// Appends all links to the table of a file that is begun again, with the keys that the rows have in the end.
    func build(_ built: BuiltRows, into builder: TableBuilder, _ checkpoint: () throws -> Void) throws {
        let scan = try built.scan(name)
        guard let ends else { return try builder.append(scan, checkpoint) }
        var count = 0
        while try scan.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            builder.beginRow()
            for (column, cell) in cells.enumerated() {
                let rows: EntityRows
                switch cell {
                case .owner: rows = ends.owners
                case .destination: rows = ends.destinations
                case .order, .inverseOrder, .null:
                    builder.append(column, of: scan.record)
                    continue
                }
                let new = try rows.newKey(of: scan.record.integer(column) ?? 0)
                if new < 0 { unresolved += 1 }
                builder.append(new)
            }
            try builder.endRow(scan.rowID)
        }
    }

    /// Appends a link.
    ///
    /// - Parameters:
    ///   - owner: the key of the object that has the relationship which the table is seen from.
    ///   - destination: the key of the object that it leads to.
    ///   - order: the destination's place among the owner's; of no meaning if these have no order.
    ///   - inverseOrder: the owner's place among the destination's, likewise.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(
        _ owner: Int64, _ destination: Int64, order: Int64? = nil, inverseOrder: Int64? = nil
    ) throws(BuildError) {
        count += 1
        if isPair {
            return try table.append(
                count, isOwnerFirst ? owner : destination, isOwnerFirst ? destination : owner)
        }
        table.beginRow()
        for cell in cells {
            switch cell {
            case .owner: table.append(owner)
            case .destination: table.append(destination)
            case .order: append(order)
            case .inverseOrder: append(inverseOrder)
            case .null: table.appendNull()
            }
        }
        try table.endRow(count)
    }

    private func append(_ place: Int64?) {
        if let place { table.append(place) } else { table.appendNull() }
    }
}

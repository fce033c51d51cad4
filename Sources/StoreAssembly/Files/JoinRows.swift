public import SQLiteFileBuilder

/// Appends links to the join table that they have.
public final class JoinRows {
    private enum Cell {
        case owner, destination, order, inverseOrder, null
    }

    private let table: TableBuilder
    /// What each column of a row gets.
    private let cells: [Cell]
    /// Whether a row has the two keys and nothing else, the owner's first or last.
    private let isPair: Bool
    private let isOwnerFirst: Bool
    /// How many rows there are.
    @exclusivity(unchecked) public private(set) var count: Int64 = 0

    init(_ place: AssembledList.Place, _ table: TableBuilder) {
        self.table = table
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

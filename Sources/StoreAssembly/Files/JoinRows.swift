import PersistentStores
public import SQLiteFileBuilder

/// Appends links to the join table that they have.
public final class JoinRows {
    private enum Cell {
        case owner, destination, order, inverseOrder, null
    }

    private let table: TableBuilder
    /// The file that the table belongs to, and what is kept in memory of rows that wait; nil if none can.
    private let file: (rebuild: DatabaseRebuild, memory: SpoolMemory)?
    /// The rows that links lead from and to; nil if these keep their keys.
    private let ends: (owners: EntityRows, destinations: EntityRows)?
    /// What each column of a row gets.
    private let cells: [Cell]
    /// Whether a row has the two keys and nothing else, the owner's first or last.
    private let isPair: Bool
    private let isOwnerFirst: Bool
    /// Links that wait, since both directions of the relationship name them.
    @exclusivity(unchecked) private var pairs: JoinPairs?
    /// How many rows there are.
    @exclusivity(unchecked) public private(set) var count: Int64 = 0
    /// How many links lead from or to no row.
    private(set) var unresolved = 0
    /// How many links only the inverse has; nil if it has not named any.
    public private(set) var oneSided: Int64?

    init(
        _ place: AssembledList.Place, _ table: TableBuilder,
        of file: (rebuild: DatabaseRebuild, memory: SpoolMemory)? = nil,
        between ends: (owners: EntityRows, destinations: EntityRows)? = nil
    ) {
        self.table = table
        self.file = file
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

    // MARK: The inverse

    /// Lets all rows wait, because the inverse names their links once more: before the first row.
    public func waitForAll() {
        if let file { pairs = JoinPairs(file.memory) }
    }

    /// Adds links as a list of the inverse has them: the rows get their places, and links that no row has become rows
    /// behind all others.
    ///
    /// - Parameters:
    ///   - owners: the keys of the objects that have the relationship which the table is seen from.
    ///   - destination: the key of the object with the list.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ owners: some Sequence<Int64>, ofInverseOf destination: Int64) throws(BuildError) {
        if pairs == nil {
            waitForAll()
            // The rows that are there are read again.
            if table.count > 0 { file?.rebuild.leaveIndexes() }
        }
        oneSided = 0
        var place = OrderKeys.first
        for owner in owners {
            try pairs?.addOfInverse(.init(owner: owner, destination: destination, order: nil, inverseOrder: place))
            place += OrderKeys.step
        }
    }

    // MARK: The end

    /// Whether rows that are built have to be built again.
    var isRebuilt: Bool { table.count > 0 && pairs != nil }

    /// Appends all links, with the keys that the rows have in the end, to the table of a file that is begun again, or
    /// those that wait.
    ///
    /// - Parameters:
    ///   - built: the rows of the file as it was; nil if it goes on.
    ///   - builder: the table.
    ///   - checkpoint: called once in a while.
    func build(_ built: BuiltRows?, into builder: TableBuilder, _ checkpoint: () throws -> Void) throws {
        let scan = try built?.scan(name)
        if let scan, pairs == nil, ends == nil { return try builder.append(scan, checkpoint) }
        var number: Int64 = 0
        func countRow() throws {
            number += 1
            if number % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
        }
        while let scan, try scan.next() {
            try countRow()
            let row = self.row(scan.record)
            if let pairs {
                try pairs.add(row, number: scan.rowID)
            } else {
                try write(try renumbered(row), to: builder, scan.rowID)
            }
        }
        guard let pairs else { return }
        number = 0
        let found = try pairs.forEach { row in
            try countRow()
            try write(try renumbered(row), to: builder, number)
        }
        self.count = number
        if oneSided != nil { oneSided = found }
        self.pairs = nil
    }

    /// The link of a row that was built.
    private func row(_ record: StoredRecord) -> JoinPairs.Row {
        var row = JoinPairs.Row(owner: 0, destination: 0)
        for (column, cell) in cells.enumerated() {
            let value = record.integer(column)
            switch cell {
            case .owner: row.owner = value ?? 0
            case .destination: row.destination = value ?? 0
            case .order: row.order = value
            case .inverseOrder: row.inverseOrder = value
            case .null: break
            }
        }
        return row
    }

    private func renumbered(_ row: JoinPairs.Row) throws(BuildError) -> JoinPairs.Row {
        guard let ends else { return row }
        var row = row
        row.owner = try ends.owners.newKey(of: row.owner)
        row.destination = try ends.destinations.newKey(of: row.destination)
        if row.owner < 0 { unresolved += 1 }
        if row.destination < 0 { unresolved += 1 }
        return row
    }

    // MARK: Rows

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
        let row = JoinPairs.Row(owner: owner, destination: destination, order: order, inverseOrder: inverseOrder)
        if pairs == nil {
            try write(row, to: table, count)
        } else {
            try pairs?.add(row, number: count)
        }
    }

    @inline(__always)
    private func write(_ row: JoinPairs.Row, to table: TableBuilder, _ number: Int64) throws(BuildError) {
        if isPair {
            return try table.append(
                number, isOwnerFirst ? row.owner : row.destination, isOwnerFirst ? row.destination : row.owner)
        }
        table.beginRow()
        for cell in cells {
            switch cell {
            case .owner: table.append(row.owner)
            case .destination: table.append(row.destination)
            case .order: append(row.order, to: table)
            case .inverseOrder: append(row.inverseOrder, to: table)
            case .null: table.appendNull()
            }
        }
        try table.endRow(number)
    }

    private func append(_ place: Int64?, to table: TableBuilder) {
        if let place { table.append(place) } else { table.appendNull() }
    }
}

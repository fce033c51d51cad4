import PersistentStores
public import SQLiteFileBuilder

/// A writer that appends links to their join table.
public final class JoinRows {
    private enum Cell {
        case owner, destination, order, inverseOrder, null
    }

    private let table: TableBuilder
    /// The file that the table belongs to, and the memory for rows that wait; nil if no rows can wait.
    private let file: (rebuild: DatabaseRebuild, memory: SpoolMemory)?
    /// The tables of the owners and destinations; nil if their rows keep their keys.
    private let ends: (owners: EntityRows, destinations: EntityRows)?
    /// The content of each column.
    private let cells: [Cell]
    /// The links, which wait because both the relationship and its inverse name them; nil if rows do not wait.
    @exclusivity(unchecked) private var pairs: JoinPairs?
    /// The number of rows.
    @exclusivity(unchecked) public private(set) var count: Int64 = 0
    /// The number of ends of links at rows that do not exist.
    private(set) var unresolved = 0
    /// The number of links that only the inverse has; nil if links of the inverse have not been added.
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
    }

    /// The table's name.
    var name: String { table.definition.name }

    // MARK: The inverse

    /// Makes all rows wait, because the inverse also names their links. Must be called before the first row is added.
    public func waitForAll() {
        if let file { pairs = JoinPairs(file.memory) }
    }

    /// Adds the links of a list of the inverse. Existing rows get their places in it, and links without a row become
    /// rows after all others.
    ///
    /// - Parameters:
    ///   - owners: the keys of the objects in the list, which have the relationship from which the table is seen.
    ///   - destination: the key of the object with the list.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ owners: some Sequence<Int64>, ofInverseOf destination: Int64) throws(BuildError) {
        if pairs == nil {
            waitForAll()
            // The rows that are already built will be read again.
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

    /// Whether rows that are already built have to be built again.
    var isRebuilt: Bool { table.count > 0 && pairs != nil }

    /// Appends all links, with the final keys of the rows, to the table of a restarted file, or the links that wait to
    /// the table of the current file.
    ///
    /// - Parameters:
    ///   - built: the rows of the file before the restart; nil if it was not restarted.
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

    /// Returns the link of a row.
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
    ///   - owner: the key of the object that has the relationship from which the table is seen.
    ///   - destination: the key of the object that it leads to.
    ///   - order: the destination's place in the owner's list; ignored if the list has no order.
    ///   - inverseOrder: the owner's place in the destination's list; ignored if that list has no order.
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
        if let integers = integers(of: row) { return try table.append(number, integers) }
        table.beginRow()
        for cell in cells {
            if let value = value(cell, of: row) { table.append(value) } else { table.appendNull() }
        }
        try table.endRow(number)
    }

    /// Returns the columns of a link; nil if one of them is NULL, or if there are too many.
    @inline(__always)
    private func integers(of row: JoinPairs.Row) -> IntegerRow? {
        guard cells.count <= IntegerRow.maximumCount else { return nil }
        var integers = IntegerRow()
        for cell in cells {
            guard let value = value(cell, of: row) else { return nil }
            integers.append(value)
        }
        return integers
    }

    @inline(__always)
    private func value(_ cell: Cell, of row: JoinPairs.Row) -> Int64? {
        switch cell {
        case .owner: row.owner
        case .destination: row.destination
        case .order: row.order
        case .inverseOrder: row.inverseOrder
        case .null: nil
        }
    }
}

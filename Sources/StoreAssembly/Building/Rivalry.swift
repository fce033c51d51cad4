import SQLiteFileBuilder

/// The rows of a table that are refused because another object has one of their values, and the rows of these objects,
/// some of which may be rejected in the end, too.
final class Rivalry {
    /// A row of the current record.
    private struct PendingRow {
        let object: Int64
        unowned let table: AssembledTable
        let arrival: Int64
    }

    unowned let table: AssembledTable
    /// Tuples of object, number of the record, row, and position of the row's table.
    private let rows: TupleSorter
    /// Tuples of object, number of the record that is refused a value because of the object, row of that record, and
    /// position of the row's table.
    private let refused: TupleSorter
    /// The rows of the current record, which may still be rejected, with their objects.
    private var pending: [PendingRow] = []
    private let memory: SpoolMemory

    init(_ table: AssembledTable, _ memory: SpoolMemory) {
        self.table = table
        self.memory = memory
        rows = TupleSorter(width: 4, memory)
        refused = TupleSorter(width: 4, memory)
    }

    var hasRefused: Bool { refused.count > 0 }

    /// Records that a row belongs to an object, or gives it a link.
    ///
    /// - Parameters:
    ///   - arrival: the row.
    ///   - other: the table of the row, if it is not the table of the object.
    ///   - object: the object.
    func note(_ arrival: Int64, in other: AssembledTable? = nil, of object: Int64) {
        if table.keepsRecords || table.severalKeys != nil {
            pending.append(PendingRow(object: object, table: other ?? table, arrival: arrival))
        }
    }

    /// - Parameters:
    ///   - arrival: the row that is refused a value.
    ///   - other: the table of the row, if it is not the table of the object.
    ///   - object: the object that has the value.
    ///   - record: the number of the row's record; nil if the table has it.
    func note(
        refused arrival: Int64, in other: AssembledTable? = nil, because object: Int64, of record: Int64? = nil
    ) throws(BuildError) {
        let other = other ?? table
        guard let record = try number(record, of: arrival, other) else { return }
        try refused.add([object, record, arrival, Int64(other.position)])
    }

    /// Adds the rows of the current record, because nothing has rejected it so far.
    ///
    /// - Parameter record: the number of the record; nil if the table has it.
    func endRecord(_ record: Int64? = nil) throws(BuildError) {
        for row in pending {
            guard let record = try number(record, of: row.arrival, row.table) else { continue }
            try rows.add([row.object, record, row.arrival, Int64(row.table.position)])
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func number(
        _ record: Int64?, of arrival: Int64, _ table: AssembledTable
    ) throws(BuildError) -> Int64? {
        if let record { return record }
        return try table.record(of: arrival)
    }

    func forgetRecord() { pending.removeAll(keepingCapacity: true) }

    /// Finds, for each refused row, the first record that is rejected, came before the row's record, and belongs to the
    /// object that has the row's value.
    ///
    /// - Parameters:
    ///   - found: gets, by table, the refused row, and the number of that record.
    ///   - tables: all tables.
    func settle(_ found: [PairSorter], _ tables: [AssembledTable]) throws(BuildError) {
        let (row, refusal) = (try rows.sorted(), try refused.sorted())
        var next = try row.next()
        var first: (object: Int64, record: Int64)?
        while let refusal = try refusal.next() {
            while let candidate = next, candidate[0] <= refusal[0] {
                if candidate[0] != first?.object, tables[Int(candidate[3])].rejected.contains(candidate[2]) {
                    first = (candidate[0], candidate[1])
                }
                next = try row.next()
            }
            guard let first, first.object == refusal[0], first.record < refusal[1] else { continue }
            // If several objects have values of the row, `report` names the first of their records.
            try found[Int(refusal[3])].add(refusal[2], first.record)
        }
    }
}

import SQLiteFileBuilder

/// The rows of a table that are refused because another object has one of their values, and the rows of these objects,
/// some of which may be rejected in the end, too.
final class Rivalry {
    let table: AssembledTable
    /// Tuples of object, number of the record, and row.
    private let rows: TupleSorter
    /// Tuples of object, number of the record that is refused a value because of the object, and row of that record.
    private let refused: TupleSorter
    /// The rows of the current record, which may still be rejected, with their objects.
    private var pending: [(object: Int64, arrival: Int64)] = []
    private let memory: SpoolMemory

    init(_ table: AssembledTable, _ memory: SpoolMemory) {
        self.table = table
        self.memory = memory
        rows = TupleSorter(width: 3, memory)
        refused = TupleSorter(width: 3, memory)
    }

    var hasRefused: Bool { refused.count > 0 }

    /// Records that a row belongs to an object.
    func note(_ arrival: Int64, of object: Int64) {
        if table.keepsRecords || table.severalKeys != nil { pending.append((object, arrival)) }
    }

    /// - Parameter record: the number of the row's record; nil if the table has it.
    func note(refused arrival: Int64, because object: Int64, of record: Int64? = nil) throws(BuildError) {
        guard let record = try number(record, of: arrival) else { return }
        try refused.add([object, record, arrival])
    }

    /// Adds the rows of the current record, because nothing has rejected it so far.
    ///
    /// - Parameter record: the number of the record; nil if the table has it.
    func endRecord(_ record: Int64? = nil) throws(BuildError) {
        for (object, arrival) in pending {
            if let record = try number(record, of: arrival) { try rows.add([object, record, arrival]) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func number(_ record: Int64?, of arrival: Int64) throws(BuildError) -> Int64? {
        if let record { return record }
        return try table.record(of: arrival)
    }

    func forgetRecord() { pending.removeAll(keepingCapacity: true) }

    /// Finds, for each refused row, the first record that is rejected, came before the row's record, and belongs to the
    /// object that has the row's value.
    ///
    /// - Parameter found: gets the refused row, and the number of that record.
    func settle(_ found: PairSorter) throws(BuildError) {
        let (row, refusal) = (try rows.sorted(), try refused.sorted())
        var next = try row.next()
        var first: (object: Int64, record: Int64)?
        while let refusal = try refusal.next() {
            while let candidate = next, candidate[0] <= refusal[0] {
                if candidate[0] != first?.object, table.rejected.contains(candidate[2]) {
                    first = (candidate[0], candidate[1])
                }
                next = try row.next()
            }
            guard let first, first.object == refusal[0], first.record < refusal[1] else { continue }
            // If several objects have values of the row, `report` names the first of their records.
            try found.add(refusal[2], first.record)
        }
    }
}

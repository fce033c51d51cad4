import SQLiteFileBuilder

/// The rows of a table that must not be because another object has a value, and the rows of these objects: of which some
/// may be rejected in the end, too.
final class Rivalry {
    let table: AssembledTable
    /// Objects, numbers of records, and their rows.
    private let rows: TupleSorter
    /// Objects, numbers of the records that do not get a value because of them, and their rows.
    private let refused: TupleSorter
    /// The rows of a record that may not stay, with their objects.
    private var pending: [(object: Int64, arrival: Int64)] = []
    private let memory: SpoolMemory

    init(_ table: AssembledTable, _ memory: SpoolMemory) {
        self.table = table
        self.memory = memory
        rows = TupleSorter(width: 3, memory)
        refused = TupleSorter(width: 3, memory)
    }

    var hasRefused: Bool { refused.count > 0 }

    /// A row is of an object.
    func note(_ arrival: Int64, of object: Int64) {
        if table.keepsRecords { pending.append((object, arrival)) }
    }

    func note(refused arrival: Int64, because object: Int64) throws(BuildError) {
        guard let record = try table.record(of: arrival) else { return }
        try refused.add([object, record, arrival])
    }

    /// The rows of the record stay, as far as that is known.
    func endRecord() throws(BuildError) {
        for (object, arrival) in pending {
            if let record = try table.record(of: arrival) { try rows.add([object, record, arrival]) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    func forgetRecord() { pending.removeAll(keepingCapacity: true) }

    /// Finds the first record of an object that is rejected, and came before a record that did not get its value.
    ///
    /// - Parameter found: gets the row that must not be, and the number of that record.
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
            // Of several objects that have its values, the first of their records is named.
            try found.add(refusal[2], first.record)
        }
    }
}

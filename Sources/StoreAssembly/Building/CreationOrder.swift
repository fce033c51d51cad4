import SQLiteFileBuilder

/// The objects of a table in the order in which they would be created if records were read one by one.
///
/// If objects are found by several keys, that order is known when their rows have been read. In other tables, it is the
/// order of the arrivals.
final class CreationOrder {
    private let table: AssembledTable
    /// Pairs of rank and object; nil if arrivals are in order.
    private let ranked: PairCursor?
    @exclusivity(unchecked) private var arrival: Int64 = 0

    init(_ table: AssembledTable, _ memory: SpoolMemory) throws(BuildError) {
        self.table = table
        guard table.severalKeys?.held != nil, table.next > 1 else {
            ranked = nil
            return
        }
        let sorter = PairSorter(memory)
        for arrival in 1..<table.next where table.rows.contains(arrival) {
            try sorter.add(Self.rank(of: arrival, in: table), arrival)
        }
        ranked = try sorter.sorted().cursor()
    }

    /// Returns the next object and its rank; nil after the last one.
    func next() throws(BuildError) -> (rank: Int64, arrival: Int64)? {
        if let ranked {
            guard let rank = ranked.first else { return nil }
            let found = (rank, ranked.second)
            try ranked.advance()
            return found
        }
        repeat { arrival += 1 } while arrival < table.next && !table.rows.contains(arrival)
        return arrival < table.next ? (arrival, arrival) : nil
    }

    /// Returns the rank of an object, by which the objects of its table are sorted.
    static func rank(of object: Int64, in table: AssembledTable) throws(BuildError) -> Int64 {
        try table.severalKeys?.held?.number(of: object) ?? object
    }
}

import PersistentStores
import SQLiteFileBuilder

/// A pass over a table that finds the order keys of its rows among the rows with the same destination, if destinations
/// keep these in order: the order is that of the first rows that name the destination.
///
/// Rows are read in the order of their arrivals, and sorted by destination. If a record may have several of them, they
/// are also sorted by record, and then by object. If several rows are one object, the object has the place of the first
/// row that names its final destination.
struct OrderPass {
    let table: AssembledTable
    let rows: BuiltRows
    let patches: PairFile
    let groups: GroupedRows?
    let memory: SpoolMemory

    /// The first rows of groups that name the final destination of their object, by arrival: the destinations, and the
    /// objects.
    private struct Firsts {
        let destinations: PairFile
        let objects: PairFile
    }

    /// Finds the order keys of all rows.
    ///
    /// - Parameter checkpoint: called once in a while.
    /// - Returns: by link, the order keys by arrival; nil for links without an order.
    func run(checkpoint: () throws -> Void) throws -> [PairFile?] {
        guard table.links.contains(where: \.placesRows) else { return table.links.map { _ in nil } }
        let firsts = try self.firsts()
        let named = try namings(firsts, checkpoint: checkpoint)
        var places: [PairFile?] = []
        for (link, sorter) in named.enumerated() {
            places.append(try sorter.map { try self.places($0, firsts[link]) })
        }
        return places
    }

    /// The rows that name each destination, in their order.
    private struct NamingRows {
        private let table: AssembledTable
        private let byArrival: PairSorter
        /// Tuples of destination, record of the row, record and arrival of the object, and arrival of the row; nil if
        /// arrivals are in the order of the records.
        private let byRecord: TupleSorter?

        init(_ table: AssembledTable, _ memory: SpoolMemory) {
            self.table = table
            byArrival = PairSorter(memory)
            byRecord = table.numbersRecords ? TupleSorter(width: 5, memory) : nil
        }

        func add(_ destination: Int64, _ arrival: Int64) throws(BuildError) {
            guard let byRecord else { return try byArrival.add(destination, arrival) }
            let object = try table.leader(of: arrival) ?? arrival
            let record = try table.record(of: arrival) ?? 0
            let first = object == arrival ? record : try table.record(of: object) ?? 0
            try byRecord.add([destination, record, first, object, arrival])
        }

        /// Calls a closure with each destination and row, sorted by destination and then in the order of the rows.
        func forEach(_ body: (_ destination: Int64, _ arrival: Int64) throws(BuildError) -> Void) throws(BuildError) {
            guard let sorted = try byRecord?.sorted() else {
                let sorted = try byArrival.merged()
                while let (destination, arrival) = try sorted.next() { try body(destination, arrival) }
                return
            }
            while let next = try sorted.next() { try body(next[0], next[4]) }
        }
    }

    /// Returns, by link, the rows that name each destination.
    private func namings(_ firsts: [Firsts?], checkpoint: () throws -> Void) throws -> [NamingRows?] {
        let named = table.links.map { !$0.placesRows ? nil : NamingRows(table, memory) }
        let (patch, member) = (try patches.cursor(), try table.members?.cursor())
        let first = try firsts.map { try $0?.destinations.cursor() }
        let scan = try rows.scan(table.builder.definition.name)
        var found: [LinkPatch] = []
        var count = 0
        while try scan.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            let arrival = scan.rowID
            if let member, try member.seek(arrival) {
                for (sorter, cursor) in zip(named, first) {
                    if let sorter, let cursor, try cursor.seek(arrival) { try sorter.add(cursor.second, arrival) }
                }
                continue
            }
            guard table.rows.contains(arrival) else { continue }
            found.removeAll(keepingCapacity: true)
            while try patch.seek(arrival) {
                found.append(LinkPatch(patch.second))
                try patch.advance()
            }
            for (index, sorter) in named.enumerated() {
                guard let sorter else { continue }
                let last = found.last { $0.link == index }
                let destination = try table.links[index].destination(of: scan.record, last)
                if let destination { try sorter.add(destination, arrival) }
            }
        }
        return named
    }

    /// Returns, by link, the first rows that name the final destinations of groups; nil for links without an order, and
    /// if no two rows have the same key.
    private func firsts() throws -> [Firsts?] {
        guard let groups else { return table.links.map { _ in nil } }
        let destinations = table.links.map { !$0.placesRows ? nil : PairSorter(memory) }
        let objects = table.links.map { _ in PairSorter(memory) }
        var naming = try groups.namings.map { try $0?.next() }
        let group = try groups.places.cursor()
        let record = StoredRecord()
        while let object = group.first {
            let member = try groups.pieces.withPiece(at: group.second) { (bytes) throws(BuildError) in
                try GroupMember(bytes, record: record)
            }
            for (index, sorter) in destinations.enumerated() {
                guard let sorter else { continue }
                let patch = member.patches.last { $0.link == index }
                let destination = try table.links[index].destination(of: record, patch)
                var isPlaced = false
                while let next = naming[index], next[0] <= object {
                    if !isPlaced, next[0] == object, next[1] == destination {
                        try sorter.add(next[2], next[1])
                        try objects[index].add(next[2], object)
                        isPlaced = true
                    }
                    naming[index] = try groups.namings[index]?.next()
                }
            }
            try group.advance()
        }
        var firsts: [Firsts?] = []
        for (sorter, objects) in zip(destinations, objects) {
            let destinations = try sorter?.sorted()
            firsts.append(
                try destinations.map { Firsts(destinations: $0, objects: try objects.sorted()) })
        }
        return firsts
    }

    /// Returns the order keys of the rows with the same destination, by the arrivals of the objects.
    private func places(_ named: NamingRows, _ firsts: Firsts?) throws -> PairFile {
        let byFirst = PairSorter(memory)
        var counter = OrderKeyCounter()
        try named.forEach { (destination, first) throws(BuildError) in
            try byFirst.add(first, counter.key(of: destination))
        }
        guard let firsts else { return try byFirst.sorted() }
        // The first row of a group stands for the object.
        let byObject = PairSorter(memory)
        let found = try byFirst.merged()
        let object = try firsts.objects.cursor()
        while let (first, place) = try found.next() {
            try byObject.add(try object.seek(first) ? object.second : first, place)
        }
        return try byObject.sorted()
    }
}

extension TableLink {
    /// Returns the arrival of the final destination of a row; nil if it has no destination.
    ///
    /// - Parameters:
    ///   - record: the row.
    ///   - patch: the result of the row's reference by key; nil if it has no such reference.
    func destination(of record: StoredRecord, _ patch: LinkPatch?) throws(BuildError) -> Int64? {
        if let patch { return patch.outcome == .absent ? nil : patch.number }
        return try record.integer(column).flatMap { key throws(BuildError) in try destination.leader(of: key) }
    }
}

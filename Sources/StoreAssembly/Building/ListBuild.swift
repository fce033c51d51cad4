import SQLiteFileBuilder

/// Makes the rows of a join table of the links that records name.
final class ListBuild {
    private let list: AssembledList
    private let links: DistinctPairs
    /// The links that objects have in the end; nil if no row ends those of another.
    private let lasting: DistinctPairs?
    /// Rows that say last what the links of their object are, by arrival.
    private let last: PairFile?
    /// Links that lead nowhere: the object that has them, and the place of what the client wants to know.
    private let absences: PairSorter
    /// Whether the owners' keys are the first column of the join table.
    private let isOwnerFirst: Bool
    private let columns: Int
    /// Links of a row that are put in order before they are sorted.
    private let linksInOrder: Int

    /// - Parameter definition: the join table's.
    init(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        self.list = list
        linksInOrder = max(1, limits.linksInOrder)
        columns = definition.columns.count
        let owner = definition.columns.firstIndex { $0.name == list.place.owner } ?? 0
        let destination = definition.columns.firstIndex { $0.name == list.place.destination } ?? 1
        isOwnerFirst = owner < destination
        let isPacked = max(list.owner.next, list.destination.next) <= limits.packedArrivals
        links = DistinctPairs(memory, isPacked: isPacked)
        absences = PairSorter(memory)
        guard list.rule == .replace, list.owner.members != nil else {
            (lasting, last) = (nil, nil)
            return
        }
        lasting = DistinctPairs(memory, isPacked: isPacked)
        last = try Self.lastRows(of: list, memory)
    }

    /// The rows that say last what the links of their object are.
    private static func lastRows(of list: AssembledList, _ memory: SpoolMemory) throws(BuildError) -> PairFile {
        try list.said.finish()
        let byObject = PairSorter(memory)
        let said = try list.said.cursor()
        while let arrival = said.first {
            if let leader = try list.owner.leader(of: arrival) { try byObject.add(leader, arrival) }
            try said.advance()
        }
        let last = PairSorter(memory)
        let rows = try byObject.sorted().cursor()
        while let leader = rows.first {
            let arrival = rows.second
            try rows.advance()
            if rows.first != leader { try last.add(arrival, leader) }
        }
        return try last.sorted()
    }

    /// Takes the links whose destinations were known at once.
    func takeKnown() throws(BuildError) {
        try list.known.finish()
        let cursor = try list.known.cursor()
        var destinations: [Int64] = []
        while let arrival = cursor.first {
            destinations.removeAll(keepingCapacity: true)
            while cursor.first == arrival, destinations.count < linksInOrder {
                if let destination = try list.destination.leader(of: cursor.second) { destinations.append(destination) }
                try cursor.advance()
            }
            guard let owner = try owner(of: arrival) else { continue }
            // Owners come in order: with their links in order, all do, and sorting has little to do.
            destinations.sort()
            for destination in destinations { try add(owner, destination, saidBy: arrival) }
        }
    }

    /// Takes a link that was found by key.
    ///
    /// - Parameter destination: the object that it leads to; nil if it leads nowhere.
    func take(_ reference: ReferenceEntry, _ destination: Int64?) throws(BuildError) {
        guard let owner = try owner(of: reference.owner) else { return }
        guard let destination else { return try absences.add(owner, reference.payload) }
        try add(owner, destination, saidBy: reference.owner)
    }

    /// The object that has a row's links; nil if the row's links do not count.
    private func owner(of arrival: Int64) throws(BuildError) -> Int64? {
        let leader = try list.owner.leader(of: arrival)
        return list.rule == .keep && leader != arrival ? nil : leader
    }

    private func add(_ owner: Int64, _ destination: Int64, saidBy arrival: Int64) throws(BuildError) {
        let (first, second) = isOwnerFirst ? (owner, destination) : (destination, owner)
        try links.add(first, second)
        if let lasting, try last?.value(of: arrival) != nil { try lasting.add(first, second) }
    }

    /// Appends the rows, and reports links that lead nowhere.
    func build(_ table: TableBuilder, _ pieces: ByteFile, _ client: some AssemblyClient) throws {
        let (firsts, seconds) = isOwnerFirst ? (list.owner, list.destination) : (list.destination, list.owner)
        var row: Int64 = 0
        func append(_ first: Int64, _ second: Int64) throws {
            row += 1
            if row % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try client.checkpoint() }
            table.beginRow()
            table.append(firsts.rows.primaryKey(of: first))
            table.append(seconds.rows.primaryKey(of: second))
            for _ in 2..<columns { table.appendNull() }
            try table.endRow(row)
        }
        if let lasting {
            try links.forEach { _, _ in list.related += 1 }
            try lasting.forEach(append)
        } else {
            try links.forEach(append)
            list.related = row
        }
        list.unrelated = list.related - row
        guard absences.count > 0 else { return }
        let cursor = try absences.sorted().cursor()
        while let owner = cursor.first {
            let key = list.owner.rows.primaryKey(of: owner)
            try pieces.withPiece(at: cursor.second) { try client.absent($0, owner: key) }
            try cursor.advance()
        }
    }
}

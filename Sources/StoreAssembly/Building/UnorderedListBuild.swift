import SQLiteFileBuilder

/// Makes the rows of a join table whose links have no order: each pair once, in the order of the table's columns.
final class UnorderedListBuild: ListBuild {
    private let links: DistinctPairs
    /// The links that objects have in the end; nil if no row ends those of another.
    private let lasting: DistinctPairs?
    /// Whether the owners' keys are the first column of the join table.
    private let isOwnerFirst: Bool
    /// Links of a row that are put in order before they are sorted.
    private let linksInOrder: Int

    init(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        linksInOrder = max(1, limits.linksInOrder)
        let owner = definition.columns.firstIndex { $0.name == list.place.owner } ?? 0
        let destination = definition.columns.firstIndex { $0.name == list.place.destination } ?? 1
        isOwnerFirst = owner < destination
        let isPacked = max(list.owner.next, list.destination.next) <= limits.packedArrivals
        links = DistinctPairs(memory, isPacked: isPacked)
        let mayEnd = list.rule == .replace && list.owner.members != nil
        lasting = mayEnd ? DistinctPairs(memory, isPacked: isPacked) : nil
        try super.init(list, memory)
    }

    override func takeKnown() throws(BuildError) {
        try list.known.finish()
        let cursor = try list.known.cursor()
        var destinations: [Int64] = []
        while let arrival = cursor.first {
            destinations.removeAll(keepingCapacity: true)
            while cursor.first == arrival, destinations.count < linksInOrder {
                if let destination = try list.destination.leader(of: cursor.second) { destinations.append(destination) }
                try cursor.advance()
            }
            guard let owner = try owners.owner(of: arrival) else { continue }
            // Owners come in order: with their links in order, all do, and sorting has little to do.
            destinations.sort()
            for destination in destinations { try add(owner, destination, saidBy: arrival) }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try add(owner, destination, saidBy: reference.owner)
    }

    private func add(_ owner: Int64, _ destination: Int64, saidBy arrival: Int64) throws(BuildError) {
        // A symmetric link is the same from both sides.
        let isTurned = list.place.isSymmetric ? destination < owner : !isOwnerFirst
        let (first, second) = isTurned ? (destination, owner) : (owner, destination)
        try links.add(first, second)
        if let lasting, try owners.isLast(arrival) { try lasting.add(first, second) }
    }

    override func appendRows(to rows: LinkRows) throws -> (related: Int64, left: Int64) {
        var related: Int64 = 0
        var left: Int64 = 0
        func append(_ first: Int64, _ second: Int64) throws {
            left += 1
            let (owner, destination) =
                isOwnerFirst || list.place.isSymmetric ? (first, second) : (second, first)
            try rows.append(LinkRows.Link(owner: owner, destination: destination))
            if list.place.isSymmetric, owner != destination {
                try rows.append(LinkRows.Link(owner: destination, destination: owner))
            }
        }
        guard let lasting else {
            try links.forEach(append)
            return (left, left)
        }
        try links.forEach { _, _ in related += 1 }
        try lasting.forEach(append)
        return (related, left)
    }
}

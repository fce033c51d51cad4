import SQLiteFileBuilder

/// Makes the rows of a join table whose links have no order: each pair once, in the order of the table's columns.
final class UnorderedListBuild: ListBuild {
    private let links: DistinctPairs
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
            guard let owner = try owners.owner(of: arrival), try owners.isLast(arrival) else { continue }
            // Owners come in order: with their links in order, all do, and sorting has little to do.
            destinations.sort()
            for destination in destinations {
                if let filling { try filling.add(owner, arrival, destination) } else { try add(owner, destination) }
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        if let filling { return try filling.add(owner, reference.owner, destination) }
        if try owners.isLast(reference.owner) { try add(owner, destination) }
    }

    private func add(_ owner: Int64, _ destination: Int64) throws(BuildError) {
        // A symmetric link is the same from both sides.
        let isTurned = list.place.isSymmetric ? destination < owner : !isOwnerFirst
        let (first, second) = isTurned ? (destination, owner) : (owner, destination)
        try links.add(first, second)
    }

    override func appendRows(to rows: LinkRows) throws {
        try filling?.forEachOwner { owner, destinations in
            for destination in destinations { try add(owner, destination) }
        }
        try links.forEach { first, second in
            rows.linkCount += 1
            let (owner, destination) =
                isOwnerFirst || list.place.isSymmetric ? (first, second) : (second, first)
            try rows.append(LinkRows.Link(owner: owner, destination: destination))
            if list.place.isSymmetric, owner != destination {
                try rows.append(LinkRows.Link(owner: destination, destination: owner))
            }
        }
    }
}

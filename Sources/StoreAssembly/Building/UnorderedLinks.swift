import SQLiteFileBuilder

/// Links without an order on their way into a join table, without duplicates, in the order of the table's columns.
struct UnorderedLinks {
    private let links: DistinctPairs
    private let isSymmetric: Bool
    /// Whether the owners' keys are the first column of the join table.
    private let isOwnerFirst: Bool

    init(_ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory) {
        let owner = definition.columns.firstIndex { $0.name == list.place.owner } ?? 0
        let destination = definition.columns.firstIndex { $0.name == list.place.destination } ?? 1
        isOwnerFirst = owner < destination
        isSymmetric = list.place.isSymmetric
        let isPacked = max(list.owner.next, list.destination.next) <= limits.packedArrivals
        links = DistinctPairs(memory, isPacked: isPacked)
    }

    func add(_ owner: Int64, _ destination: Int64) throws(BuildError) {
        // A symmetric link is the same from both sides.
        let isTurned = isSymmetric ? destination < owner : !isOwnerFirst
        let (first, second) = isTurned ? (destination, owner) : (owner, destination)
        try links.add(first, second, isTurned: isTurned)
    }

    func append(to rows: LinkRows) throws {
        try links.forEach { first, second, isTurned in
            rows.linkCount += 1
            guard isSymmetric else {
                let (owner, destination) = isTurned ? (second, first) : (first, second)
                return try rows.append(LinkRows.Link(owner: owner, destination: destination))
            }
            let namer = isTurned ? second : first
            try rows.append(LinkRows.Link(owner: first, destination: second), namedBy: namer)
            if first != second { try rows.append(LinkRows.Link(owner: second, destination: first), namedBy: namer) }
        }
    }
}

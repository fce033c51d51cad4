import SQLiteFileBuilder

/// Makes the rows of a join table whose links have no order: each pair once, in the order of the table's columns.
final class UnorderedListBuild: ListBuild {
    private let links: UnorderedLinks
    /// Links of a row that are put in order before they are sorted.
    private let linksInOrder: Int

    init(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        linksInOrder = max(1, limits.linksInOrder)
        links = UnorderedLinks(list, definition, limits, memory)
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
                if let filling {
                    try filling.add(owner, arrival, destination)
                } else {
                    try links.add(owner, destination)
                }
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        if let filling { return try filling.add(owner, reference.owner, destination) }
        if try owners.isLast(reference.owner) { try links.add(owner, destination) }
    }

    override func appendRows(to rows: LinkRows) throws {
        try filling?.forEachOwner { owner, destinations in
            for destination in destinations { try links.add(owner, destination) }
        }
        try links.append(to: rows)
    }
}

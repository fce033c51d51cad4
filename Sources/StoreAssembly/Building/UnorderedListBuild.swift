import SQLiteFileBuilder

/// A builder of the rows of a join table whose links have no order. Each pair gets one row, and the rows are in the
/// order of the table's columns.
final class UnorderedListBuild: ListBuild {
    private let links: UnorderedLinks
    /// The number of links of a row that are sorted in memory before they are added.
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
            // Owners are added in order. If their links are in order too, all pairs are, so the later sort has little
            // to do.
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

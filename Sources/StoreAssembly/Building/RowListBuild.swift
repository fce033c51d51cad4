import PersistentStores
import SQLiteFileBuilder

/// A builder of the rows of a join table if the links of a row must stay together: they are ordered, from one side or
/// from both, or which of them apply depends on other rows.
final class RowListBuild: ListBuild {
    private let memory: SpoolMemory
    private let limits: AssemblyLimits
    private let rows: ListRows
    /// The links, if they have no order; otherwise nil.
    private let unordered: UnorderedLinks?
    /// The links, if they are ordered and in the lists of both objects; otherwise nil.
    private let symmetric: SymmetricOrder?
    /// The links of objects for which several rows have links, as tuples of owner, destination, arrival of the row,
    /// position in its list, and rank of the row's value among those of others.
    private let joined: TupleSorter
    /// The links with the order keys in the lists of their owners, by destination and owner, if destinations keep their
    /// owners in order.
    private let byDestination: PlacedLinkSorter

    init(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        self.memory = memory
        self.limits = limits
        rows = ListRows(list, limits, memory)
        unordered = list.isOrdered ? nil : UnorderedLinks(list, definition, limits, memory)
        symmetric = list.isOrdered && list.place.isSymmetric ? SymmetricOrder(memory) : nil
        joined = TupleSorter(width: 5, memory)
        byDestination = PlacedLinkSorter(limits, memory)
        try super.init(list, memory)
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try rows.add(reference, destination)
    }

    override func takeAbsence(_ reference: ReferenceEntry, of owner: Int64) throws(BuildError) {
        if list.isRuledByRow { return try rows.addAbsence(reference) }
        try super.takeAbsence(reference, of: owner)
    }

    override func appendRows(to rows: LinkRows) throws {
        let ranks = try list.places?.ranks().cursor()
        func take(_ arrival: Int64, _ owner: Int64, _ destinations: [Int64]) throws {
            if let unordered {
                for destination in destinations { try unordered.add(owner, destination) }
            } else if let filling {
                for destination in destinations { try filling.add(owner, arrival, destination) }
            } else if owners.mayJoin {
                let rank = try ranks?.seek(arrival) ?? false ? ranks?.second ?? 0 : 0
                for (ordinal, destination) in destinations.enumerated() {
                    try joined.add([owner, destination, arrival, Int64(ordinal), rank])
                }
            } else {
                try append(destinations, of: owner, to: rows)
            }
        }
        if list.isRuledByRow {
            try self.rows.forEachCounting(absence: report, take)
        } else {
            try self.rows.forEach { arrival, destinations, _ in
                guard let owner = try owners.owner(of: arrival), try owners.isLast(arrival) else { return }
                try take(arrival, owner, destinations)
            }
        }
        try filling?.forEachOwner { owner, destinations in try append(destinations, of: owner, to: rows) }
        try appendJoined(to: rows)
        try unordered?.append(to: rows)
        try symmetric?.append(to: rows)
        try appendByDestination(to: rows)
    }

    /// Appends the links of an owner in their order.
    private func append(_ destinations: [Int64], of owner: Int64, to rows: LinkRows) throws {
        var order = OrderKeys.first
        for destination in destinations {
            try append(LinkRows.Link(owner: owner, destination: destination, order: order), to: rows)
            order += OrderKeys.step
        }
    }

    private func append(_ link: LinkRows.Link, to rows: LinkRows) throws {
        if let symmetric { return try symmetric.add(link) }
        guard list.place.orders.ofOwners != nil else { return try rows.append(link) }
        try byDestination.add(link)
    }

    /// Appends the links of objects for which several rows have links: in the order of the values of the rows, and for
    /// equal values in the order in which they were last named.
    private func appendJoined(to rows: LinkRows) throws {
        guard joined.count > 0 else { return }
        let byPlace = TupleSorter(width: 5, memory)
        let links = try joined.sorted()
        /// The last tuple of a link, which is that of the last row that names it.
        var last = try links.next()
        while let known = last {
            let next = try links.next()
            if next.map({ $0[0] != known[0] || $0[1] != known[1] }) ?? true {
                try byPlace.add([known[0], known[4], known[2], known[3], known[1]])
            }
            last = next
        }
        let sorted = try byPlace.sorted()
        var counter = OrderKeyCounter()
        while let next = try sorted.next() {
            try append(
                LinkRows.Link(owner: next[0], destination: next[4], order: counter.key(of: next[0])), to: rows)
        }
    }

    /// Appends the links of destinations that keep their owners in order, sorted by owner.
    private func appendByDestination(to rows: LinkRows) throws {
        var counter = OrderKeyCounter()
        try byDestination.forEach { link in
            var placed = link
            placed.inverseOrder = counter.key(of: link.destination)
            try rows.append(placed)
        }
    }
}

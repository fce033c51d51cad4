import PersistentStores
import SQLiteFileBuilder

/// Makes the rows of a join table whose links are ordered, from one side or from both.
final class OrderedListBuild: ListBuild {
    private let memory: SpoolMemory
    private let limits: AssemblyLimits
    /// What was found by key: arrival of the row, place in its list, destination.
    private let found: TupleSorter
    /// Links of objects that several rows have links of: owner, destination, arrival of the row, place in its list.
    private let joined: TupleSorter
    /// Links with the places in their owners, by destination and owner, if those have an order.
    private let byDestination: PlacedLinkSorter

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        self.memory = memory
        self.limits = limits
        found = TupleSorter(width: 3, memory)
        joined = TupleSorter(width: 4, memory)
        byDestination = PlacedLinkSorter(limits, memory)
        try super.init(list, memory)
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try found.add([reference.owner, reference.ordinal, destination])
    }

    override func appendRows(to rows: LinkRows) throws {
        try forEachRow { arrival, destinations in
            guard let owner = try owners.owner(of: arrival), try owners.isLast(arrival) else { return }
            if let filling {
                for destination in destinations { try filling.add(owner, arrival, destination) }
            } else if owners.mayJoin {
                for (ordinal, destination) in destinations.enumerated() {
                    try joined.add([owner, destination, arrival, Int64(ordinal)])
                }
            } else {
                try append(destinations, of: owner, to: rows)
            }
        }
        try filling?.forEachOwner { owner, destinations in try append(destinations, of: owner, to: rows) }
        try appendJoined(to: rows)
        try appendByDestination(to: rows)
    }

    /// Calls a closure with the destinations that each row names, in their order, each once. Rows come in order.
    private func forEachRow(_ body: (_ arrival: Int64, _ destinations: [Int64]) throws -> Void) throws {
        try list.known.finish()
        let known = try list.known.cursor()
        let late = try found.sorted()
        var lateLink = try late.next()
        var current = OrderedLinks(searching: limits.searchedLinks)
        // All links of a row are known, or all were found by key.
        while true {
            let (first, other) = (known.first ?? .max, lateLink?[0] ?? .max)
            let arrival = min(first, other)
            if arrival == .max { return }
            current.removeAll()
            while known.first == arrival {
                if let destination = try list.destination.leader(of: known.second) { current.add(destination) }
                try known.advance()
            }
            while let link = lateLink, link[0] == arrival {
                current.add(link[2])
                lateLink = try late.next()
            }
            try body(arrival, current.destinations)
        }
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
        guard list.place.orders.ofOwners != nil else { return try rows.append(link) }
        try byDestination.add(link)
    }

    /// Appends the links of objects that several rows have links of: in the order in which they were named last.
    private func appendJoined(to rows: LinkRows) throws {
        guard joined.count > 0 else { return }
        let byPlace = TupleSorter(width: 4, memory)
        let links = try joined.sorted()
        /// The last row that names a link, and its first place in that.
        var last = try links.next()
        while let known = last {
            let next = try links.next()
            let isSame = next.map { $0[0] == known[0] && $0[1] == known[1] } ?? false
            if isSame, next?[2] == known[2] { continue }
            if !isSame { try byPlace.add([known[0], known[2], known[3], known[1]]) }
            last = next
        }
        let sorted = try byPlace.sorted()
        var owner: Int64?
        var order = OrderKeys.first
        while let next = try sorted.next() {
            if next[0] != owner { (owner, order) = (next[0], OrderKeys.first) }
            try append(LinkRows.Link(owner: next[0], destination: next[3], order: order), to: rows)
            order += OrderKeys.step
        }
    }

    /// Appends the links of destinations that keep their owners in order: in that of the owners.
    private func appendByDestination(to rows: LinkRows) throws {
        var destination: Int64?
        var inverseOrder = OrderKeys.first
        try byDestination.forEach { link in
            if link.destination != destination {
                (destination, inverseOrder) = (link.destination, OrderKeys.first)
            }
            var placed = link
            placed.inverseOrder = inverseOrder
            try rows.append(placed)
            inverseOrder += OrderKeys.step
        }
    }
}

/// The destinations that a row names, each once.
private struct OrderedLinks {
    private(set) var destinations: [Int64] = []
    /// The destinations of a row that has many.
    private var known = Set<Int64>()
    private let mostSearched: Int

    init(searching mostSearched: Int) {
        self.mostSearched = mostSearched
    }

    mutating func removeAll() {
        destinations.removeAll(keepingCapacity: true)
        if !known.isEmpty { known.removeAll(keepingCapacity: true) }
    }

    mutating func add(_ destination: Int64) {
        guard destinations.count >= mostSearched else {
            if !destinations.contains(destination) { destinations.append(destination) }
            return
        }
        if known.isEmpty { known.formUnion(destinations) }
        if known.insert(destination).inserted { destinations.append(destination) }
    }
}

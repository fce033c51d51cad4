import SQLiteFileBuilder

/// Sorts links by destination, then by owner, in bounded memory; each has a place among those of its owner.
final class PlacedLinkSorter {
    /// Destination and owner in one number, and the place.
    private let packed: PairSorter
    /// Destination, owner and place, if one of the objects came too late for that.
    private let others: TupleSorter
    private let packedArrivals: Int64

    init(_ limits: AssemblyLimits, _ memory: SpoolMemory) {
        packed = PairSorter(memory)
        others = TupleSorter(width: 3, memory)
        packedArrivals = min(limits.packedArrivals, 1 << 31)
    }

    func add(_ link: LinkRows.Link) throws(BuildError) {
        if max(link.destination, link.owner) < packedArrivals {
            try packed.add(link.destination << 32 | link.owner, link.order)
        } else {
            try others.add([link.destination, link.owner, link.order])
        }
    }

    /// Calls a closure with all links in their order; the sorter is empty then.
    func forEach(_ body: (LinkRows.Link) throws -> Void) throws {
        let rest = others.count > 0 ? try others.sorted() : nil
        let merged = try packed.merged()
        var other = try rest?.next()
        while let (objects, order) = try merged.next() {
            let link = LinkRows.Link(owner: objects & 0xffff_ffff, destination: objects >> 32, order: order)
            while let next = other, (next[0], next[1]) < (link.destination, link.owner) {
                try body(LinkRows.Link(owner: next[1], destination: next[0], order: next[2]))
                other = try rest?.next()
            }
            try body(link)
        }
        while let next = other {
            try body(LinkRows.Link(owner: next[1], destination: next[0], order: next[2]))
            other = try rest?.next()
        }
    }
}

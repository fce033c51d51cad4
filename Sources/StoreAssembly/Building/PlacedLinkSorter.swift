import SQLiteFileBuilder

/// A sorter of links by destination and then by owner, in bounded memory. Each link has an order key among the links of
/// its owner.
final class PlacedLinkSorter {
    /// Links whose destination and owner are packed into one number, with their order keys.
    private let packed: PairSorter
    /// Tuples of destination, owner and order key, for links whose arrivals are too high to be packed.
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

    /// Calls a closure with all links in their order. Afterwards, the sorter is empty.
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

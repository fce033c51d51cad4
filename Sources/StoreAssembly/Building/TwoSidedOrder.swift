import PersistentStores
import SQLiteFileBuilder

/// The order of the links of one side of a relationship of which both sides have lists.
///
/// The lists of the side that came first are written first, each object after the other, and then those of the other
/// side, which add what is not there yet. What an object names itself takes its places in the order in which it is
/// named, and the others stay where they are.
final class TwoSidedOrder {
    /// 1 for the objects of the side that comes second.
    private let side: Int
    /// What objects name themselves: object, rank of the row's value among those of others, row, place in its list, the
    /// other.
    private let named: TupleSorter
    /// Object, 1 for what the second side adds, number by which that is in order, 1 if the object names it, the other.
    private let places: TupleSorter
    private let memory: SpoolMemory

    init(_ side: Int, _ memory: SpoolMemory) {
        self.side = side
        self.memory = memory
        named = TupleSorter(width: 5, memory)
        places = TupleSorter(width: 5, memory)
    }

    /// Adds a link; each once.
    ///
    /// - Parameter rank: that of the value of the row in which the object names it last.
    func add(_ link: TwoSidedLink, rank: Int64) throws(BuildError) {
        let (object, other) = side == 0 ? (link.object, link.other) : (link.other, link.object)
        if let own = link.named[side] { try named.add([object, rank, own.row, own.ordinal, other]) }
        // The objects of a side come in their order.
        let isOfFirst = link.named[0] != nil
        let number = isOfFirst == (side == 0) ? 0 : other
        try places.add([object, isOfFirst ? 0 : 1, number, link.named[side] == nil ? 0 : 1, other])
    }

    /// Returns the links with their order keys: an object of the first side, one of the second, the key.
    func orderKeys() throws(BuildError) -> TupleCursor {
        let keys = TupleSorter(width: 3, memory)
        let (sorted, inOrder) = (try places.sorted(), try named.sorted())
        var counter = OrderKeyCounter()
        while let place = try sorted.next() {
            let other = place[3] == 0 ? place[4] : try inOrder.next()?[4] ?? place[4]
            let key = counter.key(of: place[0])
            try keys.add(side == 0 ? [place[0], other, key] : [other, place[0], key])
        }
        return try keys.sorted()
    }
}

/// A link of a relationship of which both sides have lists.
struct TwoSidedLink {
    /// An object of the side that comes first, and one of the other.
    let object: Int64
    let other: Int64
    /// By side, the last row of the object that names it, and the first place in its list; nil if the object does not.
    var named: [(row: Int64, ordinal: Int64)?] = [nil, nil]
}

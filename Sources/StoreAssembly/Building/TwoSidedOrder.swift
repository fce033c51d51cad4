import PersistentStores
import SQLiteFileBuilder

/// The order of the links of one side of a relationship if both sides have lists.
///
/// The lists of the first side are written first, object after object, and then those of the other side, which add the
/// links that do not exist yet. The objects that an object itself names are put in the order in which it names them,
/// within the positions that they have together; the others stay where they are.
final class TwoSidedOrder {
    /// The side whose lists are put in order: 0 for the first, 1 for the second.
    private let side: Int
    /// The links that objects of this side name, as tuples of object, rank of the row's value among those of others,
    /// row, position in its list, and the other object.
    private let named: TupleSorter
    /// All links, as tuples of object, 1 if only the second side names the link or else 0, a number that determines the
    /// order, 1 if the object names the link or else 0, and the other object.
    private let places: TupleSorter
    private let memory: SpoolMemory

    init(_ side: Int, _ memory: SpoolMemory) {
        self.side = side
        self.memory = memory
        named = TupleSorter(width: 5, memory)
        places = TupleSorter(width: 5, memory)
    }

    /// Adds a link. Each may be added only once.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - rank: the rank of the value of the row in which the object last names it.
    func add(_ link: TwoSidedLink, rank: Int64) throws(BuildError) {
        let (object, other) = side == 0 ? (link.object, link.other) : (link.other, link.object)
        if let own = link.named[side] { try named.add([object, rank, own.row, own.ordinal, other]) }
        // The objects of a side are added in their order.
        let isOfFirst = link.named[0] != nil
        let number = isOfFirst == (side == 0) ? 0 : other
        try places.add([object, isOfFirst ? 0 : 1, number, link.named[side] == nil ? 0 : 1, other])
    }

    /// Returns the links with their order keys, as sorted tuples of an object of the first side, one of the second, and
    /// the key.
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
    /// By side, the last row of the object that names the link, and the link's first position in the list of that row;
    /// nil if the object does not name it.
    var named: [(row: Int64, ordinal: Int64)?] = [nil, nil]
}

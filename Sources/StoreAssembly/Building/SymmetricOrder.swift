import PersistentStores
import SQLiteFileBuilder

/// The order of links that are in the lists of both objects, even if only one of the objects names the other.
///
/// Objects are processed in their order. Each adds the objects that it names, and that are not in its list yet, to its
/// list, and itself to their lists. Then the objects that it names are put in the order in which it names them, within
/// the positions that they have together; the others stay where they are.
final class SymmetricOrder {
    /// Tuples of object, order key in its list, and the object that it names.
    private let named: TupleSorter
    /// Tuples of the lower and the higher object of a link, and 0 if the lower one names the other, otherwise 1.
    private let pairs: TupleSorter
    private let memory: SpoolMemory

    init(_ memory: SpoolMemory) {
        self.memory = memory
        named = TupleSorter(width: 3, memory)
        pairs = TupleSorter(width: 3, memory)
    }

    /// Adds a link that its owner names. Each may be added only once.
    func add(_ link: LinkRows.Link) throws(BuildError) {
        let (owner, destination) = (link.owner, link.destination)
        try named.add([owner, link.order, destination])
        try pairs.add([min(owner, destination), max(owner, destination), owner <= destination ? 0 : 1])
    }

    /// Appends the rows of all links, each in both directions.
    func append(to rows: LinkRows) throws {
        /// Tuples of object, the object that added the link, 1 if the object names the other one or else 0, and the
        /// other object.
        let places = TupleSorter(width: 4, memory)
        let links = try pairs.sorted()
        var next = try links.next()
        while let link = next {
            rows.linkCount += 1
            var isNamed = [false, false]
            while let other = next, other[0] == link[0], other[1] == link[1] {
                isNamed[Int(other[2])] = true
                next = try links.next()
            }
            let (low, high) = (link[0], link[1])
            let namer = isNamed[0] ? low : high
            try places.add([low, namer, isNamed[0] ? 1 : 0, high])
            if low != high { try places.add([high, namer, isNamed[1] ? 1 : 0, low]) }
        }
        let (sorted, inOrder) = (try places.sorted(), try named.sorted())
        var counter = OrderKeyCounter()
        while let place = try sorted.next() {
            let destination = place[2] == 0 ? place[3] : try inOrder.next()?[2] ?? place[3]
            try rows.append(
                LinkRows.Link(owner: place[0], destination: destination, order: counter.key(of: place[0])),
                namedBy: place[1])
        }
    }
}

import PersistentStores
import SQLiteFileBuilder

/// The order of links that are in the lists of both objects, which need not name each other.
///
/// Objects are looked at in their order: each adds what it names, and what is not in its list yet, to its list, and itself
/// to that of the other. Then what it names takes the places of these in the order in which it is named, and the others
/// stay where they are.
final class SymmetricOrder {
    /// An object, the place in its list, what it names.
    private let named: TupleSorter
    /// The lower and the higher object of a link; 0 if the lower one names the other, else 1.
    private let pairs: TupleSorter
    private let memory: SpoolMemory

    init(_ memory: SpoolMemory) {
        self.memory = memory
        named = TupleSorter(width: 3, memory)
        pairs = TupleSorter(width: 3, memory)
    }

    /// Adds a link as its owner names it; each once.
    func add(_ link: LinkRows.Link) throws(BuildError) {
        let (owner, destination) = (link.owner, link.destination)
        try named.add([owner, link.order, destination])
        try pairs.add([min(owner, destination), max(owner, destination), owner <= destination ? 0 : 1])
    }

    /// Appends all links, each in both directions.
    func append(to rows: LinkRows) throws {
        /// An object, the one that has added the link, whether the object names the other one, and that.
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

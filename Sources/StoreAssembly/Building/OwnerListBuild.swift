import PersistentStores
import SQLiteFileBuilder

/// Finds the owners of the objects that lists name, where the objects' own rows have them: each has one at most.
///
/// Of several owners whose lists name an object, what is named by records counts for the last one; what is another object
/// of the record belongs to that of the last record, as long as no later list of the owner ends it.
final class OwnerListBuild: ListBuild {
    /// What is named: destination, the owner or, where records have both, the row that has the list, place in the list,
    /// the row that has the list.
    private let named: TupleSorter
    /// By destination, its place among those of its owner.
    private(set) var places: PairFile?

    override init(_ list: AssembledList, _ memory: SpoolMemory) throws(BuildError) {
        named = TupleSorter(width: 4, memory)
        try super.init(list, memory)
    }

    override func takeKnown() throws(BuildError) {
        try list.known.finish()
        let cursor = try list.known.cursor()
        var (row, ordinal) = (Int64(0), Int64(0))
        while let arrival = cursor.first {
            if arrival != row { (row, ordinal) = (arrival, 0) }
            if let owner = try owners.owner(of: arrival),
                let destination = try list.destination.leader(of: cursor.second)
            {
                try add(destination, of: owner, named: ordinal, by: arrival)
            }
            ordinal += 1
            try cursor.advance()
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try add(destination, of: owner, named: reference.ordinal, by: reference.owner)
    }

    private func add(_ destination: Int64, of owner: Int64, named ordinal: Int64, by row: Int64) throws(BuildError) {
        if list.isOfRecords { return try named.add([destination, row, ordinal, row]) }
        if try owners.isLast(row) { try named.add([destination, owner, ordinal, row]) }
    }

    /// Lets the rows of the destinations lead to their owners, by a link of their table.
    /// - Parameter checkpoint: called once in a while.
    func addPatches(of link: Int, checkpoint: () throws -> Void) throws {
        let places = try PairFile(list.owner.builder.path)
        try forEachLink { found in
            try list.destination.patches.add(
                found.destination, LinkPatch(.found, link: link, number: found.owner).bits)
            if list.place.orders.ofDestinations != nil {
                try places.append(found.destination, OrderKeys.key(at: found.place))
            }
            list.count += 1
            if list.count % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
            if let entity = list.owner.entity(of: found.owner) { list.counts[entity, default: 0] += 1 }
        }
        try places.finish()
        self.places = places
    }

    /// A destination, its owner, the row whose list has it, and the place in that.
    typealias OwnedLink = (destination: Int64, owner: Int64, row: Int64, place: Int64)

    /// Calls a closure with each destination that has an owner, in their order.
    /// - Parameter isKeeping: whether that is possible again.
    func forEachLink(isKeeping: Bool = false, _ body: (OwnedLink) throws -> Void) throws {
        let sorted = try named.sorted()
        func advance() throws(BuildError) -> [Int64]? {
            let next = try sorted.next()
            if isKeeping, let next { try named.add(next) }
            return next
        }
        var next = try advance()
        while let first = next {
            var last = first
            next = try advance()
            while let other = next, other[0] == first[0] {
                // Of a list that names it twice, the first place counts.
                if other[1] != last[1] { last = other }
                next = try advance()
            }
            guard let owner = try owners.owner(of: last[3]), try owners.isLast(last[3]) else { continue }
            try body((first[0], owner, last[3], last[2]))
        }
    }
}

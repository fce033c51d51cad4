import PersistentStores
import SQLiteFileBuilder

/// A builder that finds the owners of objects in lists whose links are stored in the rows of these objects: each object
/// has one owner at most.
///
/// If the lists of several owners name an object, the last row applies. If owners and destinations are objects of the
/// same records, an object is lost to its former owner even if a later list of the new owner no longer names it.
final class OwnerListBuild: ListBuild {
    private let memory: SpoolMemory
    /// The named objects, as tuples of destination, row that has the list, and position in the list.
    private let named: TupleSorter
    private var sorted: TupleCursor?
    /// The rows, if each has its own rule for its links; nil for other lists, and after the rules have been applied.
    private var rows: ListRows?

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        self.memory = memory
        named = TupleSorter(width: 3, memory)
        rows = list.isRuledByRow ? ListRows(list, limits, memory) : nil
        try super.init(list, memory)
    }

    override func takeKnown() throws(BuildError) {
        guard rows == nil else { return }
        try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
            if try owners.owner(of: row) != nil, let destination = try list.destination.leader(of: destination) {
                try add(destination, named: ordinal, by: row)
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        if let rows { return try rows.add(reference, destination) }
        try add(destination, named: reference.ordinal, by: reference.owner)
    }

    override func takeAbsence(_ reference: ReferenceEntry, of owner: Int64) throws(BuildError) {
        if let rows { return try rows.addAbsence(reference) }
        try super.takeAbsence(reference, of: owner)
    }

    private func add(_ destination: Int64, named ordinal: Int64, by row: Int64) throws(BuildError) {
        let counts = try owners.isLast(row)
        if counts || list.isOfRecords { try named.add([destination, row, ordinal]) }
    }

    /// Adds patches that set the owners in the rows of the destinations.
    ///
    /// - Parameters:
    ///   - link: the link of the destinations' table that stores the owner.
    ///   - checkpoint: called once in a while.
    /// - Throws: `BuildError` if the disk fails; what the closure throws.
    func addPatches(of link: Int, checkpoint: () throws -> Void) throws {
        let places = try PairFile(list.owner.builder.path)
        /// If several rows may have links of one object: tuples of owner, 0, row, position in its list, and
        /// destination.
        let joined = owners.mayJoin ? TupleSorter(width: 5, memory) : nil
        try forEachLink { found in
            try list.destination.patches.add(
                found.destination, LinkPatch(.found, link: link, number: found.owner).bits)
            if list.place.orders.ofDestinations != nil {
                if let joined {
                    try joined.add([found.owner, 0, found.row, found.place, found.destination])
                } else {
                    try places.append(found.destination, OrderKeys.key(at: found.place))
                }
            }
            list.count += 1
            if list.count % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
            if let entity = list.owner.entity(of: found.owner) { list.counts[entity, default: 0] += 1 }
        }
        try places.finish()
        self.places = if let joined { try self.places(joined) } else { places }
    }

    /// Returns the order keys of objects that several rows of their owners name.
    ///
    /// - Parameter joined: tuples of owner, 0, row, position in its list, and destination.
    private func places(_ joined: TupleSorter) throws(BuildError) -> PairFile {
        var links = joined
        if let ranks = try list.places?.ranks() {
            links = TupleSorter(width: 5, memory)
            let unranked = try joined.sorted()
            while var link = try unranked.next() {
                link[1] = try ranks.value(of: link[2]) ?? 0
                try links.add(link)
            }
        }
        return try links.sorted().orderKeys(memory)
    }

    /// A destination, its owner, the row whose list names it, and its position in that list.
    typealias OwnedLink = (destination: Int64, owner: Int64, row: Int64, place: Int64)

    /// Calls a closure with each destination that has an owner, in ascending order. No more links may be added.
    func forEachLink(_ body: (OwnedLink) throws -> Void) throws {
        try rows?.forEachCounting(absence: report) { row, _, destinations in
            for (ordinal, destination) in destinations.enumerated() {
                try named.add([destination, row, Int64(ordinal)])
            }
        }
        rows = nil
        let cursor = try named.cursor(&sorted)
        var next = try cursor.next()
        while let first = next {
            var last = first
            next = try cursor.next()
            while let other = next, other[0] == first[0] {
                // If a list names the object twice, the first position applies.
                if other[1] != last[1] { last = other }
                next = try cursor.next()
            }
            guard let owner = try owners.owner(of: last[1]), try owners.isLast(last[1]) else { continue }
            try body((first[0], owner, last[1], last[2]))
        }
    }
}

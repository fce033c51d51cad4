import PersistentStores
import SQLiteFileBuilder

/// Makes the rows of a join table whose links the lists of both sides say, without an order.
///
/// A link is there where a list that counts names it, from either side, unless the other object has a list that counts as
/// well, has replaced an earlier one of that object, and does not name it.
final class TwoSidedListBuild: ListBuild {
    /// The owners and destinations of the links that lists of this side name.
    private let named: PairSorter
    private let links: UnorderedLinks
    private let memory: SpoolMemory
    /// The lists of the other side, while this side makes the rows; nil if that one does.
    private var other: TwoSidedListBuild?

    init(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        named = PairSorter(memory)
        links = UnorderedLinks(list, definition, limits, memory)
        self.memory = memory
        try super.init(list, memory)
    }

    /// Makes the rows of both sides.
    func take(_ other: TwoSidedListBuild) { self.other = other }

    override func takeKnown() throws(BuildError) {
        try list.forEachKnown { (row, _, destination) throws(BuildError) in
            if let owner = try owners.owner(of: row), let destination = try list.destination.leader(of: destination) {
                try add(destination, of: owner, by: row)
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try add(destination, of: owner, by: reference.owner)
    }

    private func add(_ destination: Int64, of owner: Int64, by row: Int64) throws(BuildError) {
        if try owners.isLast(row) { try named.add(owner, destination) }
    }

    override func appendRows(to rows: LinkRows) throws {
        guard let other else { return }
        /// Owner, destination, and 1 for the other side.
        let sorter = TupleSorter(width: 3, memory)
        let (own, others) = (try named.merged(), try other.named.merged())
        while let (owner, destination) = try own.next() { try sorter.add([owner, destination, 0]) }
        while let (destination, owner) = try others.next() { try sorter.add([owner, destination, 1]) }
        let (replaced, othersReplaced) = (try owners.replaced(), try other.owners.replaced())
        let sorted = try sorter.sorted()
        var next = try sorted.next()
        while let first = next {
            let (owner, destination) = (first[0], first[1])
            var isNamed = [false, false]
            while let link = next, link[0] == owner, link[1] == destination {
                isNamed[Int(link[2])] = true
                next = try sorted.next()
            }
            if isNamed[0] || !replaced.contains(owner), isNamed[1] || !othersReplaced.contains(destination) {
                try links.add(owner, destination)
            }
        }
        try links.append(to: rows)
    }
}

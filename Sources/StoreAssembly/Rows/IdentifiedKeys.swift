import SQLiteFileBuilder

/// What comes of the keys of one table.
final class IdentifiedKeys {
    private let members: PairSorter
    private let created: PairSorter
    private let rejected: PairSorter
    private let matched: PairSorter
    private let matchedLeaders: PairSorter
    private let skipped: PairSorter
    /// Only where the objects have values that must be unique, or are of records with such values.
    let classes: KeyClasses?
    private(set) var rows: RowMap

    init(_ table: AssembledTable, _ memory: SpoolMemory) {
        members = PairSorter(memory)
        created = PairSorter(memory)
        rejected = PairSorter(memory)
        matched = PairSorter(memory)
        matchedLeaders = PairSorter(memory)
        skipped = PairSorter(memory)
        classes = table.uniqueValues == nil && !table.keepsRecords ? nil : KeyClasses(memory)
        rows = RowMap(arrivals: table.next - 1)
    }

    func add(_ leader: KeyTable.Leader) throws(BuildError) {
        if leader.kind == .reservation { try created.add(leader.arrival, leader.payload) }
        if leader.hasFollowers { try members.add(leader.arrival, leader.arrival) }
        try classes?.add(leader)
    }

    /// Adds an object that is created because a reference finds none.
    func create(_ arrival: Int64, row: Int64) throws(BuildError) {
        try created.add(arrival, row)
    }

    /// - Parameter leader: nil for a row that cannot be the first with its key, and would be.
    func add(_ follower: KeyEntry, of leader: KeyTable.Leader?) throws(BuildError) {
        rows.remove(follower.arrival)
        guard let leader else {
            return try (follower.isOptional ? skipped : rejected).add(follower.arrival, follower.note)
        }
        try classes?.add(follower, of: leader)
        if follower.isMerged { try members.add(follower.arrival, leader.arrival) }
        guard follower.kind.mustLead else { return }
        try matched.add(follower.arrival, follower.note)
        try matchedLeaders.add(follower.arrival, leader.arrival)
    }

    /// Rows that must be the first with their keys and are not, with the places of their payloads, and with the rows that
    /// are; nil if there are none.
    func sortedMatches() throws(BuildError) -> (notes: PairFile, leaders: PairFile)? {
        matched.count == 0 ? nil : (try matched.sorted(), try matchedLeaders.sorted())
    }

    /// Rows that do not count, as they would be the first with their keys; nil if there are none.
    func sortedSkips() throws(BuildError) -> PairFile? { skipped.count == 0 ? nil : try skipped.sorted() }

    /// Rows with the key of another, and those that lead them, each with its leader; nil if no key comes twice.
    func sortedMembers() throws(BuildError) -> PairFile? {
        members.count == 0 ? nil : try members.sorted()
    }

    /// What is made because it is named, with the places of the rows; nil if nothing is.
    func sortedCreations() throws(BuildError) -> PairFile? {
        created.count == 0 ? nil : try created.sorted()
    }

    /// Gives the rows that cannot be the first with their keys and would be, with the places of their payloads.
    func drainRejections(_ body: (_ arrival: Int64, _ payload: Int64) throws(BuildError) -> Void) throws(BuildError) {
        guard rejected.count > 0 else { return }
        let cursor = try rejected.sorted().cursor()
        while let arrival = cursor.first {
            try body(arrival, cursor.second)
            try cursor.advance()
        }
    }

    /// Takes rows out that were rejected.
    func remove(_ arrival: Int64) {
        rows.remove(arrival)
    }

    func seal() -> RowMap {
        rows.seal()
        return rows
    }
}

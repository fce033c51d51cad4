import SQLiteFileBuilder

/// The objects of one table, as identified by their keys.
final class IdentifiedKeys {
    private let members: PairSorter
    private let created: PairSorter
    private let rejected: PairSorter
    private let matched: PairSorter
    private let matchedLeaders: PairSorter
    private let skipped: PairSorter
    private let refused: PairSorter
    private let refusedListed: PairSorter
    private let abandoning: PairSorter
    private let going: PairSorter
    /// The classes of equal keys, if the objects have values that must be unique, or belong to records with such
    /// values; otherwise nil.
    let classes: KeyClasses?
    private(set) var rows: RowMap

    init(_ table: AssembledTable, _ memory: SpoolMemory) {
        members = PairSorter(memory)
        created = PairSorter(memory)
        rejected = PairSorter(memory)
        matched = PairSorter(memory)
        matchedLeaders = PairSorter(memory)
        skipped = PairSorter(memory)
        refused = PairSorter(memory)
        refusedListed = PairSorter(memory)
        abandoning = PairSorter(memory)
        going = PairSorter(memory)
        classes = table.uniqueValues == nil && !table.keepsRecords ? nil : KeyClasses(memory)
        rows = RowMap(arrivals: table.next - 1)
    }

    func add(_ leader: KeyTable.Leader) throws(BuildError) {
        if leader.kind == .reservation { try created.add(leader.arrival, leader.payload) }
        if leader.hasFollowers { try members.add(leader.arrival, leader.arrival) }
        try classes?.add(leader)
    }

    /// Adds an object that is created because a reference finds no object.
    func create(_ arrival: Int64, row: Int64) throws(BuildError) {
        try created.add(arrival, row)
    }

    /// Adds a row or a reservation that is not the first with its key, or would be and cannot.
    ///
    /// - Parameters:
    ///   - follower: the row or reservation.
    ///   - leader: the first one with the key; nil if the follower would be the first and cannot.
    /// - Throws: `BuildError` if the disk is full or fails.
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

    /// A row, or an object that is created, cannot be: another object has the values of a constraint, or its own record
    /// makes the object that must not be there.
    ///
    /// - Parameters:
    ///   - note: the place of what the client gets.
    ///   - isListed: whether a list names the object. It is rejected only if the row that names it counts, which is
    ///     known when all rows are read.
    func reject(_ rejection: Rejection, note: Int64, isListed: Bool = false) throws(BuildError) {
        try (isListed ? refusedListed : refused).add(rejection.bits, note)
    }

    /// A row has a list that would leave an object without an owner.
    ///
    /// - Parameter note: the offset of what the client gets.
    func abandon(_ arrival: Int64, note: Int64) throws(BuildError) { try abandoning.add(arrival, note) }

    /// Another row of its record cannot be.
    ///
    /// - Parameter isRow: false for an object that is created because the record refers to it.
    func reject(_ arrival: Int64, isRow: Bool) throws(BuildError) { try going.add(arrival, isRow ? 1 : 0) }

    /// Returns the rows that must be the first with their keys and are not, with the offsets of their notes, and with
    /// their leaders; nil if there are no such rows.
    func sortedMatches() throws(BuildError) -> (notes: PairFile, leaders: PairFile)? {
        matched.count == 0 ? nil : (try matched.sorted(), try matchedLeaders.sorted())
    }

    /// Returns the rows that are skipped because they would be the first with their keys; nil if there are no such
    /// rows.
    func sortedSkips() throws(BuildError) -> PairFile? { skipped.count == 0 ? nil : try skipped.sorted() }

    /// Objects that lists name and that have values of other objects: their rejections, with the places of what the
    /// client gets; nil if there are none.
    func sortedRefusals() throws(BuildError) -> PairFile? {
        refusedListed.count == 0 ? nil : try refusedListed.sorted()
    }

    /// Returns the rows whose lists would leave objects without an owner, with the offsets of their notes; nil if there
    /// are no such rows.
    func sortedAbandoning() throws(BuildError) -> PairFile? { abandoning.count == 0 ? nil : try abandoning.sorted() }

    /// Returns the rows of groups with the same key, each with its leader, including the leaders themselves; nil if no
    /// two rows have the same key.
    func sortedMembers() throws(BuildError) -> PairFile? {
        members.count == 0 ? nil : try members.sorted()
    }

    /// Returns the objects that are created because a reference names them, with the offsets of their rows; nil if
    /// there are no such objects.
    func sortedCreations() throws(BuildError) -> PairFile? {
        created.count == 0 ? nil : try created.sorted()
    }

    /// Calls a closure with the rows that would be the first with their keys and cannot, and with those that have
    /// values of other objects, and with the offsets of their notes.
    func drainRejections(_ body: (_ rejection: Rejection, _ payload: Int64) throws(BuildError) -> Void)
        throws(BuildError)
    {
        try Self.drain(rejected) { (arrival, payload) throws(BuildError) in
            try body(Rejection(arrival, link: LinkPatch.mostLinks - 1), payload)
        }
        try Self.drain(refused) { (bits, payload) throws(BuildError) in try body(Rejection(bits: bits), payload) }
    }

    /// Gives the other rows of their records, and the objects that are created because these refer to them.
    func drainCompanions(_ body: (_ arrival: Int64, _ isRow: Bool) -> Void) throws(BuildError) {
        try Self.drain(going) { arrival, isRow in body(arrival, isRow != 0) }
    }

    private static func drain(
        _ pairs: PairSorter, _ body: (Int64, Int64) throws(BuildError) -> Void
    ) throws(BuildError) {
        guard pairs.count > 0 else { return }
        let cursor = try pairs.sorted().cursor()
        while let first = cursor.first {
            try body(first, cursor.second)
            try cursor.advance()
        }
    }

    /// Removes a rejected row.
    func remove(_ arrival: Int64) {
        rows.remove(arrival)
    }

    func seal() -> RowMap {
        rows.seal()
        return rows
    }
}

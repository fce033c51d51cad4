import SQLiteFileBuilder

/// The rows and reservations of a table with equal keys, whatever their entities: which of them are one object depends on
/// which of them are rejected.
///
/// A class is the arrival of the first one that leads others.
final class KeyClasses {
    /// A row or a reservation, and what tells which objects of the class it is found as.
    struct Member {
        let arrival: Int64
        let kind: KeyEntry.Kind
        let entity: Int

        init(_ arrival: Int64, _ kind: KeyEntry.Kind, entity: Int) {
            (self.arrival, self.kind, self.entity) = (arrival, kind, entity)
        }

        init(bits: Int64) {
            arrival = bits >> Self.otherBits
            kind = KeyEntry.Kind(rawValue: UInt64(bits) & (1 << KeyEntry.kindBits - 1)) ?? .row
            entity = Int(bits >> Int64(KeyEntry.kindBits) & (1 << Int64(KeyEntry.entityBits) - 1))
        }

        var bits: Int64 { arrival << Self.otherBits | Int64(entity) << Int64(KeyEntry.kindBits) | Int64(kind.rawValue) }

        private static let otherBits = Int64(KeyEntry.entityBits + KeyEntry.kindBits)
    }

    private let members: PairSorter
    private let others: PairSorter
    private let conditional: PairSorter
    private var files: (members: PairFile, others: PairFile, conditional: PairFile)?

    init(_ memory: SpoolMemory) {
        members = PairSorter(memory)
        others = PairSorter(memory)
        conditional = PairSorter(memory)
    }

    /// Returns the files of the classes. No key comes any more.
    ///
    /// - `members`: by class, the members of classes with several, some of them more than once.
    /// - `others`: the leaders that others of their class precede, and the keys that are not merged into a leader, each with
    ///   its class.
    /// - `conditional`: the classes with rows that cannot be the first with their key, or must be and are not, some of them
    ///   more than once.
    func sorted() throws(BuildError) -> (members: PairFile, others: PairFile, conditional: PairFile) {
        if let files { return files }
        let made = (
            members: try members.sorted(), others: try others.sorted(), conditional: try conditional.sorted()
        )
        files = made
        return made
    }

    func add(_ leader: KeyTable.Leader) throws(BuildError) {
        let isFirst = leader.first == leader.arrival
        if !isFirst { try others.add(leader.arrival, leader.first) }
        guard leader.hasFollowers || leader.next != 0 || !isFirst else { return }
        try members.add(
            leader.first, Member(leader.arrival, leader.kind, entity: Int(leader.entity)).bits)
    }

    func add(_ follower: KeyEntry, of leader: KeyTable.Leader) throws(BuildError) {
        if !follower.kind.canLead || follower.kind.mustLead { try conditional.add(leader.first, 0) }
        if !follower.isMerged { try others.add(follower.arrival, leader.first) }
        // What is not merged does not make the leader a member.
        if !follower.isMerged, !leader.hasFollowers {
            try members.add(leader.first, Member(leader.arrival, leader.kind, entity: Int(leader.entity)).bits)
        }
        try members.add(
            leader.first, Member(follower.arrival, follower.kind, entity: Int(follower.entity)).bits)
    }
}

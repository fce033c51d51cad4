import SQLiteFileBuilder

/// Classes of the rows and reservations of a table that have equal keys, whatever their entities. Which members of a
/// class are one object depends on which of them are rejected.
///
/// A class is identified by the arrival of its first leader.
final class KeyClasses {
    /// A row or a reservation, with the properties that determine which objects of the class it can be.
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

    /// Returns the files of the classes. No more keys may be added.
    ///
    /// - `members`: by class, the members of classes with several members. A member may come more than once.
    /// - `others`: the leaders that are not the first of their class, and the followers that are not merged into a
    ///   leader, each with its class.
    /// - `conditional`: the classes with rows that cannot be the first with their key, or that must be and are not. A
    ///   class may come more than once.
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
        // A follower that is not merged has not made the leader a member.
        if !follower.isMerged, !leader.hasFollowers {
            try members.add(leader.first, Member(leader.arrival, leader.kind, entity: Int(leader.entity)).bits)
        }
        try members.add(
            leader.first, Member(follower.arrival, follower.kind, entity: Int(follower.entity)).bits)
    }
}

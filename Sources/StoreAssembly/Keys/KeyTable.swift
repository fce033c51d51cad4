/// Different keys in memory, each with the entry that has it first; of objects of several entities with one that no
/// earlier object is found by, each of them.
struct KeyTable {
    struct Leader {
        let digest: KeyDigest
        /// The arrival of the object.
        let arrival: Int64
        let payload: Int64
        let kind: KeyEntry.Kind
        var hasFollowers = false
        /// Which of the key space's entities the object is of.
        let entity: Int16
        /// The index of the next leader with the key plus one; 0 if there is none.
        var next: Int32 = 0
        /// The arrival of the first leader with the key.
        var first: Int64

        init(_ entry: KeyEntry) {
            self.init(
                digest: entry.digest, arrival: entry.arrival, kind: entry.kind, entity: entry.entity,
                payload: entry.payload)
        }

        init(digest: KeyDigest, arrival: Int64, kind: KeyEntry.Kind = .row, entity: Int16 = 0, payload: Int64 = 0) {
            (self.digest, self.arrival, self.kind) = (digest, arrival, kind)
            (self.entity, self.payload) = (entity, payload)
            first = arrival
        }
    }

    private(set) var leaders: [Leader] = []
    /// Open addressing: an index plus one, 0 for a free place; at most half of the places are taken.
    private var slots: [Int32]

    init() {
        slots = [Int32](repeating: 0, count: Self.size(0))
    }

    private static func size(_ count: Int) -> Int {
        var size = 16
        while size < count * 2 { size *= 2 }
        return size
    }

    var count: Int { leaders.count }

    /// The index of the leader of a key; nil if the key is not in the table.
    @inline(__always)
    func index(of digest: KeyDigest) -> Int? {
        let slots = slots.span
        let leaders = leaders.span
        var slot = Int(truncatingIfNeeded: digest.low) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if leaders[index].digest == digest { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The index of the first leader of a key of which objects of an entity are found; nil if there is none.
    ///
    /// - Parameter finds: by entity, those whose objects count as of that entity.
    @inline(__always)
    func index(of digest: KeyDigest, as entity: Int16, _ finds: [[Bool]]) -> Int? {
        guard var index = index(of: digest) else { return nil }
        while leaders[index].entity != entity, !finds[Int(entity)][Int(leaders[index].entity)] {
            guard leaders[index].next != 0 else { return nil }
            index = Int(leaders[index].next) - 1
        }
        return index
    }

    /// Adds a key that is not there, or not of such an entity.
    mutating func append(_ leader: Leader) {
        leaders.append(leader)
        if var index = index(of: leader.digest) {
            leaders[leaders.count - 1].first = leaders[index].first
            while leaders[index].next != 0 { index = Int(leaders[index].next) - 1 }
            leaders[index].next = Int32(truncatingIfNeeded: leaders.count)
            return
        }
        var slot = Int(truncatingIfNeeded: leader.digest.low) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(truncatingIfNeeded: leaders.count)
    }

    /// Adds a key; false if it is there.
    mutating func insert(_ leader: Leader) -> Bool {
        var slot = Int(truncatingIfNeeded: leader.digest.low) & (slots.count - 1)
        while slots[slot] != 0 {
            if leaders[Int(slots[slot]) - 1].digest == leader.digest { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        leaders.append(leader)
        slots[slot] = Int32(truncatingIfNeeded: leaders.count)
        return true
    }

    mutating func noteFollower(of index: Int) {
        leaders[index].hasFollowers = true
    }

    /// Forgets the keys, before at most so many come.
    mutating func removeAll(before count: Int) {
        leaders.removeAll(keepingCapacity: true)
        let size = Self.size(count)
        if size == slots.count {
            for index in slots.indices { slots[index] = 0 }
        } else {
            // What lies close together is found sooner.
            slots = [Int32](repeating: 0, count: size)
        }
    }
}

/// A key of an object on disk.
struct KeyEntry {
    enum Kind: UInt64 {
        /// A row.
        case row
        /// What somebody names and is made where nothing else has the key.
        case reservation
        /// A row that cannot be the first with its key: it lacks what a new object needs.
        case conditional
        /// A row that must be the first with its key.
        case sole
        /// A row that must be the first with its key, and cannot be.
        case impossible

        /// Whether it makes an object where nothing before it has the key.
        var canLead: Bool { self != .conditional && self != .impossible }

        /// Whether nothing before it may have the key.
        var mustLead: Bool { self == .sole || self == .impossible }
    }

    let digest: KeyDigest
    let arrival: Int64
    let kind: Kind
    var entity: Int16
    /// The place of what the kind needs.
    let payload: Int64

    /// Whether it is merged into the row that leads it.
    var isMerged: Bool { kind == .row || kind == .conditional }

    /// Whether nothing is wrong with a row that would be the first with its key, and must not: it does not count.
    var isOptional: Bool { !kind.canLead && payload < 0 }

    /// The place of what the client gets if it is rejected.
    var note: Int64 { isOptional ? -1 - payload : payload }

    /// The payload of a row that does not count where it would be the first with its key.
    static func optionalPayload(_ note: Int64) -> Int64 { -1 - note }

    /// The bits of an entity, and of a kind.
    static let entityBits: UInt64 = 15
    static let kindBits: UInt64 = 3

    init(_ entry: SpoolEntry) {
        digest = entry.digest
        arrival = Int64(entry.first >> (Self.kindBits + Self.entityBits))
        kind = Kind(rawValue: entry.first & (1 << Self.kindBits - 1)) ?? .row
        entity = Int16(entry.first >> Self.kindBits & (1 << Self.entityBits - 1))
        payload = Int64(bitPattern: entry.second)
    }

    /// The words of an entry.
    static func entry(
        _ digest: KeyDigest, _ arrival: Int64, _ kind: Kind, _ entity: Int, payload: Int64
    ) -> SpoolEntry {
        SpoolEntry(
            digest: digest,
            UInt64(arrival) << (kindBits + entityBits) | UInt64(entity) << kindBits | kind.rawValue,
            UInt64(bitPattern: payload))
    }
}

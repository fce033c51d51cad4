/// Different keys in memory, each with its leader, which is the first entry with the key. If objects are of several
/// entities, a key also has a leader for each object that does not match an earlier leader.
struct KeyTable {
    struct Leader {
        let digest: KeyDigest
        /// The arrival of the object.
        let arrival: Int64
        let payload: Int64
        let kind: KeyEntry.Kind
        var hasFollowers = false
        /// The entity of the object, among those of the key space.
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
    /// The slots of a hash table with open addressing: an index of `leaders` plus one, or 0 for a free slot. At most
    /// half of the slots are taken.
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

    /// Returns the index of the first leader of a key; nil if the key is not in the table.
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

    /// Returns the index of the first leader of a key that a look-up for an entity finds; nil if there is no such
    /// leader.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - entity: the entity that is looked up.
    ///   - finds: for each entity, whether a look-up for it finds the objects of each other entity.
    @inline(__always)
    func index(of digest: KeyDigest, as entity: Int16, _ finds: [[Bool]]) -> Int? {
        guard var index = index(of: digest) else { return nil }
        while leaders[index].entity != entity, !finds[Int(entity)][Int(leaders[index].entity)] {
            guard leaders[index].next != 0 else { return nil }
            index = Int(leaders[index].next) - 1
        }
        return index
    }

    /// Adds a leader that the look-up for its entity does not find.
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

    /// Adds a key. Returns false if the table already has it.
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

    /// Removes all keys, before at most a number of keys are added.
    mutating func removeAll(before count: Int) {
        leaders.removeAll(keepingCapacity: true)
        let size = Self.size(count)
        if size == slots.count {
            for index in slots.indices { slots[index] = 0 }
        } else {
            // A table of the right size is faster, because its slots are close together in memory.
            slots = [Int32](repeating: 0, count: size)
        }
    }
}

/// A key of an object on disk.
struct KeyEntry {
    enum Kind: UInt64 {
        /// A row.
        case row
        /// An object that a reference names, and that is created if no other entry has the key.
        case reservation
        /// A row that cannot be the first with its key, because it lacks something that a new object needs.
        case conditional
        /// A row that must be the first with its key.
        case sole
        /// A row that must be the first with its key, and cannot be.
        case impossible

        /// Whether the entry creates an object if no earlier entry has the key.
        var canLead: Bool { self != .conditional && self != .impossible }

        /// Whether no earlier entry may have the key.
        var mustLead: Bool { self == .sole || self == .impossible }
    }

    let digest: KeyDigest
    let arrival: Int64
    let kind: Kind
    var entity: Int16
    /// The offset of the row of a reservation, or of the note of a row, which `optionalPayload` may have changed.
    let payload: Int64

    /// Whether the row is merged into its leader.
    var isMerged: Bool { kind == .row || kind == .conditional }

    /// Whether a row is skipped, and not rejected, if it would be the first with its key.
    var isOptional: Bool { !kind.canLead && payload < 0 }

    /// The offset of the note that the client gets if the row is rejected.
    var note: Int64 { isOptional ? -1 - payload : payload }

    /// Returns the payload of a row that is skipped if it would be the first with its key.
    static func optionalPayload(_ note: Int64) -> Int64 { -1 - note }

    /// The numbers of bits of an entity and of a kind.
    static let entityBits: UInt64 = 15
    static let kindBits: UInt64 = 3

    init(_ entry: SpoolEntry) {
        digest = entry.digest
        arrival = Int64(entry.first >> (Self.kindBits + Self.entityBits))
        kind = Kind(rawValue: entry.first & (1 << Self.kindBits - 1)) ?? .row
        entity = Int16(entry.first >> Self.kindBits & (1 << Self.entityBits - 1))
        payload = Int64(bitPattern: entry.second)
    }

    /// Returns the words of an entry.
    static func entry(
        _ digest: KeyDigest, _ arrival: Int64, _ kind: Kind, _ entity: Int, payload: Int64
    ) -> SpoolEntry {
        SpoolEntry(
            digest: digest,
            UInt64(arrival) << (kindBits + entityBits) | UInt64(entity) << kindBits | kind.rawValue,
            UInt64(bitPattern: payload))
    }
}

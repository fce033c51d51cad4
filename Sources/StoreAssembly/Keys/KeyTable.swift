/// Different keys in memory, each with the entry that has it first.
struct KeyTable {
    struct Leader {
        let digest: KeyDigest
        /// The arrival of the object.
        let arrival: Int64
        let kind: KeyEntry.Kind
        let payload: Int64
        var hasFollowers = false
    }

    private(set) var leaders: [Leader] = []
    /// Open addressing: an index plus one, 0 for a free place; at most half of the places are taken.
    private var slots: [Int32]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
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

    /// Adds a key that is not there.
    mutating func append(_ leader: Leader) {
        leaders.append(leader)
        var slot = Int(truncatingIfNeeded: leader.digest.low) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(truncatingIfNeeded: leaders.count)
    }

    mutating func noteFollower(of index: Int) {
        leaders[index].hasFollowers = true
    }

    mutating func removeAll() {
        leaders.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
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
    }

    let digest: KeyDigest
    let arrival: Int64
    let kind: Kind
    /// The place of what the kind needs.
    let payload: Int64

    init(_ entry: SpoolEntry) {
        digest = entry.digest
        arrival = Int64(entry.first >> 2)
        kind = Kind(rawValue: entry.first & 3) ?? .row
        payload = Int64(bitPattern: entry.second)
    }
}

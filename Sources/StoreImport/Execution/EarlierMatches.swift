/// The objects of a batch as they were before the import, found on another thread than the one that writes.
struct EarlierMatches {
    /// The first instance with each key, in order.
    fileprivate(set) var leaders: [Int] = []
    /// The other instances that have a key, each with the first instance that has it.
    fileprivate var followers: [(instance: Int, leader: Int32)] = []
    /// The number of records that were rejected by then. If it has changed, the keys are made again.
    private let rejectedCount: Int
    /// The primary keys, by instance; 0 if no object was found.
    private(set) var primaryKeys: [Int64]
    private(set) var entities: [Int64]
    /// The attributes that each instance changes, as bits.
    private(set) var changes: [UInt64]
    /// The destinations of the to-one relationships whose keys are in the row, for each instance; 0 if there is none.
    private(set) var toOnes: [Int64]

    /// The largest number of attributes of an object for which there are bits.
    static let mostAttributes = 64

    init(_ count: Int, toOneCount: Int, where isRejected: [Bool]) {
        rejectedCount = Self.count(isRejected)
        primaryKeys = [Int64](repeating: 0, count: count)
        entities = primaryKeys
        changes = [UInt64](repeating: 0, count: count)
        toOnes = [Int64](repeating: 0, count: count * toOneCount)
    }

    mutating func take(_ instance: Int, _ primaryKey: Int64, entity: Int64, changes bits: UInt64) {
        primaryKeys[instance] = primaryKey
        entities[instance] = entity
        changes[instance] = bits
    }

    mutating func forgetObjects() {
        for instance in primaryKeys.indices { primaryKeys[instance] = 0 }
    }

    mutating func setToOne(_ place: Int, _ destination: Int64) { toOnes[place] = destination }

    func isValid(where isRejected: [Bool]) -> Bool { rejectedCount == Self.count(isRejected) }

    private static func count(_ isRejected: [Bool]) -> Int { isRejected.reduce(0) { $1 ? $0 + 1 : $0 } }
}

extension ObjectInstances {
    /// Finds the instances that have the key of an earlier one, and stores them. The states are restored by
    /// `unmarkFollowers`.
    mutating func findFollowers(_ matches: inout EarlierMatches) {
        matches.leaders = markFollowers()
        guard matches.leaders.count < keyed.count else { return }
        for instance in keyed.lazy.map({ Int($0) }) where states[instance] == .follower {
            matches.followers.append((instance, leaders[instance]))
        }
    }

    /// Removes the marks of the instances that have the key of an earlier one.
    mutating func unmarkFollowers(_ matches: EarlierMatches) {
        for (instance, _) in matches.followers {
            states[instance] = .open
            leaders[instance] = -1
        }
    }

    /// Forgets what was found for the batch if some of its records have been rejected since. Returns whether the keys
    /// of the batch still exist.
    mutating func keepsEarlierKeys(where isRejected: [Bool]) -> Bool {
        guard let earlier else { return false }
        if earlier.isValid(where: isRejected) { return true }
        self.earlier = nil
        for instance in 0..<count { (keyStarts[instance], keyEnds[instance]) = (0, 0) }
        return false
    }

    /// Returns the first instance with each key, and marks the other instances that have a key.
    mutating func leadersOfKeys() -> [Int] {
        guard let earlier else { return markFollowers() }
        for (instance, leader) in earlier.followers {
            states[instance] = .follower
            leaders[instance] = leader
        }
        return earlier.leaders
    }
}

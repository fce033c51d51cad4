/// The objects of a batch as they were before the import, found beside the thread that writes.
struct EarlierMatches {
    /// The instances with different keys, in order.
    fileprivate(set) var leaders: [Int] = []
    /// The others that have a key, with the first one that has it.
    fileprivate var followers: [(instance: Int, leader: Int32)] = []
    /// How many records were rejected before: with more, keys are made again.
    private let rejectedCount: Int
    /// The primary keys, by instance; 0 if none was found.
    private(set) var primaryKeys: [Int64]
    private(set) var entities: [Int64]
    /// The attributes that a record changes, a bit for each.
    private(set) var changes: [UInt64]
    /// The destinations of the to-ones that are in the row, for each instance; 0 for none.
    private(set) var toOnes: [Int64]

    /// Attributes of an object for which there are bits.
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
    /// Finds the instances that have the key of an earlier one, without a trace in their states.
    mutating func findFollowers(_ matches: inout EarlierMatches) {
        matches.leaders = markFollowers()
        guard matches.leaders.count < keyed.count else { return }
        for instance in keyed.lazy.map({ Int($0) }) where states[instance] == .follower {
            matches.followers.append((instance, leaders[instance]))
        }
    }

    /// Takes the marks of followers away again.
    mutating func unmarkFollowers(_ matches: EarlierMatches) {
        for (instance, _) in matches.followers {
            states[instance] = .open
            leaders[instance] = -1
        }
    }

    /// Forgets what was found of the batch if records of it were rejected since; whether its keys are there still.
    mutating func keepsEarlierKeys(where isRejected: [Bool]) -> Bool {
        guard let earlier else { return false }
        if earlier.isValid(where: isRejected) { return true }
        self.earlier = nil
        for instance in 0..<count { (keyStarts[instance], keyEnds[instance]) = (0, 0) }
        return false
    }

    /// The instances with different keys; the others that have a key are marked.
    mutating func leadersOfKeys() -> [Int] {
        guard let earlier else { return markFollowers() }
        for (instance, leader) in earlier.followers {
            states[instance] = .follower
            leaders[instance] = leader
        }
        return earlier.leaders
    }
}

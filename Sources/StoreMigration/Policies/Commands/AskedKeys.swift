/// The keys of the source objects that a program was asked about, in ascending order, and what it has said of each.
struct AskedKeys {
    private enum State {
        case asked, answered, made
    }

    let keys: [Int64]
    private var states: [State]
    /// Behind the one that was looked for last: programs mostly answer in the order of the records.
    private var next = 0

    init(_ keys: [Int64] = []) {
        self.keys = keys
        states = Array(repeating: .asked, count: keys.count)
    }

    /// Notes an answer; false for a key that was not asked about.
    mutating func answer(_ key: Int64) -> Bool {
        guard let index = index(of: key) else { return false }
        if states[index] == .asked { states[index] = .answered }
        return true
    }

    /// Notes that an object is made of a key; false if there is one.
    mutating func make(_ key: Int64) -> Bool {
        guard let index = index(of: key), states[index] != .made else { return false }
        states[index] = .made
        return true
    }

    /// The lowest key without an answer.
    var missing: Int64? { states.firstIndex(of: .asked).map { keys[$0] } }

    private mutating func index(of key: Int64) -> Int? {
        if next < keys.count, keys[next] == key {
            next += 1
            return next - 1
        }
        if next > 0, keys[next - 1] == key { return next - 1 }
        var range = 0..<keys.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if keys[middle] == key {
                next = middle + 1
                return middle
            }
            range = keys[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

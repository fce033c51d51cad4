/// The keys of the source objects that were sent to a program, in ascending order, and what it has answered to each.
struct AskedKeys {
    private enum State {
        case asked, answered, made
    }

    let keys: [Int64]
    private var states: [State]
    /// The index after the key that was looked up last, because programs usually answer in the order of the records.
    private var next = 0

    init(_ keys: [Int64] = []) {
        self.keys = keys
        states = Array(repeating: .asked, count: keys.count)
    }

    /// Records an answer; returns false if the key was not sent.
    mutating func answer(_ key: Int64) -> Bool {
        guard let index = index(of: key) else { return false }
        if states[index] == .asked { states[index] = .answered }
        return true
    }

    /// Records that an object is created from a source; returns false if there already is one, or if the key was not
    /// sent.
    mutating func make(_ key: Int64) -> Bool {
        guard let index = index(of: key), states[index] != .made else { return false }
        states[index] = .made
        return true
    }

    /// The lowest key without an answer; nil if there is none.
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

/// The pairs of a property list dictionary, in the order in which they were stored; every key occurs once.
public struct PropertyListDictionary: Sendable {
    /// The keys, in stored order.
    public private(set) var keys: [String] = []
    private var values: [String: PropertyListValue] = [:]

    /// Makes a dictionary without pairs.
    public init() {}

    /// How many pairs there are.
    public var count: Int { keys.count }

    /// Whether there are no pairs.
    public var isEmpty: Bool { keys.isEmpty }

    /// The value under a key; a new key goes to the end, and nil removes one (in linear time).
    public subscript(key: String) -> PropertyListValue? {
        get { values[key] }
        set {
            let previous = values.updateOrRemove(newValue, forKey: key)
            if newValue == nil {
                if previous != nil {
                    keys.removeAll { $0 == key }
                }
            } else if previous == nil {
                keys.append(key)
            }
        }
    }

    /// Adds a pair; false, and no change, when the key is there already.
    mutating func insert(_ value: PropertyListValue, forKey key: String) -> Bool {
        guard values.updateValue(value, forKey: key) == nil else { return false }
        keys.append(key)
        return true
    }

    mutating func reserveCapacity(_ count: Int) {
        keys.reserveCapacity(count)
        values.reserveCapacity(count)
    }
}

extension PropertyListDictionary: Sequence {
    /// Walks the pairs in stored order.
    public func makeIterator() -> AnyIterator<(key: String, value: PropertyListValue)> {
        var remaining = keys.makeIterator()
        return AnyIterator { remaining.next().map { ($0, values[$0] ?? .null) } }
    }

    /// How many pairs there are, which is exact.
    public var underestimatedCount: Int { keys.count }
}

extension PropertyListDictionary: Hashable {
    /// The order of the pairs does not count.
    public static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
        left.values == right.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension Dictionary {
    fileprivate mutating func updateOrRemove(_ value: Value?, forKey key: Key) -> Value? {
        if let value { updateValue(value, forKey: key) } else { removeValue(forKey: key) }
    }
}

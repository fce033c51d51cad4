/// The pairs of a property list dictionary, in the order in which they were stored; every key occurs once.
public struct PropertyListDictionary: Sendable {
    /// The keys, in stored order.
    public private(set) var keys: [String] = []
    private var values: [String: PropertyListValue] = [:]

    /// Makes a dictionary without pairs.
    public init() {}

    /// The number of pairs.
    public var count: Int { keys.count }

    /// Whether there are no pairs.
    public var isEmpty: Bool { keys.isEmpty }

    /// The value of a key; a new key is appended, and nil removes a key (in linear time).
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

    /// Adds a pair; returns false, and changes nothing, if the key exists.
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
    /// Iterates over the pairs in stored order.
    public func makeIterator() -> AnyIterator<(key: String, value: PropertyListValue)> {
        var remaining = keys.makeIterator()
        return AnyIterator { remaining.next().map { ($0, values[$0] ?? .null) } }
    }

    /// The number of pairs, which is exact.
    public var underestimatedCount: Int { keys.count }
}

extension PropertyListDictionary: Hashable {
    /// Returns whether the dictionaries are equal; the order of the pairs is ignored.
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

/// A cache of computed values. If it is full, a new key removes all values.
struct Memo<Key: Hashable, Value> {
    /// The largest number of values; 0 for none.
    let capacity: Int
    private var values: [Key: Value] = [:]

    /// The current number of values.
    var count: Int { values.count }

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns the value of a key, and computes it if it is not cached. If this fails, nothing is cached.
    mutating func value<Failure: Error>(of key: Key, _ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let known = values[key] { return known }
        let value = try make()
        guard capacity > 0 else { return value }
        if values.count >= capacity { values.removeAll() }
        values[key] = value
        return value
    }
}

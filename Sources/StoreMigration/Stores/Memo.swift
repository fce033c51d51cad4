/// The values of keys that were asked for before. A key beyond the most that are kept drops all of them.
struct Memo<Key: Hashable, Value> {
    /// How many values are kept; 0 for none.
    let capacity: Int
    private var values: [Key: Value] = [:]

    /// How many values are there.
    var count: Int { values.count }

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value of a key, which is made where it is not there; one that cannot be made is not kept.
    mutating func value<Failure: Error>(of key: Key, _ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let known = values[key] { return known }
        let value = try make()
        guard capacity > 0 else { return value }
        if values.count >= capacity { values.removeAll() }
        values[key] = value
        return value
    }
}

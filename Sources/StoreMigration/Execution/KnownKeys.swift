import SQLiteAccess

/// The keys that a statement has found so far, up to a memory limit. Later rows with these keys need not be sorted.
final class KnownKeys: RecordFunction {
    /// The name of the function in SQL. It returns whether a key is new, and remembers the key. The arguments are a
    /// number that identifies the statement, and the values of the key. The function must only be called for rows that
    /// are taken, and the first row of a key must come first.
    static let function = "ferry_is_new_key"

    private let limits: MigrationLimits
    /// A hash table: for each slot, the position of a key in `keys`, plus 1; 0 if the slot is empty. If the slot of a
    /// key is taken, the key is in one of the next slots.
    @exclusivity(unchecked) private var places: [UInt32] = []
    /// The keys, each preceded by its length in four bytes.
    @exclusivity(unchecked) private var keys: [UInt8] = []
    @exclusivity(unchecked) private var count = 0
    /// The key that is being looked up. Keys with equal bytes are equal. Other keys may be equal too, such as 1 and
    /// 1.0; their rows are sorted unnecessarily.
    @exclusivity(unchecked) private var row = RowKey()

    /// The maximum number of slots that are examined for a key, so that keys with equal hashes cost little time.
    private static let mostProbes = 16

    private init(_ limits: MigrationLimits) {
        self.limits = limits
    }

    /// Registers the function on a connection.
    static func register(on connection: Connection, _ limits: MigrationLimits) throws(SQLiteError) {
        try connection.registerFunction(function, argumentCount: -1, deterministic: false, KnownKeys(limits))
    }

    func addNull() { row.addNull() }
    func add(_ value: Int64) { row.add(value) }
    func add(_ value: Double) { row.add(value) }
    func add(text: Span<UInt8>) { row.add(text: text) }
    func add(blob: Span<UInt8>) { row.add(blob: blob) }

    func result() -> SQLiteValue {
        defer { row.removeAll() }
        return .integer(isNew(row.bytes) ? 1 : 0)
    }

    /// Returns whether a key is new, and remembers it if there is room.
    private func isNew(_ key: [UInt8]) -> Bool {
        if places.isEmpty {
            var size = 64
            while size < 2 * limits.knownKeys { size *= 2 }
            places = [UInt32](repeating: 0, count: size)
        }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash ^= hash >> 32
        let mask = places.count - 1
        for probe in 0..<Self.mostProbes {
            let slot = (Int(truncatingIfNeeded: hash) &+ probe) & mask
            guard places[slot] > 0 else {
                if count < limits.knownKeys, keys.count + key.count <= limits.knownKeyBytes { add(key, at: slot) }
                return true
            }
            if isKey(key, at: Int(places[slot]) - 1) { return false }
        }
        return true
    }

    private func add(_ key: [UInt8], at slot: Int) {
        places[slot] = UInt32(keys.count + 1)
        let length = UInt32(key.count)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { keys.append(UInt8(truncatingIfNeeded: length >> shift)) }
        keys += key
        count += 1
    }

    private func isKey(_ key: [UInt8], at place: Int) -> Bool {
        let length = (0..<4).reduce(0) { $0 | Int(keys[place + $1]) << ($1 * 8) }
        guard length == key.count else { return false }
        for index in 0..<length where keys[place + 4 + index] != key[index] { return false }
        return true
    }
}

import SQLiteAccess

/// Which keys a statement has come across, as far as some memory holds them: rows that have one of these again are not
/// sorted.
final class KnownKeys {
    /// What statements call it: whether a key is not known, which it is from then on. The arguments are a number of the
    /// statement's own and the values of the key. Only rows that count may come, in the order in which the first does.
    static let function = "ferry_is_new_key"

    private let limits: MigrationLimits
    /// By hash, the place of a key behind 1; 0 for none. A key is behind those that had the place before it.
    @exclusivity(unchecked) private var places: [UInt32] = []
    /// The keys, each behind its length in four bytes.
    @exclusivity(unchecked) private var keys: [UInt8] = []
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var key: [UInt8] = []

    /// Places that are looked at for a key, so that keys of one hash cost little.
    private static let mostProbes = 16

    private init(_ limits: MigrationLimits) {
        self.limits = limits
    }

    /// Makes the function callable on a connection.
    static func register(on connection: Connection, _ limits: MigrationLimits) throws(SQLiteError) {
        let known = KnownKeys(limits)
        try connection.registerFunction(function, argumentCount: -1, deterministic: false) { arguments in
            known.write(arguments)
            return .integer(known.addKey() ? 1 : 0)
        }
    }

    /// Keys with equal bytes are equal; others may be, as 1 and 1.0 are, and then are sorted for nothing.
    private func write(_ arguments: borrowing FunctionArguments) {
        key.removeAll(keepingCapacity: true)
        for index in 0..<arguments.count {
            let storage = arguments.storageClass(index)
            key.append(UInt8(storage.rawValue))
            switch storage {
            case .null: break
            case .integer: append(UInt64(bitPattern: arguments.integer(index)))
            case .real: append(arguments.real(index).bitPattern)
            case .text, .blob:
                arguments.withBytes(index) { bytes in
                    append(UInt64(bytes.count))
                    key.append(contentsOf: bytes)
                }
            }
        }
    }

    private func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { key.append(contentsOf: $0) }
    }

    /// Whether the key was not known; it is now, if there is room for it.
    private func addKey() -> Bool {
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
                if count < limits.knownKeys, keys.count + key.count <= limits.knownKeyBytes { add(at: slot) }
                return true
            }
            if isKey(at: Int(places[slot]) - 1) { return false }
        }
        return true
    }

    private func add(at slot: Int) {
        places[slot] = UInt32(keys.count + 1)
        let length = UInt32(key.count)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { keys.append(UInt8(truncatingIfNeeded: length >> shift)) }
        keys += key
        count += 1
    }

    private func isKey(at place: Int) -> Bool {
        let length = (0..<4).reduce(0) { $0 | Int(keys[place + $1]) << ($1 * 8) }
        guard length == key.count else { return false }
        for index in 0..<length where keys[place + 4 + index] != key[index] { return false }
        return true
    }
}

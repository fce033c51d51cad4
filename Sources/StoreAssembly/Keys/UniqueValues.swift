public import SQLiteFileBuilder

/// The values of a table's rows that must be unique and are not the key of the objects. They are spooled with the rows that
/// have them, in parts by digest.
///
/// A constraint has one or more slots. An object has one value in each slot, and two objects must not have the same
/// values in all slots of a constraint.
public final class UniqueValues {
    let table: AssembledTable
    /// The slots of each constraint.
    let constraints: [[Int]]
    /// The number of slots.
    let slots: Int
    private let limits: AssemblyLimits
    @exclusivity(unchecked) private var entries: PartitionedWords
    /// The slots that rows of objects with a key have, by arrival, each with a `Saying`.
    let said: PairFile

    /// The content of a row for a slot.
    enum Saying: Int64 {
        case value
        case null
        /// No value, but if the row creates its object, the object has the default.
        case byDefault
    }

    /// The largest number of slots. An entry has the slot and the number of its row in one word.
    public static let mostSlots = 1 << slotBits
    private static let slotBits = 16
    static let sayingBits: Int64 = 2

    init(
        _ table: AssembledTable, constraints: [[Int]], path: String, _ limits: AssemblyLimits
    ) throws(BuildError) {
        self.table = table
        self.constraints = constraints
        slots = (constraints.joined().max() ?? -1) + 1
        self.limits = limits
        entries = try PartitionedWords(width: SpoolEntry.width, path: path, limits)
        said = try PairFile(path)
    }

    /// Adds a value of a row, or the default that its object gets if the row creates the object. Rows come in order.
    ///
    /// - Parameters:
    ///   - value: the digest of the value.
    ///   - slot: the slot of the value.
    ///   - arrival: the number of the row.
    ///   - key: the digest of the object's key; nil if no other row can belong to the object.
    ///   - isDefault: whether the value is a default, which an existing object does not get.
    ///   - note: the place of the note that the client gets if another object has the value.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ value: KeyDigest, slot: Int, row arrival: Int64, key: KeyDigest?, isDefault: Bool, note: Int64
    ) throws(BuildError) {
        if key != nil { try say(isDefault ? .byDefault : .value, slot, arrival) }
        // No key has the highest bits all set but by an accident.
        let object = key ?? KeyDigest(high: .max, low: UInt64(arrival))
        try entries.append(
            SpoolEntry(
                digest: value.of(entity: Int64(slot)), UInt64(arrival) << Self.slotBits | UInt64(slot), UInt64(note),
                object.high, object.low))
    }

    /// Adds that a row of an object with a key has NULL in a slot.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func addNull(slot: Int, row arrival: Int64) throws(BuildError) {
        try say(.null, slot, arrival)
    }

    private func say(_ saying: Saying, _ slot: Int, _ arrival: Int64) throws(BuildError) {
        try said.append(arrival, Int64(slot) << Self.sayingBits | saying.rawValue)
    }

    /// Finds the rows with values that rows of several objects have: arrival, slot, number of the value, place of the note.
    func findShared(_ shared: TupleSorter) throws(BuildError) {
        try entries.finish()
        try said.finish()
        try visit(entries, shared)
    }

    /// Returns the number of an entry's row.
    private static func arrival(of entry: SpoolEntry) -> Int64 { Int64(entry.first >> slotBits) }

    /// Reads the values of each part into memory; parts with too many are parted again.
    private func visit(_ entries: PartitionedWords, _ shared: TupleSorter) throws(BuildError) {
        var values = ValueTable()
        for part in 0..<PartitionedWords.parts where !entries.isEmpty(part) {
            values.removeAll(before: min(limits.keysInMemory, entries.count(in: part)))
            var isTooLarge = false
            try entries.forEach(in: part) { (entry) throws(BuildError) in
                let arrival = Self.arrival(of: entry)
                guard !isTooLarge, !table.rejected.contains(arrival) else { return }
                if values.note(entry) { return }
                guard values.count < limits.keysInMemory || !entries.isDivisible else {
                    isTooLarge = true
                    return
                }
                values.append(entry, arrival)
            }
            guard !isTooLarge else {
                try visit(entries.parted(part), shared)
                continue
            }
            guard values.hasShared else { continue }
            try entries.forEach(in: part) { (entry) throws(BuildError) in
                let arrival = Self.arrival(of: entry)
                guard !table.rejected.contains(arrival), let number = values.sharedNumber(entry.digest)
                else { return }
                let slot = Int64(entry.first & (1 << UInt64(Self.slotBits) - 1))
                try shared.add([arrival, slot, number, Int64(entry.second)])
            }
        }
    }
}

/// Different values in memory, each with the object that says it first.
private struct ValueTable {
    private var keys = KeyTable()
    /// By index in `keys`, the object.
    private var objects: [KeyDigest] = []
    /// Whether rows of several objects say one of them.
    private(set) var hasShared = false

    var count: Int { keys.count }

    mutating func removeAll(before count: Int) {
        keys.removeAll(before: count)
        objects.removeAll(keepingCapacity: true)
        hasShared = false
    }

    /// Takes note of a value that is there; false where it is not.
    mutating func note(_ entry: SpoolEntry) -> Bool {
        guard let index = keys.index(of: entry.digest) else { return false }
        if objects[index] != KeyDigest(high: entry.third, low: entry.fourth) {
            keys.noteFollower(of: index)
            hasShared = true
        }
        return true
    }

    mutating func append(_ entry: SpoolEntry, _ arrival: Int64) {
        keys.append(KeyTable.Leader(digest: entry.digest, arrival: arrival))
        objects.append(KeyDigest(high: entry.third, low: entry.fourth))
    }

    /// The number of a value that rows of several objects say: the first arrival that says it.
    func sharedNumber(_ digest: KeyDigest) -> Int64? {
        keys.index(of: digest).flatMap { keys.leaders[$0].hasFollowers ? keys.leaders[$0].arrival : nil }
    }
}

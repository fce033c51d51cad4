public import SQLiteFileBuilder

/// The values of a table's rows that no two objects may share, beside those that tell the objects apart: spooled with
/// the rows that say them, parted by digest.
public final class UniqueValues {
    let table: AssembledTable
    private let limits: AssemblyLimits
    @exclusivity(unchecked) private var entries: PartitionedWords
    /// The rows of objects with a key that say a value, by arrival: 1 for NULL, else 0.
    let said: PairFile

    init(_ table: AssembledTable, path: String, _ limits: AssemblyLimits) throws(BuildError) {
        self.table = table
        self.limits = limits
        entries = try PartitionedWords(width: SpoolEntry.width, path: path, limits)
        said = try PairFile(path)
    }

    /// A row says a value. Rows come in order.
    ///
    /// - Parameters:
    ///   - value: the digest of the value.
    ///   - arrival: the number of the row.
    ///   - key: the digest of the key that rows of the same object have; nil if no other row is of that object.
    ///   - note: the place of what the client gets if another object has the value.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ value: KeyDigest, row arrival: Int64, key: KeyDigest?, note: Int64
    ) throws(BuildError) {
        if key != nil { try said.append(arrival, 0) }
        // No key has the highest bits all set but by an accident.
        let object = key ?? KeyDigest(high: .max, low: UInt64(arrival))
        try entries.append(
            SpoolEntry(digest: value, UInt64(arrival), UInt64(note), object.high, object.low))
    }

    /// A row of an object with a key says that it has no value.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func addNull(row arrival: Int64) throws(BuildError) {
        try said.append(arrival, 1)
    }

    /// Finds the rows with values that rows of several objects say: arrival, number of the value, place of the note.
    func findShared(_ shared: TupleSorter) throws(BuildError) {
        try entries.finish()
        try said.finish()
        try visit(entries, shared)
    }

    /// Reads the values of each part into memory; parts with too many are parted again.
    private func visit(_ entries: PartitionedWords, _ shared: TupleSorter) throws(BuildError) {
        var values = ValueTable()
        for part in 0..<PartitionedWords.parts where !entries.isEmpty(part) {
            values.removeAll(before: min(limits.keysInMemory, entries.count(in: part)))
            var isTooLarge = false
            try entries.forEach(in: part) { (entry) throws(BuildError) in
                guard !isTooLarge, !table.rejected.contains(Int64(entry.first)) else { return }
                if values.note(entry) { return }
                guard values.count < limits.keysInMemory || !entries.isDivisible else {
                    isTooLarge = true
                    return
                }
                values.append(entry)
            }
            guard !isTooLarge else {
                try visit(entries.parted(part), shared)
                continue
            }
            guard values.hasShared else { continue }
            try entries.forEach(in: part) { (entry) throws(BuildError) in
                guard !table.rejected.contains(Int64(entry.first)), let number = values.sharedNumber(entry.digest)
                else { return }
                try shared.add([Int64(entry.first), number, Int64(entry.second)])
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

    mutating func append(_ entry: SpoolEntry) {
        keys.append(KeyTable.Leader(digest: entry.digest, arrival: Int64(entry.first)))
        objects.append(KeyDigest(high: entry.third, low: entry.fourth))
    }

    /// The number of a value that rows of several objects say: the first arrival that says it.
    func sharedNumber(_ digest: KeyDigest) -> Int64? {
        keys.index(of: digest).flatMap { keys.leaders[$0].hasFollowers ? keys.leaders[$0].arrival : nil }
    }
}

public import SQLiteFileBuilder

/// The rows of a table whose objects are found by several keys. A row with one key may change another key, and an
/// object that is found by one key may have been created by a row that has only another key.
///
/// The rows are read in their order. The values that each object has at that point, and the objects that have each key,
/// are on disk.
public final class SeveralKeys {
    /// The objects that have the keys. The assembly owns the table.
    private unowned let table: AssembledTable
    /// The numbers of the parts of each key. Different keys may share parts.
    private var keys: [[Int]] = []
    /// For each entity, whether a look-up for it finds the objects of each other entity.
    private let finds: [[Bool]]
    private let limits: AssemblyLimits
    /// The entities for which objects are looked up by each key.
    @exclusivity(unchecked) private var wanted: [Set<Int>] = []
    /// Tuples of arrival, part, `ChangingKeys.Saying`, the two halves of the digest, entity, record and phase.
    private let sayings: TupleSorter
    /// Tuples of arrival, key, kind and payload.
    private let rows: TupleSorter
    private let memory: SpoolMemory
    /// The contents of `sayings` and `rows` in the order of the records, as tuples of record, phase, arrival, entity,
    /// one more than the key or 0, kind, and payload, followed by the `ChangingKeys.Saying` and the digest of each
    /// part.
    private var inOrder: TupleCursor?
    /// The number of rows that look up an object.
    @exclusivity(unchecked) private var rowCount = 0

    init(_ table: AssembledTable, finds: [[Bool]], _ limits: AssemblyLimits, _ memory: SpoolMemory) {
        self.table = table
        self.finds = finds
        self.limits = limits
        self.memory = memory
        sayings = TupleSorter(width: 8, memory)
        rows = TupleSorter(width: 4, memory)
    }

    /// Adds a key.
    ///
    /// - Parameter parts: the numbers of its parts, from 0.
    /// - Returns: its number.
    func addKey(_ parts: [Int]) -> Int {
        keys.append(parts)
        wanted.append([])
        return keys.count - 1
    }

    private var partCount: Int { (keys.joined().max() ?? -1) + 1 }

    // MARK: - Spooling

    /// Adds the value that a row, or an object that is created because a record refers to it, has for a part of keys.
    /// All parts of a row must be added.
    ///
    /// - Parameters:
    ///   - digest: the digest of the value or, if there is none, of the default for new objects; nil for NULL.
    ///   - isDefault: whether the row has no value.
    ///   - part: the number of the part, from 0.
    ///   - arrival: the number of the row or the object.
    ///   - entity: the entity, among those of the keys, of an object that the row creates.
    ///   - moment: the moment at which the row is written.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(
        _ digest: KeyDigest?, isDefault: Bool, part: Int, of arrival: Int64, entity: Int, at moment: RecordMoment
    ) throws(BuildError) {
        try sayings.add([
            arrival, Int64(part), ChangingKeys.Saying(digest, isDefault: isDefault).rawValue,
            Int64(bitPattern: digest?.high ?? 0),
            Int64(bitPattern: digest?.low ?? 0), Int64(entity), moment.record, moment.phase,
        ])
    }

    /// Adds a row that looks up its object by its values for the parts of a key, or an object that is created if no
    /// other object has the key.
    func add(
        _ arrival: Int64, _ kind: KeyEntry.Kind, _ entity: Int, payload: Int64, key: Int
    ) throws(BuildError) {
        wanted[key].insert(entity)
        rowCount += 1
        try rows.add([arrival, Int64(key), Int64(kind.rawValue), payload])
    }

    /// Returns the rows in the order of the records.
    private func cursor() throws(BuildError) -> TupleCursor {
        if let inOrder { return inOrder.restarted() }
        let sorter = TupleSorter(width: 7 + 3 * partCount, memory)
        let (sayings, rows) = (try sayings.sorted(), try rows.sorted())
        var (saying, row) = (try sayings.next(), try rows.next())
        while let first = saying {
            var tuple = [first[6], first[7], first[0], first[5], 0, 0, 0]
            while let next = saying, next[0] == first[0] {
                tuple += next[2...4]
                saying = try sayings.next()
            }
            if let next = row, next[0] == first[0] {
                (tuple[4], tuple[5], tuple[6]) = (next[1] + 1, next[2], next[3])
                row = try rows.next()
            }
            try sorter.add(tuple)
        }
        let made = try sorter.sorted()
        inOrder = made
        return made.restarted()
    }

    // MARK: - Meeting

    /// Determines which rows are one object, and which objects are created because records refer to them.
    func identify(_ results: IdentifiedKeys) throws(BuildError) {
        let rows = try cursor()
        let path = table.builder.path
        let held = try HeldValues(parts: partCount, beside: path, pages: limits.constraintPages)
        let holders = try KeyHolders(count: rowCount * keys.count, beside: path, pages: limits.constraintPages)
        /// The objects with several rows.
        var groups = RejectedRows()
        var count: Int64 = 0
        while let row = try rows.next() {
            let (arrival, entity) = (row[2], Int(row[3]))
            guard !table.isLeftOut(arrival) else { continue }
            let parts = stride(from: 7, to: row.count, by: 3).map { Part(row[$0..<$0 + 3]) }
            var object: Int64?
            if row[4] > 0 {
                let key = Int(row[4]) - 1
                let digest = keys[key].reduce(KeyDigest?.none) { digest, part in
                    digest?.joined(with: parts[part].digest) ?? parts[part].digest
                }
                // A row that is skipped in any case has no key.
                if let digest, keys[key].allSatisfy({ parts[$0].saying == .value }) {
                    object = try holders.first(at: holders.place(of: digest, key, as: entity)) {
                        (other) throws(BuildError) in try held.key(keys[key], of: other) == digest
                    }
                }
                let entry = KeyEntry(
                    KeyEntry.entry(
                        digest ?? KeyDigest(high: 0, low: 0), arrival, KeyEntry.Kind(rawValue: UInt64(row[5])) ?? .row,
                        entity, payload: row[6]))
                if let object {
                    var leader = KeyTable.Leader(digest: entry.digest, arrival: object)
                    leader.hasFollowers = true
                    try results.add(entry, of: leader)
                    guard entry.isMerged else { continue }
                    if groups.insert(object) { try results.add(leader) }
                } else if !entry.kind.canLead {
                    try results.add(entry, of: nil)
                    continue
                } else if entry.kind == .reservation {
                    try results.create(arrival, row: entry.payload)
                }
            }
            let known = object ?? arrival
            var former = [KeyDigest?](repeating: nil, count: keys.count)
            if object == nil {
                count += 1
                try held.add(arrival, entity: entity, number: count)
            } else {
                for (index, key) in keys.enumerated() { former[index] = try held.key(key, of: known) }
            }
            let rule = object == nil ? nil : table.matchRule(of: arrival) ?? .update
            for (index, part) in parts.enumerated() {
                try held.take(part.saying, part.digest, at: index, of: known, rule)
            }
            let own = try held.entity(of: known)
            for (index, key) in keys.enumerated() {
                guard let digest = try held.key(key, of: known), digest != former[index] else { continue }
                for entity in wanted[index] where entity == own || finds[entity][own] {
                    try holders.add(
                        known, number: held.number(of: known), at: holders.place(of: digest, index, as: entity))
                }
            }
        }
    }

    /// The content of a row for a part.
    private struct Part {
        let saying: ChangingKeys.Saying
        let digest: KeyDigest

        init(_ words: ArraySlice<Int64>) {
            let words = Array(words)
            saying = ChangingKeys.Saying(rawValue: words[0]) ?? .nothing
            digest = KeyDigest(high: UInt64(bitPattern: words[1]), low: UInt64(bitPattern: words[2]))
        }
    }
}

/// The values of objects for the parts of keys, on disk.
private struct HeldValues {
    private let file: NumberFile
    private let width: Int64

    init(parts: Int, beside path: String, pages: Int) throws(BuildError) {
        file = try NumberFile(beside: path, pages: pages)
        // The entity and the number of an object come before its values.
        width = 2 * Int64(parts) + 2
    }

    func entity(of object: Int64) throws(BuildError) -> Int { Int(try file.number(at: object * width)) }

    /// Returns the number of objects that existed when an object was created, including itself.
    func number(of object: Int64) throws(BuildError) -> Int64 { try file.number(at: object * width + 1) }

    func add(_ object: Int64, entity: Int, number: Int64) throws(BuildError) {
        try file.set(Int64(entity), at: object * width)
        try file.set(number, at: object * width + 1)
    }

    /// Returns the value of a part; nil for NULL, for which the file has zeros. It is practically impossible that a
    /// digest has only zeros.
    private func value(_ part: Int, of object: Int64) throws(BuildError) -> KeyDigest? {
        let place = object * width + 2 + 2 * Int64(part)
        let digest = KeyDigest(
            high: UInt64(bitPattern: try file.number(at: place)),
            low: UInt64(bitPattern: try file.number(at: place + 1)))
        return digest == KeyDigest(high: 0, low: 0) ? nil : digest
    }

    /// Applies the content of a row for a part.
    ///
    /// - Parameters:
    ///   - saying: the kind of the content.
    ///   - digest: the digest of the value or the default.
    ///   - part: the number of the part.
    ///   - object: the object of the row.
    ///   - rule: the rule by which the row changes an existing object; nil for a new object.
    func take(
        _ saying: ChangingKeys.Saying, _ digest: KeyDigest, at part: Int, of object: Int64,
        _ rule: ObjectForm.MatchRule?
    ) throws(BuildError) {
        var new = KeyDigest(high: 0, low: 0)
        switch (saying, rule) {
        case (.byDefault, nil), (.value, nil), (.value, .update): new = digest
        case (.null, .update): break
        case (.value, .fill):
            guard try value(part, of: object) == nil else { return }
            new = digest
        default: return
        }
        let place = object * width + 2 + 2 * Int64(part)
        try file.set(Int64(bitPattern: new.high), at: place)
        try file.set(Int64(bitPattern: new.low), at: place + 1)
    }

    /// Returns the digest of an object's key; nil if a part is NULL.
    func key(_ parts: [Int], of object: Int64) throws(BuildError) -> KeyDigest? {
        var key: KeyDigest?
        for part in parts {
            guard let value = try value(part, of: object) else { return nil }
            key = key?.joined(with: value) ?? value
        }
        return key
    }
}

/// The objects that have keys. Each key has a heap on disk, whose top is the object that was created first.
///
/// An object that loses a key stays in the heap of the key until it comes to the top.
private final class KeyHolders {
    /// The tops of the heaps, by key and the entity that is looked up.
    private let tops: DigestTable
    /// The nodes of the heaps, with five numbers each: the object, the two nodes below it, the length of the shortest
    /// way down, which begins with the second of these nodes, and the number of the object in the order of creation.
    private let nodes: NumberFile
    @exclusivity(unchecked) private var lastNode: Int64 = 0

    init(count: Int, beside path: String, pages: Int) throws(BuildError) {
        tops = try DigestTable(count: count, beside: path, pages: pages)
        nodes = try NumberFile(beside: path, pages: pages)
    }

    /// Returns the place of the top of a key's heap, and adds an empty heap if there is none.
    func place(of digest: KeyDigest, _ key: Int, as entity: Int) throws(BuildError) -> Int64 {
        try tops.place(of: digest.of(entity: Int64(key) << Int64(KeyEntry.entityBits) | Int64(entity)))
    }

    /// Returns the first object of a heap that still has the key; those before it leave the heap.
    func first(at place: Int64, hasKey: (Int64) throws(BuildError) -> Bool) throws(BuildError) -> Int64? {
        while case let top = try tops.entries.number(at: place), top != 0 {
            let object = try nodes.number(at: 5 * top)
            if try hasKey(object) { return object }
            try tops.entries.set(merge(nodes.number(at: 5 * top + 1), nodes.number(at: 5 * top + 2)), at: place)
        }
        return nil
    }

    /// Adds an object to a heap.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - number: the number of the object in the order of creation.
    ///   - place: the place of the heap's top.
    func add(_ object: Int64, number: Int64, at place: Int64) throws(BuildError) {
        lastNode += 1
        try nodes.set(object, at: 5 * lastNode)
        try nodes.set(1, at: 5 * lastNode + 3)
        try nodes.set(number, at: 5 * lastNode + 4)
        try tops.entries.set(merge(tops.entries.number(at: place), lastNode), at: place)
    }

    /// Merges two heaps, and returns the top of the result. The heaps are leftist: the way down to the right is short,
    /// so the recursion is not deep.
    private func merge(_ one: Int64, _ other: Int64) throws(BuildError) -> Int64 {
        guard one != 0, other != 0 else { return max(one, other) }
        let isFirst = try nodes.number(at: 5 * one + 4) <= nodes.number(at: 5 * other + 4)
        let (top, rest) = isFirst ? (one, other) : (other, one)
        let merged = try merge(nodes.number(at: 5 * top + 2), rest)
        let left = try nodes.number(at: 5 * top + 1)
        let (leftLength, length) = (try length(left), try length(merged))
        try nodes.set(leftLength >= length ? left : merged, at: 5 * top + 1)
        try nodes.set(leftLength >= length ? merged : left, at: 5 * top + 2)
        try nodes.set(min(leftLength, length) + 1, at: 5 * top + 3)
        return top
    }

    private func length(_ node: Int64) throws(BuildError) -> Int64 {
        node == 0 ? 0 : try nodes.number(at: 5 * node + 3)
    }
}

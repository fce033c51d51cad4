import SQLiteFileBuilder

/// The objects of a table that are found by several keys, while its rows are read in the order of their records.
final class KeyedObjects {
    let table: AssembledTable
    let results: IdentifiedKeys
    let held: HeldValues
    /// What rows get if another object has the values of a constraint.
    let notes: PairFile?
    /// The objects whose values rows must not have; nil if they do not matter.
    let rivalry: Rivalry?
    private let keys: [[Int]]
    private let wanted: [Set<Int>]
    private let constraints: [[Int]]
    private let finds: [[Bool]]
    private let holders: KeyHolders
    private let rows: TupleCursor
    /// The next row, as `SeveralKeys` has it; nil after the last one.
    @exclusivity(unchecked) private(set) var next: [Int64]?
    /// The objects that several rows belong to.
    @exclusivity(unchecked) private var groups = RejectedRows()
    @exclusivity(unchecked) private var objectCount: Int64 = 0
    /// The values that objects had before the rows of the current record.
    @exclusivity(unchecked) private var changes: [(object: Int64, part: Int, value: KeyDigest?)] = []

    /// - Parameters:
    ///   - rows: the rows in the order of their records, as `SeveralKeys` has them.
    ///   - keys: by key, the numbers of its parts.
    ///   - wanted: by key, the entities for which objects are looked up.
    ///   - constraints: by uniqueness constraint, the numbers of its parts.
    ///   - finds: by entity, the entities whose objects a look-up for it finds.
    ///   - results: gets the objects of the rows.
    ///   - notes: by row, the offset of what the client gets if another object has the values of a constraint.
    ///   - rivalry: gets the objects whose values rows must not have; nil if they do not matter.
    init(
        _ table: AssembledTable, _ rows: TupleCursor, keys: [[Int]], wanted: [Set<Int>], constraints: [[Int]],
        finds: [[Bool]], _ results: IdentifiedKeys, held: HeldValues, holders: KeyHolders, notes: PairFile?,
        _ rivalry: Rivalry?
    ) throws(BuildError) {
        (self.table, self.rows, self.results, self.held, self.holders) = (table, rows, results, held, holders)
        (self.keys, self.wanted, self.constraints, self.finds) = (keys, wanted, constraints, finds)
        (self.notes, self.rivalry) = (notes, rivalry)
        try advance()
    }

    /// The record and the phase of the next row; nil after the last row.
    var moment: RecordMoment? { next.map { RecordMoment(record: $0[0], phase: $0[1]) } }

    /// Moves to the next row that is not left out.
    func advance() throws(BuildError) {
        repeat { next = try rows.next() } while next.map { table.isLeftOut($0[2]) } ?? false
    }

    /// Returns what a row looks up its object with; nil for a row that makes an object in any case.
    func entry(of row: [Int64]) -> KeyEntry? {
        guard row[4] > 0 else { return nil }
        let digest = keys[Int(row[4]) - 1].reduce(KeyDigest?.none) { found, part in
            let own = self.digest(part, of: row)
            return found?.joined(with: own) ?? own
        }
        return KeyEntry(
            KeyEntry.entry(
                digest ?? KeyDigest(high: 0, low: 0), row[2], KeyEntry.Kind(rawValue: UInt64(row[5])) ?? .row,
                Int(row[3]), payload: row[6]))
    }

    /// Returns what a row says of a part of the keys.
    private func saying(_ part: Int, of row: [Int64]) -> ChangingKeys.Saying {
        ChangingKeys.Saying(rawValue: row[7 + 3 * part]) ?? .nothing
    }

    private func digest(_ part: Int, of row: [Int64]) -> KeyDigest { KeyDigest(row[8 + 3 * part], row[9 + 3 * part]) }

    /// Returns the object that a row finds by its key; nil if there is none.
    ///
    /// - Parameter entry: what the row looks up its object with.
    func object(of row: [Int64], _ entry: KeyEntry) throws(BuildError) -> Int64? {
        let number = Int(row[4]) - 1
        // A row that does not count in any case has no key.
        guard keys[number].allSatisfy({ saying($0, of: row) == .value }) else { return nil }
        return try holder(
            of: entry.digest, of: keys[number], at: holders.place(of: entry.digest, number, as: Int(row[3])))
    }

    /// Gives the values of a row to its object.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - found: the object that the row has found; nil if the row makes an object.
    ///   - record: the number of the row's record.
    /// - Returns: the number of a constraint whose values another object has; nil if all values are unique.
    func change(_ row: [Int64], found: Int64?, of record: Int64) throws(BuildError) -> Int? {
        let arrival = row[2]
        let object = found ?? arrival
        if found == nil {
            objectCount += 1
            try held.add(object, entity: Int(row[3]), number: objectCount)
        }
        let former = try keys.map { (key) throws(BuildError) in try held.key(key, of: object) }
        let formerUnique = try constraints.map { (parts) throws(BuildError) in try held.key(parts, of: object) }
        let rule = found == nil ? nil : table.matchRule(of: arrival) ?? .update
        for part in 0..<(row.count - 7) / 3 {
            let value = try held.value(part, of: object)
            try held.take(saying(part, of: row), digest(part, of: row), at: part, of: object, rule)
            if try held.value(part, of: object) != value { changes.append((object, part, value)) }
        }
        var refused: Int?
        // SQLite checks the index first that was created last.
        for (number, parts) in constraints.enumerated().reversed() {
            guard let digest = try held.key(parts, of: object), digest != formerUnique[number] else { continue }
            let other = try holder(
                of: digest, of: parts, at: holders.place(of: digest, keys.count + number, as: 0), except: object)
            guard let other else { continue }
            refused = refused ?? number
            try rivalry?.note(refused: arrival, because: other, of: record)
        }
        if let refused { return refused }
        rivalry?.note(arrival, of: object)
        try addHolder(object) { number, digest in
            digest != (number < keys.count ? former[number] : formerUnique[number - keys.count])
        }
        return nil
    }

    /// Returns the first object that has a key.
    private func holder(
        of digest: KeyDigest, of parts: [Int], at place: Int64, except object: Int64? = nil
    ) throws(BuildError) -> Int64? {
        try holders.first(at: place) { (other) throws(BuildError) in
            if other == object { return false }
            return try held.key(parts, of: other) == digest
        }
    }

    /// Records that an object has its keys, and the values of its constraints.
    ///
    /// - Parameter isMeant: returns whether a key is recorded, or a constraint, whose numbers follow those of the keys.
    private func addHolder(_ object: Int64, where isMeant: (Int, KeyDigest) -> Bool) throws(BuildError) {
        let (own, number) = (try held.entity(of: object), try held.number(of: object))
        for (index, key) in keys.enumerated() {
            guard let digest = try held.key(key, of: object), isMeant(index, digest) else { continue }
            for entity in wanted[index] where entity == own || finds[entity][own] {
                try holders.add(object, number: number, at: holders.place(of: digest, index, as: entity))
            }
        }
        for (index, parts) in constraints.enumerated() {
            let index = keys.count + index
            guard let digest = try held.key(parts, of: object), isMeant(index, digest) else { continue }
            try holders.add(object, number: number, at: holders.place(of: digest, index, as: 0))
        }
    }

    /// Records what a row of a record that counts belongs to.
    ///
    /// - Parameter object: the object that the row has found; nil if there was none.
    func keep(_ entry: KeyEntry, object: Int64?) throws(BuildError) {
        guard let object else {
            if !entry.kind.canLead {
                try results.add(entry, of: nil)
            } else if entry.kind == .reservation {
                try results.create(entry.arrival, row: entry.payload)
            }
            return
        }
        var leader = KeyTable.Leader(digest: entry.digest, arrival: object)
        leader.hasFollowers = true
        try results.add(entry, of: leader)
        if entry.isMerged, groups.insert(object) { try results.add(leader) }
    }

    /// Ends a record that counts.
    func endRecord(_ record: Int64?) throws(BuildError) {
        changes.removeAll(keepingCapacity: true)
        try rivalry?.endRecord(record)
    }

    /// Takes back what a record that does not count has given to objects.
    func takeBack() throws(BuildError) {
        rivalry?.forgetRecord()
        for (object, part, value) in changes.reversed() { try held.set(value, at: part, of: object) }
        // Objects may have keys again that they had lost.
        for object in Set(changes.map(\.object)) { try addHolder(object) { _, _ in true } }
        changes.removeAll(keepingCapacity: true)
    }
}

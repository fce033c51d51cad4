import SQLiteFileBuilder

/// Reads the rows of a table whose objects are found by several keys, in the order of their records, and finds the
/// object of each row.
///
/// If a row cannot be, its whole record does not count: what it has given to objects is taken back before the next
/// record comes.
final class SeveralKeysPass {
    /// What a row, or an object that is created because a record refers to it, comes to if its record counts.
    private struct Step {
        let arrival: Int64
        /// What looks for an object; nil for a row that makes one in any case.
        var entry: KeyEntry?
        /// The object that was there; nil if there was none.
        var object: Int64?
        /// Whether it is a row of a record.
        var isRow: Bool { entry?.kind != .reservation }
    }

    /// Why a record does not count.
    private enum Failure {
        /// The row makes no object, and there is none.
        case lacks(KeyEntry)
        /// There is an object, which must not be.
        case exists(KeyEntry, object: Int64)
        /// Another object has the values of a constraint.
        case refused(constraint: Int)
    }

    private let table: AssembledTable
    private let keys: [[Int]]
    private let wanted: [Set<Int>]
    private let constraints: [[Int]]
    private let finds: [[Bool]]
    private let results: IdentifiedKeys
    private let held: HeldValues
    private let holders: KeyHolders
    private let notes: PairFile?
    private let rivalry: Rivalry?
    /// The objects that several rows are of.
    private var groups = RejectedRows()
    private var objectCount: Int64 = 0
    /// The number of the record whose rows are read.
    private var record: Int64?
    private var steps: [Step] = []
    /// What objects had of parts before the rows of the record.
    private var changes: [(object: Int64, part: Int, value: KeyDigest?)] = []
    /// The row because of which the record does not count.
    private var failure: (arrival: Int64, reason: Failure)?

    /// - Parameters:
    ///   - keys: by key, the numbers of its parts.
    ///   - wanted: by key, the entities that objects are looked for as.
    ///   - constraints: by uniqueness constraint, the numbers of its parts.
    ///   - finds: by entity, those whose objects are found by its keys.
    ///   - results: gets what the rows come to.
    ///   - notes: by row, what the client gets if another object has the values of a constraint.
    ///   - rivalry: gets the objects whose values rows must not have; nil if they do not matter.
    init(
        _ table: AssembledTable, keys: [[Int]], wanted: [Set<Int>], constraints: [[Int]], finds: [[Bool]],
        _ results: IdentifiedKeys, held: HeldValues, holders: KeyHolders, notes: PairFile?, _ rivalry: Rivalry?
    ) {
        (self.table, self.keys, self.wanted, self.constraints, self.finds) = (table, keys, wanted, constraints, finds)
        (self.results, self.held, self.holders, self.notes) = (results, held, holders, notes)
        self.rivalry = rivalry
    }

    /// Takes the next row.
    ///
    /// - Parameter row: the numbers that `SeveralKeys` has of it.
    func take(_ row: [Int64]) throws(BuildError) {
        let (arrival, entity) = (row[2], Int(row[3]))
        guard !table.isLeftOut(arrival) else { return }
        // What is created after the last record is created for one record each.
        if row[0] != record || row[0] == RecordMoment.end.record {
            try endRecord()
            record = row[0]
        }
        let parts = stride(from: 7, to: row.count, by: 3).map { Part(row[$0..<$0 + 3]) }
        var step = Step(arrival: arrival)
        defer { steps.append(step) }
        if row[4] > 0 {
            let key = Int(row[4]) - 1
            let digest = keys[key].reduce(KeyDigest?.none) { digest, part in
                digest?.joined(with: parts[part].digest) ?? parts[part].digest
            }
            let entry = KeyEntry(
                KeyEntry.entry(
                    digest ?? KeyDigest(high: 0, low: 0), arrival, KeyEntry.Kind(rawValue: UInt64(row[5])) ?? .row,
                    entity, payload: row[6]))
            step.entry = entry
            guard failure == nil else { return }
            // A row that counts in no case has no key.
            if let digest, keys[key].allSatisfy({ parts[$0].saying == .value }) {
                step.object = try holder(of: digest, of: keys[key], at: place(of: digest, key, as: entity))
            }
            if let object = step.object {
                if entry.kind.mustLead { failure = (arrival, .exists(entry, object: object)) }
                guard entry.isMerged else { return }
            } else if !entry.kind.canLead {
                if !entry.isOptional { failure = (arrival, .lacks(entry)) }
                return
            }
        }
        guard failure == nil else { return }
        try change(step, entity, parts)
    }

    /// Gives the values of a row to its object.
    private func change(_ step: Step, _ entity: Int, _ parts: [Part]) throws(BuildError) {
        let object = step.object ?? step.arrival
        if step.object == nil {
            objectCount += 1
            try held.add(object, entity: entity, number: objectCount)
        }
        let former = try keys.map { (key) throws(BuildError) in try held.key(key, of: object) }
        let formerUnique = try constraints.map { (parts) throws(BuildError) in try held.key(parts, of: object) }
        let rule = step.object == nil ? nil : table.matchRule(of: step.arrival) ?? .update
        for (index, part) in parts.enumerated() {
            let value = try held.value(index, of: object)
            try held.take(part.saying, part.digest, at: index, of: object, rule)
            if try held.value(index, of: object) != value { changes.append((object, index, value)) }
        }
        var refused: Int?
        // SQLite checks the index first that was created last.
        for (number, parts) in constraints.enumerated().reversed() {
            guard let digest = try held.key(parts, of: object), digest != formerUnique[number] else { continue }
            let other = try holder(
                of: digest, of: parts, at: place(of: digest, keys.count + number), except: object)
            guard let other else { continue }
            refused = refused ?? number
            try rivalry?.note(refused: step.arrival, because: other, of: record)
        }
        if let refused {
            failure = (step.arrival, .refused(constraint: refused))
            return
        }
        rivalry?.note(step.arrival, of: object)
        try addHolder(object) { number, digest in
            digest != (number < keys.count ? former[number] : formerUnique[number - keys.count])
        }
    }

    private func place(of digest: KeyDigest, _ key: Int, as entity: Int = 0) throws(BuildError) -> Int64 {
        try holders.place(of: digest, key, as: entity)
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

    /// Says that an object has its keys, and the values of its constraints.
    ///
    /// - Parameter isMeant: whether that is to be said of a key, or of a constraint, whose numbers follow those of the
    /// keys.
    private func addHolder(_ object: Int64, where isMeant: (Int, KeyDigest) -> Bool) throws(BuildError) {
        let (own, number) = (try held.entity(of: object), try held.number(of: object))
        for (index, key) in keys.enumerated() {
            guard let digest = try held.key(key, of: object), isMeant(index, digest) else { continue }
            for entity in wanted[index] where entity == own || finds[entity][own] {
                try holders.add(object, number: number, at: place(of: digest, index, as: entity))
            }
        }
        for (index, parts) in constraints.enumerated() {
            let index = keys.count + index
            guard let digest = try held.key(parts, of: object), isMeant(index, digest) else { continue }
            try holders.add(object, number: number, at: place(of: digest, index))
        }
    }

    /// Ends with the rows of a record.
    func endRecord() throws(BuildError) {
        defer { (steps, changes, failure) = ([], [], nil) }
        guard let failure else {
            for step in steps { try keep(step) }
            try rivalry?.endRecord(record)
            return
        }
        rivalry?.forgetRecord()
        for (object, part, value) in changes.reversed() { try held.set(value, at: part, of: object) }
        // Objects may have left what they have again.
        for object in Set(changes.map(\.object)) { try addHolder(object) { _, _ in true } }
        var isFinal = true
        switch failure.reason {
        case .lacks(let entry): try results.add(entry, of: nil)
        case .exists(let entry, let object):
            if steps.contains(where: { $0.arrival == object }) {
                // The record makes it itself.
                try results.reject(Rejection(matching: failure.arrival), note: entry.note)
            } else {
                isFinal = false
                try results.add(entry, of: KeyTable.Leader(digest: entry.digest, arrival: object))
            }
        case .refused(let constraint):
            if let note = try notes?.value(of: failure.arrival) {
                try results.reject(
                    Rejection(failure.arrival, constraint: constraint), note: note,
                    isListed: record == RecordMoment.end.record)
            }
        }
        for step in steps where step.arrival != failure.arrival {
            if isFinal {
                try results.reject(step.arrival, isRow: step.isRow)
            } else {
                // The object that must not be may turn out to be rejected.
                results.remove(step.arrival)
            }
        }
    }

    private func keep(_ step: Step) throws(BuildError) {
        guard let entry = step.entry else { return }
        guard let object = step.object else {
            if !entry.kind.canLead {
                try results.add(entry, of: nil)
            } else if entry.kind == .reservation {
                try results.create(step.arrival, row: entry.payload)
            }
            return
        }
        var leader = KeyTable.Leader(digest: entry.digest, arrival: object)
        leader.hasFollowers = true
        try results.add(entry, of: leader)
        if entry.isMerged, groups.insert(object) { try results.add(leader) }
    }

    /// The content of a row for a part.
    private struct Part {
        let saying: ChangingKeys.Saying
        let digest: KeyDigest

        init(_ words: ArraySlice<Int64>) {
            let words = Array(words)
            saying = ChangingKeys.Saying(rawValue: words[0]) ?? .nothing
            digest = KeyDigest(words[1], words[2])
        }
    }
}

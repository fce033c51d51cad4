import SQLiteFileBuilder

/// Keys by which references find objects, but which do not identify the objects: records may change them, several
/// objects may have the same key, and an object is created if a reference finds none.
///
/// A reference leads to the first of the objects that have the key when its record is read. If there is no such object,
/// and no object is created, the reference leads to the first object that has the key at the end. Therefore, the keys
/// of each object are read in the order of its records, and then the objects and the references of each key in the
/// order of all records.
final class ChangingKeys {
    /// The content of a row for a part of the key.
    enum Saying: Int64 {
        /// The row has no value. A new object has NULL.
        case nothing
        /// The row has no value. A new object has the default, and existing objects keep their values.
        case byDefault
        case null
        case value

        /// - Parameters:
        ///   - digest: the digest of the value, or of the default; nil for NULL.
        ///   - isDefault: whether the row has no value.
        init(_ digest: KeyDigest?, isDefault: Bool) {
            self = isDefault ? (digest == nil ? .nothing : .byDefault) : (digest == nil ? .null : .value)
        }
    }

    /// The objects that have the keys. The assembly owns the table.
    private unowned let table: AssembledTable
    private let finds: [[Bool]]
    private let numbers: [Int64]
    private let limits: AssemblyLimits
    private let memory: SpoolMemory
    /// Tuples of arrival, record, phase, part, `Saying`, and the two halves of the digest.
    private let sayings: TupleSorter
    private var said: TupleCursor?
    /// Tuples of entity, the two halves of the digest, record, phase, position, the four words of the reference (owner,
    /// place, payload, ordinal), and reservation.
    private let references: TupleSorter
    private var asked: TupleCursor?
    /// The objects that are created if no other object has the key, with the offsets of their rows.
    private let reservations: PairFile
    /// The entities for which objects are looked up.
    private var entities: Set<Int> = []
    /// Whether objects are created.
    private(set) var createsObjects = false

    init(
        _ table: AssembledTable, finds: [[Bool]], numbers: [Int64], _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) {
        self.table = table
        self.finds = finds
        self.numbers = numbers
        self.limits = limits
        self.memory = memory
        sayings = TupleSorter(width: 7, memory)
        references = TupleSorter(width: 11, memory)
        reservations = try PairFile(table.builder.path)
    }

    // MARK: - Spooling

    /// Adds the value that a row, or an object that is created, has for a part of its key.
    func say(
        _ saying: Saying, _ digest: KeyDigest?, part: Int, of arrival: Int64, at moment: RecordMoment
    ) throws(BuildError) {
        let (high, low) = digest?.integers ?? (0, 0)
        try sayings.add([arrival, moment.record, moment.phase, Int64(part), saying.rawValue, high, low])
    }

    /// Adds an object that is created if no other object has the key that a reference names.
    ///
    /// - Parameters:
    ///   - arrival: the reservation of the object.
    ///   - row: the offset of its row.
    func reserve(_ arrival: Int64, row: Int64) throws(BuildError) {
        createsObjects = true
        try reservations.append(arrival, row)
    }

    /// Adds a reference.
    ///
    /// - Parameters:
    ///   - entry: the reference.
    ///   - moment: the moment at which its destination is looked up.
    ///   - isLast: whether its destination is looked up at the end, although the reference may create an object before.
    ///   - position: the position of the reference among those of the same moment.
    ///   - reservation: the object that is created if the reference finds none; 0 if no object is created.
    func refer(
        _ entry: SpoolEntry, at moment: RecordMoment, isLast: Bool, position: Int, reservation: Int64
    ) throws(BuildError) {
        guard isLast, moment != .end else { return try add(entry, moment, position, reservation) }
        if reservation != 0 {
            let mention = SpoolEntry(digest: entry.digest, UInt64(bitPattern: Self.nobody), entry.second)
            try add(mention, moment, position, reservation)
        }
        try add(entry, .end, position, 0)
    }

    /// Adds an object that is created at the end if no object has its key.
    func mention(_ digest: KeyDigest, entity: Int, reservation: Int64) throws(BuildError) {
        let place = ReferenceEntry.place(table: 0, link: 0, entity: entity, isRequired: false, isOfList: false)
        try add(SpoolEntry(digest: digest, UInt64(bitPattern: Self.nobody), place), .end, 0, reservation)
    }

    /// The owner of a reference that only creates its destination.
    private static let nobody: Int64 = -1

    private func add(
        _ entry: SpoolEntry, _ moment: RecordMoment, _ position: Int, _ reservation: Int64
    ) throws(BuildError) {
        let entity = Int(ReferenceEntry(entry).entity)
        entities.insert(entity)
        // Objects that are created at the end must exist before all look-ups at the end.
        let phase = moment == .end && reservation == 0 ? 1 : moment.phase
        let (high, low) = entry.digest.integers
        try references.add([
            Int64(entity), high, low, moment.record, phase, Int64(position), Int64(bitPattern: entry.first),
            Int64(bitPattern: entry.second), Int64(bitPattern: entry.third), Int64(bitPattern: entry.fourth),
            reservation,
        ])
    }

    // MARK: - Meeting

    /// Finds the destinations of the references.
    ///
    /// - Parameters:
    ///   - areCreated: whether it is known which reservations are objects. If so, they have given their keys and
    ///     moments, like rows.
    ///   - create: called with each reservation that becomes an object.
    ///   - body: called with each reference. The threshold of a to-one reference is 0 if the destination was found
    ///     later than the reference, and the highest number if it was there before.
    func resolve(
        areCreated: Bool = false, create: (Int64) throws(BuildError) -> Void,
        _ body: (ReferenceEntry, _ destination: Int64?) throws(BuildError) -> Void
    ) throws(BuildError) {
        let path = table.builder.path
        let holdings = try self.holdings()
        let questions = try references.cursor(&asked)
        var heap = try HolderHeap(beside: path, pages: limits.constraintPages)
        // The references whose destinations are looked up at the end, by the number of the key.
        let waiting = TupleSorter(width: 5, memory)
        let answers = try PairFile(path)
        var key: Int64 = 0
        var (holding, question) = (try holdings.next(), try questions.next())
        while let first = question {
            func isSame(_ tuple: [Int64]) -> Bool {
                tuple[0] == first[0] && tuple[1] == first[1] && tuple[2] == first[2]
            }
            while let next = holding, !isSame(next), next.lexicographicallyPrecedes(first) {
                holding = try holdings.next()
            }
            heap.removeAll()
            key += 1
            var last: HolderHeap.Holder?
            func takeLast(_ holder: HolderHeap.Holder) {
                if last.map({ holder.isBefore($0) }) ?? true { last = holder }
            }
            while let next = question, isSame(next) {
                let moment = RecordMoment(record: next[3], phase: next[4])
                while let held = holding, isSame(held), case let start = RecordMoment(record: held[3], phase: held[4]),
                    start < moment
                {
                    let holder = HolderHeap.Holder(
                        created: RecordMoment(record: held[5], phase: held[6]), arrival: held[7],
                        end: RecordMoment(record: held[8], phase: held[9]))
                    if start == .first { takeLast(holder) } else { try heap.add(holder) }
                    holding = try holdings.next()
                }
                question = try questions.next()
                let isLate = moment.record == RecordMoment.end.record
                var found = isLate ? last : try heap.first(at: moment)
                if found == nil, next[10] != 0, !table.isLeftOut(next[10]) {
                    let made = HolderHeap.Holder(created: moment, arrival: next[10], end: .never)
                    if areCreated {
                        if try table.leader(of: made.arrival) == made.arrival { found = made }
                    } else {
                        try create(made.arrival)
                        if !isLate { try heap.add(made) }
                        takeLast(made)
                        found = made
                    }
                }
                if next[6] == Self.nobody { continue }
                // Before this moment, it was known that there is no object, because the objects that lists name are
                // created after all records.
                if isLate, found?.created == .end, ReferenceEntry.isKnownAtOnce(UInt64(bitPattern: next[7])) {
                    found = nil
                }
                guard found == nil, !isLate else {
                    try body(Self.reference(next[6...9], of: next, isLater: isLate), found?.arrival)
                    continue
                }
                try waiting.add([key, next[6], next[7], next[8], next[9]])
            }
            if let last { try answers.append(key, last.arrival) }
        }
        try answers.finish()
        let (answer, waited) = (try answers.cursor(), try waiting.sorted())
        while let next = try waited.next() {
            let found = try answer.seek(next[0]) ? answer.second : nil
            let reference = Self.reference(next[1...4], of: nil, isLater: true)
            // When the row was read, it was known that there is no object.
            try body(reference, reference.isKnownAtOnce ? nil : found)
        }
    }

    /// Returns the reference of four words.
    private static func reference(_ words: ArraySlice<Int64>, of key: [Int64]?, isLater: Bool) -> ReferenceEntry {
        let words = words.map { UInt64(bitPattern: $0) }
        let isOfList = ReferenceEntry.isOfList(words[1])
        return ReferenceEntry(
            SpoolEntry(
                digest: KeyDigest(key?[1] ?? 0, key?[2] ?? 0), words[0], words[1],
                words[2], isOfList ? words[3] : isLater ? 0 : UInt64(Int64.max)))
    }

    /// Determines which reservations become objects.
    func createObjects(_ results: IdentifiedKeys) throws(BuildError) {
        let created = PairSorter(memory)
        try resolve { (arrival) throws(BuildError) in
            try created.add(arrival, 0)
        } _: { _, _ in
        }
        try reservations.finish()
        let (reservation, found) = (try reservations.cursor(), try created.sorted().cursor())
        while let arrival = reservation.first {
            if try found.seek(arrival) {
                try results.create(arrival, row: reservation.second)
            } else {
                results.remove(arrival)
            }
            try reservation.advance()
        }
    }

    /// Returns the periods in which objects have keys that references look up, as sorted tuples of the entity that is
    /// looked up, the two halves of the digest, record and phase of the start, record and phase of the object's
    /// creation, arrival, and record and phase of the end. The key that an object has at the end comes once more,
    /// before all others.
    private func holdings() throws(BuildError) -> TupleCursor {
        let rows = TupleSorter(width: 8, memory)
        let said = try sayings.cursor(&self.said)
        while let row = try said.next() {
            guard !table.isLeftOut(row[0]), let object = try table.leader(of: row[0]) else { continue }
            try rows.add([object, row[1], row[2], row[0], row[3], row[4], row[5], row[6]])
        }
        let holdings = TupleSorter(width: 10, memory)
        var object = HeldKey()
        func end(at moment: RecordMoment) throws(BuildError) {
            guard let digest = object.digest else { return }
            let entity = table.entity(of: object.arrival).flatMap { numbers.firstIndex(of: $0) } ?? 0
            for wanted in entities where wanted == entity || finds[wanted][entity] {
                let key = [Int64(wanted), digest.integers.high, digest.integers.low]
                let holder = [
                    object.created.record, object.created.phase, object.arrival, moment.record, moment.phase,
                ]
                try holdings.add(key + [object.since.record, object.since.phase] + holder)
                guard moment == .never else { continue }
                try holdings.add(key + [RecordMoment.first.record, RecordMoment.first.phase] + holder)
            }
        }
        let sorted = try rows.sorted()
        var next = try sorted.next()
        while let row = next {
            let moment = RecordMoment(record: row[1], phase: row[2])
            var parts: [[Int64]] = []
            while let part = next, part[0] == row[0], part[3] == row[3] {
                parts.append(part)
                next = try sorted.next()
            }
            if row[0] != object.arrival {
                try end(at: .never)
                object = HeldKey(arrival: row[0], created: moment, since: moment, parts: parts)
                continue
            }
            var changed = object
            changed.take(parts, table.matchRule(of: row[3]) ?? .update)
            guard changed.digest != object.digest else {
                object = changed
                continue
            }
            try end(at: moment)
            object = changed
            object.since = moment
        }
        try end(at: .never)
        return try holdings.sorted()
    }
}

/// The key that an object has after some of its records.
private struct HeldKey {
    var arrival: Int64 = 0
    var created = RecordMoment.first
    /// The moment at which the object got the key.
    var since = RecordMoment.first
    /// The digest of each part; nil for NULL.
    private var parts: [KeyDigest?] = []

    init() {}

    /// - Parameter parts: the tuples of the row that creates the object.
    init(arrival: Int64, created: RecordMoment, since: RecordMoment, parts: [[Int64]]) {
        (self.arrival, self.created, self.since) = (arrival, created, since)
        self.parts = parts.map { part in
            part[5] == ChangingKeys.Saying.byDefault.rawValue || part[5] == ChangingKeys.Saying.value.rawValue
                ? Self.digest(part) : nil
        }
    }

    private static func digest(_ part: [Int64]) -> KeyDigest {
        KeyDigest(part[6], part[7])
    }

    /// Applies a later row.
    ///
    /// - Parameters:
    ///   - row: the tuples of the row.
    ///   - rule: the rule by which the row changes the object.
    mutating func take(_ row: [[Int64]], _ rule: ObjectForm.MatchRule) {
        guard rule != .skip else { return }
        for (index, part) in row.enumerated() where index < parts.count {
            switch ChangingKeys.Saying(rawValue: part[5]) {
            case .value where rule == .update || parts[index] == nil: parts[index] = Self.digest(part)
            case .null where rule == .update: parts[index] = nil
            default: break
            }
        }
    }

    /// The digest of the whole key; nil if a part is NULL.
    var digest: KeyDigest? {
        guard var digest = parts.first ?? nil else { return nil }
        for part in parts.dropFirst() {
            guard let part else { return nil }
            digest = digest.joined(with: part)
        }
        return digest
    }
}

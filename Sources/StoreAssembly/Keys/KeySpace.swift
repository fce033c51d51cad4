public import SQLiteFileBuilder

/// The keys of a table's objects by the same attributes, and the references by these keys. Both are spooled in parts by
/// digest, and compared part by part.
public final class KeySpace {
    /// The objects that have the keys.
    let table: AssembledTable
    let meaning: Meaning
    /// The position of the space in the assembly.
    private let position: Int
    /// The objects that lists name, in all spaces.
    private let listed: ByteFile
    /// For each entity, whether a look-up for it finds the objects of each other entity.
    let finds: [[Bool]]
    /// The number of each entity.
    private let numbers: [Int64]
    private let path: String
    private let limits: AssemblyLimits
    private let entries: PartitionedWords
    @exclusivity(unchecked) private var references: SpooledReferences?
    /// The entities for which a look-up finds several objects with the same key. They are known after all rows have
    /// been added, and only for aliases.
    @exclusivity(unchecked) public private(set) var duplicates: Set<Int> = []

    /// The meaning of a key that several rows have.
    public enum Meaning: Sendable {
        /// The rows are one object.
        case identity
        /// The key stands for the first object that has it.
        case name
        /// The key stands for the first object that has it, whichever of its rows has the key.
        case alias
        /// The key stands for the first object that has it when the record that names it is read, or else for the first
        /// one that has it at the end. Records may change the keys of objects, and records that name a key may create
        /// objects that have it.
        case changing
        /// There are no keys: the references lead to rows of the same records. A reference to a row that does not
        /// become an object says nothing.
        case record
    }

    /// The maximum number of entities of the objects of a space.
    public static let mostEntities = 1 << Int(KeyEntry.entityBits)

    /// The keys and references, if they have the meaning `changing`; otherwise nil.
    private let changing: ChangingKeys?
    /// The keys of the table, with the number of this key, if the objects are found by several keys; otherwise nil.
    private let several: (keys: SeveralKeys, number: Int)?

    init(
        _ table: AssembledTable, _ meaning: Meaning, at position: Int, listed: ByteFile, finds: [[Bool]],
        numbers: [Int64], several: (keys: SeveralKeys, number: Int)?, path: String, _ limits: AssemblyLimits,
        _ memory: SpoolMemory
    ) throws(BuildError) {
        self.several = several
        var limits = limits
        if meaning == .changing {
            changing = try ChangingKeys(table, finds: finds, numbers: numbers, limits, memory)
        } else {
            changing = nil
        }
        // In this case, no keys are spooled in parts.
        if meaning == .changing || meaning == .record || several != nil {
            (limits.entriesPerPart, limits.entriesAside) = (1, 0)
        }
        self.table = table
        self.meaning = meaning
        self.position = position
        self.listed = listed
        self.finds = finds
        self.numbers = numbers
        self.path = path
        self.limits = limits
        entries = try PartitionedWords(width: SpoolEntry.shortWidth, path: path, limits, isAside: true)
    }

    /// Whether any references are required: without a destination, their rows are rejected.
    @exclusivity(unchecked) private(set) var hasRequirements = false
    /// Whether the destinations of any references must come before the references.
    @exclusivity(unchecked) private(set) var isOfKeys = false
    /// Whether any required references can lead only to rows of earlier files.
    @exclusivity(unchecked) private(set) var hasEarlyRequirements = false
    /// Whether the destinations of any references may be part of values that must be unique.
    @exclusivity(unchecked) private(set) var isCompared = false
    /// Whether any rows are skipped if they would be the first with their keys.
    @exclusivity(unchecked) private(set) var hasOptionalRows = false
    /// Whether any references belong to lists.
    @exclusivity(unchecked) private(set) var hasLists = false
    /// The result of `join`; nil if it has not compared any keys.
    @exclusivity(unchecked) private(set) var isJoined: Bool?
    /// Whether rows with the same key are one object.
    public var isIdentity: Bool { meaning == .identity }
    /// Whether records may change the keys of objects.
    public var isChanging: Bool { meaning == .changing }
    /// Whether objects may be created whose keys do not identify them.
    var createsObjects: Bool { changing?.createsObjects ?? false }

    // MARK: - Spooling

    /// Adds the key of a row.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: the entity of the object, among those of the space.
    /// - Throws: `BuildError` if the disk is full or fails.
    @inline(__always)
    public func add(_ digest: KeyDigest, row arrival: Int64, entity: Int = 0) throws(BuildError) {
        try add(digest, arrival, .row, entity, payload: 0)
    }

    /// Adds the key of a row that cannot be the first with it.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: the entity of the object, among those of the space.
    ///   - payload: the bytes that the client gets if the row would be the first.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest, conditionalRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>
    ) throws(BuildError) {
        try add(digest, arrival, .conditional, entity, payload: table.pieces.append(payload))
    }

    /// Adds the key of a row that must be the first with it.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: the entity of the object, among those of the space.
    ///   - payload: the bytes that the client gets if the row is not the first.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest, soleRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>
    ) throws(BuildError) {
        try add(digest, arrival, .sole, entity, payload: table.pieces.append(payload))
    }

    /// Adds the key of a row that must be the first with it, and cannot be.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: the entity of the object, among those of the space.
    ///   - payload: the bytes that the client gets in either case.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest, impossibleRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>
    ) throws(BuildError) {
        try add(digest, arrival, .impossible, entity, payload: table.pieces.append(payload))
    }

    /// Adds the key of a row that is skipped if it would be the first with it.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key; nil for a row that is skipped in any case.
    ///   - arrival: the number of the row.
    ///   - entity: the entity of the object, among those of the space.
    ///   - payload: the bytes that the client gets if the row is not the first and is therefore rejected; nil for a row
    ///     that changes its object in this case.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest?, optionalRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>? = nil
    ) throws(BuildError) {
        hasOptionalRows = true
        // No other row has such a key.
        let own = KeyDigest(high: UInt64(bitPattern: arrival), low: UInt64(bitPattern: ~arrival))
        guard let payload else {
            return try add(digest ?? own, arrival, .conditional, entity, payload: KeyEntry.optionalPayload(0))
        }
        let note = try table.pieces.append(payload)
        try add(digest ?? own, arrival, .impossible, entity, payload: KeyEntry.optionalPayload(note))
    }

    /// Reserves an object with a key that a reference names. It is created if no other object has the key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - row: the encoded row of the object, which is used if no other object has the key.
    ///   - entity: the entity of the object, among those of the space.
    /// - Throws: `BuildError` if the disk is full or fails.
    /// - Returns: the arrival of the object, if it is created.
    public func reserve(_ digest: KeyDigest, row: Span<UInt8>, entity: Int = 0) throws(BuildError) -> Int64 {
        try reserve(digest, rowAt: table.pieces.append(row), entity: entity)
    }

    private func reserve(_ digest: KeyDigest, rowAt place: Int64, entity: Int) throws(BuildError) -> Int64 {
        let arrival = table.reserve()
        if several == nil, let changing {
            try changing.reserve(arrival, row: place)
        } else {
            try add(digest, arrival, .reservation, entity, payload: place)
        }
        return arrival
    }

    /// Adds an object that a list names, and that is created if no other object has its key.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func list(_ object: ListedObject) throws(BuildError) {
        let bytes = object.encoded(for: position)
        _ = try listed.append(bytes.span)
    }

    /// Reserves an object that a list names, after all rows have been added.
    ///
    /// - Parameter spaces: all spaces of the assembly.
    func reserve(_ object: ListedObject, _ spaces: [KeySpace]) throws(BuildError) {
        let reservation = try reserve(object.digest, rowAt: object.row, entity: object.entity)
        if let keys = several?.keys {
            for (part, said) in object.parts.enumerated() {
                try keys.say(
                    said.digest, isDefault: said.isDefault, part: part, of: reservation, entity: object.entity,
                    at: .end)
            }
            for other in spaces {
                guard other.isChanging, let own = other.several, own.keys === keys else { continue }
                for (part, number) in keys.parts(ofKey: own.number).enumerated() {
                    try other.say(
                        object.parts[number].digest, isDefault: true, part: part, of: reservation, at: .end)
                }
            }
        } else {
            try changing?.mention(object.digest, entity: object.entity, reservation: reservation)
        }
        if let number = object.number { table.note(named: reservation, entity: number) }
        let (owner, arrival) = object.owner
        if object.condition == .none { return }
        if object.condition == .skipping || object.condition == .missing {
            try owner.note(
                reservation, in: table, unlessSkipped: arrival, mayFollow: object.condition == .missing)
        }
        try table.note(
            made: reservation, by: object.owner, of: object.record, isLate: true, unique: object.unique)
    }

    /// Adds the value that a row, or an object that is created because a record refers to it, has for a part of its
    /// key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the value or, if there is none, of the default for new objects; nil for NULL.
    ///   - isDefault: whether the row has no value.
    ///   - part: the number of the part, from 0. All parts of a row must be added, in their order.
    ///   - arrival: the number of the row or the object.
    ///   - moment: the moment at which the row is written.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(
        _ digest: KeyDigest?, isDefault: Bool, part: Int, of arrival: Int64, at moment: RecordMoment
    ) throws(BuildError) {
        try changing?.say(
            ChangingKeys.Saying(digest, isDefault: isDefault), digest, part: part, of: arrival, at: moment)
    }

    private func add(
        _ digest: KeyDigest, _ arrival: Int64, _ kind: KeyEntry.Kind, _ entity: Int, payload: Int64
    ) throws(BuildError) {
        if let several {
            return try several.keys.add(arrival, kind, entity, payload: payload, key: several.number)
        }
        try entries.append(KeyEntry.entry(digest, arrival, kind, entity, payload: payload))
    }

    /// Adds a reference of an object to another object by its key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - entity: the entity, among those of the space, for which the destination is looked up.
    ///   - owner: the object with the reference, and its link.
    ///   - payload: the bytes that the client gets if there is no destination.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func refer(
        _ digest: KeyDigest, as entity: Int = 0, from owner: LinkEnd, payload: Span<UInt8>
    ) throws(BuildError) {
        if owner.isRequired { hasRequirements = true }
        if owner.needsEarlier { isOfKeys = true }
        if owner.table.comparesLinks { isCompared = true }
        if owner.isKnownAtOnce { hasEarlyRequirements = true }
        let note = try owner.table.pieces.append(payload)
        let place = ReferenceEntry.place(
            table: owner.table.position, link: owner.link, entity: entity, isRequired: owner.isRequired,
            needsEarlier: owner.needsEarlier, isKnownAtOnce: owner.isKnownAtOnce, creates: owner.creates,
            isOfList: false)
        if let changing {
            return try changing.refer(
                SpoolEntry(digest: digest, UInt64(owner.arrival), place, UInt64(note)), at: owner.moment,
                isLast: owner.isLast, position: owner.link, reservation: owner.reservation)
        }
        try spooled().append(digest, from: UInt64(owner.arrival), place, payload: UInt64(note), owner.threshold)
    }

    /// Adds references of objects to others by their keys, all by the same link, which is optional.
    ///
    /// - Parameters:
    ///   - named: the keys, and the objects that name them.
    ///   - entity: the entity, among those of the space, for which the destinations are looked up.
    ///   - table: the table of the objects with the references.
    ///   - link: the number of the link in that table.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func refer(
        _ named: NamedKeys, as entity: Int, from table: AssembledTable, link: Int
    ) throws(BuildError) {
        let references = try spooled()
        if table.comparesLinks { isCompared = true }
        let place = ReferenceEntry.place(
            table: table.position, link: link, entity: entity, isRequired: false, isOfList: false)
        let (owners, ends) = (named.owners.span, named.ends.span)
        let (digests, notes) = (named.digests.span, named.notes.span)
        var start = 0
        for index in owners.indices {
            let owner = owners[index]
            let payload = try table.pieces.append(notes.extracting(start..<ends[index]))
            start = ends[index]
            try references.append(
                digests[index], from: UInt64(owner), place, payload: UInt64(payload),
                // In the same table, earlier objects are those with lower arrivals.
                table === self.table ? owner : self.table.next)
        }
    }

    /// Adds a reference in a list to an object by its key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - entity: the entity, among those of the space, for which the destination is looked up.
    ///   - end: the object that has the list, and the position in it.
    ///   - payload: the bytes that the client gets if there is no destination.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func refer(
        _ digest: KeyDigest, as entity: Int = 0, from end: ListEnd, payload: Span<UInt8>
    ) throws(BuildError) {
        if end.isRequired { hasRequirements = true }
        hasLists = true
        let list = end.list
        if list.isCompared { isCompared = true }
        let note = try list.owner.pieces.append(payload)
        let place = ReferenceEntry.place(
            table: list.owner.position, link: list.position, entity: entity, isRequired: end.isRequired,
            creates: end.creates, isOfList: true)
        if let changing {
            return try changing.refer(
                SpoolEntry(digest: digest, UInt64(end.arrival), place, UInt64(note), UInt64(end.ordinal)), at: .end,
                isLast: true, position: 0, reservation: 0)
        }
        try spooled().append(
            digest, from: UInt64(end.arrival), place, payload: UInt64(note), Int64(end.ordinal))
    }

    /// Adds a reference of an object to another object of its record.
    ///
    /// - Parameters:
    ///   - arrival: the row of the other object.
    ///   - owner: the row of the object with the reference, its table, and the number of the link in that table.
    ///   - isLate: whether the link is set after all objects of the record have been written.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func refer(
        to arrival: Int64, from owner: (table: AssembledTable, arrival: Int64, link: Int), isLate: Bool
    ) throws(BuildError) {
        if owner.table.comparesLinks { isCompared = true }
        let place = ReferenceEntry.place(
            table: owner.table.position, link: owner.link, entity: 0, isRequired: false, isOfList: false)
        // The references are only divided into parts because they are stored like others.
        let digest = KeyDigest(high: UInt64(bitPattern: arrival) &* 0x9e37_79b9_7f4a_7c15, low: UInt64(arrival))
        try spooled().append(digest, from: UInt64(owner.arrival), place, payload: 0, isLate ? 0 : .max)
    }

    /// Finds the destinations of references to rows of the same records.
    private func resolveRows(
        _ body: (ReferenceEntry, _ destination: Int64?) throws(BuildError) -> Void
    ) throws(BuildError) {
        guard let references else { return }
        try references.finish()
        for part in 0..<PartitionedWords.parts where !references.isEmpty(part) {
            try references.forEach(in: part) { (reference) throws(BuildError) in
                let arrival = reference.digest.integers.low
                if try table.leader(of: arrival) != nil { try body(reference, arrival) }
            }
        }
    }

    private func spooled() throws(BuildError) -> SpooledReferences {
        if let references { return references }
        let made = SpooledReferences(path, limits)
        references = made
        return made
    }

    // MARK: - Meeting

    /// Finds the destinations of the references, if there are any, provided that each key belongs to one row and to
    /// nothing else, so that all objects are different.
    ///
    /// - Parameter body: called with the results of references, part by part.
    /// - Returns: whether this succeeded. It fails if keys are not like that, or if there are required references or
    ///   lists. The closure may have been called before.
    func join(_ body: ([ReferenceJoin.Found]) throws(BuildError) -> Void) throws(BuildError) -> Bool {
        guard !hasLists, !hasRequirements else { return false }
        try entries.finish()
        guard let references else { return try DistinctKeys(entries, mostKeys: limits.keysInMemory).areAll() }
        try references.finish()
        let isDone = try ReferenceJoin(entries, references, finds: finds, mostKeys: limits.keysInMemory).run(body)
        isJoined = isDone
        return isDone
    }

    /// Releases the keys and the references. They must not be used any more.
    func discard() {
        entries.discard()
        references?.discard()
    }

    /// Finds the objects with equal keys.
    func identify(_ results: IdentifiedKeys) throws(BuildError) {
        guard several == nil else { return }
        try entries.finish()
        try visit(entries, nil) { (table, _, _) throws(BuildError) in
            for leader in table.leaders { try results.add(leader) }
        } follower: { (follower, leader) throws(BuildError) in
            try results.add(follower, of: leader)
        }
    }

    /// Determines which objects are created whose keys do not identify them.
    func createObjects(_ results: IdentifiedKeys) throws(BuildError) { try changing?.createObjects(results) }

    /// Finds the destinations of the references.
    func resolve(_ body: (ReferenceEntry, _ destination: Int64?) throws(BuildError) -> Void) throws(BuildError) {
        if let changing {
            return try changing.resolve(
                areCreated: several != nil, create: { (_: Int64) throws(BuildError) in }, body)
        }
        if meaning == .record { return try resolveRows(body) }
        guard references != nil || meaning == .alias else { return }
        duplicates = []
        try entries.finish()
        try references?.finish()
        try visit(entries, references) { (keys, references, part) throws(BuildError) in
            try references?.forEach(in: part) { (reference) throws(BuildError) in
                let leader = keys.index(of: reference.digest, as: reference.entity, finds)
                try body(reference, leader.map { keys.leaders[$0].arrival })
            }
        } follower: { _, _ in
        }
    }

    /// Reads the keys of each part into memory. Parts with too many keys are divided again, with their references.
    private func visit(
        _ entries: PartitionedWords, _ references: SpooledReferences?,
        _ body: (KeyTable, SpooledReferences?, _ part: Int) throws(BuildError) -> Void,
        follower: (_ follower: KeyEntry, _ leader: KeyTable.Leader?) throws(BuildError) -> Void
    ) throws(BuildError) {
        var table = KeyTable()
        for part in 0..<PartitionedWords.parts {
            if entries.isEmpty(part), references?.isEmpty(part) ?? true { continue }
            table.removeAll(before: min(limits.keysInMemory, entries.count(in: part)))
            // Followers are reported when the whole part is known to fit.
            var isTooLarge = false
            var hasFollowers = false
            try entries.forEach(in: part) { (words) throws(BuildError) in
                guard !isTooLarge else { return }
                var entry = KeyEntry(words)
                guard !self.table.isLeftOut(entry.arrival), try isMeant(entry) else { return }
                if meaning == .alias {
                    // An object may be of another entity than the row that gives it the key.
                    let number = try self.table.leader(of: entry.arrival).flatMap { self.table.entity(of: $0) }
                    if let own = numbers.firstIndex(where: { $0 == number }) { entry.entity = Int16(own) }
                    try noteDuplicates(of: entry, in: table)
                }
                if let index = table.index(of: entry.digest, as: entry.entity, finds) {
                    hasFollowers = true
                    // Reservations have no row that could be merged, and rows that must be the first are not merged.
                    if entry.isMerged { table.noteFollower(of: index) }
                    return
                }
                // A row that cannot create an object does not become a leader.
                guard entry.kind.canLead else {
                    hasFollowers = true
                    return
                }
                guard table.count < limits.keysInMemory || !entries.isDivisible else {
                    isTooLarge = true
                    return
                }
                table.append(KeyTable.Leader(entry))
            }
            guard !isTooLarge else {
                let smaller: SpooledReferences? = if let references { try references.parted(part) } else { nil }
                try visit(entries.parted(part), smaller, body, follower: follower)
                continue
            }
            if hasFollowers, isIdentity {
                try entries.forEach(in: part) { (words) throws(BuildError) in
                    let entry = KeyEntry(words)
                    guard !self.table.isLeftOut(entry.arrival) else { return }
                    guard let index = table.index(of: entry.digest, as: entry.entity, finds),
                        table.leaders[index].arrival <= entry.arrival
                    else { return try follower(entry, nil) }
                    let leader = table.leaders[index]
                    if leader.arrival != entry.arrival { try follower(entry, leader) }
                }
            }
            try body(table, references, part)
        }
    }

    /// Returns whether the key of a row is used, given that the row may have been merged into another one.
    private func isMeant(_ entry: KeyEntry) throws(BuildError) -> Bool {
        switch meaning {
        case .identity: true
        case .name: table.rows.contains(entry.arrival)
        case .alias: try table.leader(of: entry.arrival) != nil
        case .changing, .record: false
        }
    }

    private func noteDuplicates(of entry: KeyEntry, in keys: KeyTable) throws(BuildError) {
        guard keys.index(of: entry.digest) != nil else { return }
        let object = try table.leader(of: entry.arrival)
        for entity in finds.indices where !duplicates.contains(entity) && finds[entity][Int(entry.entity)] {
            guard let first = keys.index(of: entry.digest, as: Int16(entity), finds) else { continue }
            if try table.leader(of: keys.leaders[first].arrival) != object { duplicates.insert(entity) }
        }
    }
}

/// References of objects by keys, all by the same link.
public struct NamedKeys {
    /// The digests of the keys.
    public var digests: [KeyDigest] = []
    /// The objects that name them.
    public var owners: [Int64] = []
    /// The notes that the client gets for keys without an object, one after the other.
    public var notes: [UInt8] = []
    /// The end of each note.
    public var ends: [Int] = []

    /// Makes an empty list.
    public init() {}

    /// Makes room for a number of keys.
    public mutating func reserve(_ count: Int) {
        digests.reserveCapacity(count)
        owners.reserveCapacity(count)
        ends.reserveCapacity(count)
    }
}

/// The end of a link at the object that has a list, and the position of the link in the list.
public struct ListEnd {
    let list: AssembledList
    let arrival: Int64
    let ordinal: Int
    /// Whether the object requires the link.
    let isRequired: Bool
    /// Whether the destination is created if there is none.
    let creates: Bool

    /// Creates the end of a link at the object that has the list. `ordinal` is the position of the link in the list,
    /// from 0.
    public init(_ list: AssembledList, arrival: Int64, ordinal: Int, isRequired: Bool, creates: Bool = false) {
        self.list = list
        self.arrival = arrival
        self.ordinal = ordinal
        self.isRequired = isRequired
        self.creates = creates
    }
}

/// The end of a link at the object that has it.
public struct LinkEnd {
    let table: AssembledTable
    let arrival: Int64
    let link: Int

    /// Whether the object requires the link.
    let isRequired: Bool
    /// Whether a required destination must come before the reference.
    let needsEarlier: Bool

    /// Whether the object requires the link, and all possible destinations come before the object.
    let isKnownAtOnce: Bool

    /// The first arrival that comes after the reference.
    let threshold: Int64
    /// The moment at which the destination is looked up, if its key may change.
    let moment: RecordMoment
    /// Whether the destination is looked up at the end, even if an object had the key at the moment of the reference.
    let isLast: Bool
    /// The reservation of the object that is created if no object has the key at the moment; 0 if no object is created.
    let reservation: Int64
    /// Whether the destination is created if there is none.
    let creates: Bool

    /// Creates the end of a link at the object that has it. `link` is the number of the link in the table. If the key
    /// of the destination may change, `moment` and `isLast` determine when the destination is looked up, and
    /// `reservation` is the object that is then created if there is none.
    public init(
        _ table: AssembledTable, arrival: Int64, link: Int, isRequired: Bool, needsEarlier: Bool = false,
        isKnownAtOnce: Bool = false, before threshold: Int64, at moment: RecordMoment = .end, isLast: Bool = false,
        reservation: Int64 = 0, creates: Bool = false
    ) {
        self.creates = creates
        (self.moment, self.isLast, self.reservation) = (moment, isLast, reservation)
        self.isKnownAtOnce = isRequired && isKnownAtOnce
        self.table = table
        self.arrival = arrival
        self.link = link
        self.isRequired = isRequired
        self.needsEarlier = needsEarlier
        self.threshold = threshold
    }
}

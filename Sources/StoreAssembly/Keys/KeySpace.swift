public import SQLiteFileBuilder

/// The keys of a table's objects by the same values, and the references to them: both are spooled, parted by digest,
/// and meet part by part.
public final class KeySpace {
    /// The objects that have the keys.
    let table: AssembledTable
    let meaning: Meaning
    /// Which of the spaces of the assembly it is.
    private let position: Int
    /// What lists name in all spaces.
    private let listed: ByteFile
    /// By entity, those whose objects are found by its keys.
    let finds: [[Bool]]
    /// By entity, its number, where the objects may be of several.
    private let numbers: [Int64]
    private let path: String
    private let limits: AssemblyLimits
    private let entries: PartitionedWords
    @exclusivity(unchecked) private var references: SpooledReferences?
    /// By which of the entities they are looked for as, whether several objects have a key; known in the end, for aliases.
    @exclusivity(unchecked) public private(set) var duplicates: Set<Int> = []

    /// What a key says of the objects that have it.
    public enum Meaning: Sendable {
        /// They are one object.
        case identity
        /// The first one is meant.
        case name
        /// The first one is meant, whichever of its rows has the key.
        case alias
        /// The first one is meant that has the key when the record that names it is read, else the first one that has it in
        /// the end. Records may change the keys of objects, and those that name a key may create objects that have it.
        case changing
    }

    /// The most entities that the objects of a space may be of.
    public static let mostEntities = 1 << Int(KeyEntry.entityBits)

    /// The keys and references of `Meaning.changing`; nil for others.
    private let changing: ChangingKeys?
    /// The keys of the table of which this is one, with its number; nil if its objects are found by this one only.
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
        // Nothing is spooled in parts.
        if meaning == .changing || several != nil { (limits.entriesPerPart, limits.entriesAside) = (1, 0) }
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

    /// Whether any reference takes its row with it where it leads nowhere.
    @exclusivity(unchecked) private(set) var hasRequirements = false
    /// Whether any of these destinations must have come before.
    @exclusivity(unchecked) private(set) var isOfKeys = false
    /// Whether any of these references can only lead to rows of earlier files.
    @exclusivity(unchecked) private(set) var hasEarlyRequirements = false
    /// Whether the destination of any is part of a value that must be unique.
    @exclusivity(unchecked) private(set) var isCompared = false
    /// Whether any is of a list.
    @exclusivity(unchecked) private var hasLists = false
    /// What became of `join`; nil if it had nothing to do.
    @exclusivity(unchecked) private(set) var isJoined: Bool?
    /// Whether objects with the same key are one.
    public var isIdentity: Bool { meaning == .identity }
    /// Whether records may change the keys of objects.
    public var isChanging: Bool { meaning == .changing }
    /// Whether objects are created whose keys do not tell them apart.
    var createsObjects: Bool { changing?.createsObjects ?? false }

    // MARK: - Spooling

    /// A row has a key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: which of the space's entities the object is of.
    /// - Throws: `BuildError` if the disk is full or fails.
    @inline(__always)
    public func add(_ digest: KeyDigest, row arrival: Int64, entity: Int = 0) throws(BuildError) {
        try add(digest, arrival, .row, entity, payload: 0)
    }

    /// A row has a key, and cannot be the first with it.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: which of the space's entities the object is of.
    ///   - payload: what the client gets where it would be.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest, conditionalRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>
    ) throws(BuildError) {
        try add(digest, arrival, .conditional, entity, payload: table.pieces.append(payload))
    }

    /// A row has a key, and must be the first with it.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: which of the space's entities the object is of.
    ///   - payload: what the client gets where it is not.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest, soleRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>
    ) throws(BuildError) {
        try add(digest, arrival, .sole, entity, payload: table.pieces.append(payload))
    }

    /// A row has a key, and must be the first with it, which it cannot be.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - arrival: the number of the row.
    ///   - entity: which of the space's entities the object is of.
    ///   - payload: what the client gets in either case.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest, impossibleRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>
    ) throws(BuildError) {
        try add(digest, arrival, .impossible, entity, payload: table.pieces.append(payload))
    }

    /// A row has a key, and does not count if it is the first with it.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key; nil for a row that counts in no case.
    ///   - arrival: the number of the row.
    ///   - entity: which of the space's entities the object is of.
    ///   - payload: what the client gets if it is not the first, and must not be there then; nil for a row that counts
    ///     then.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ digest: KeyDigest?, optionalRow arrival: Int64, entity: Int = 0, payload: Span<UInt8>? = nil
    ) throws(BuildError) {
        // No other row has such a key.
        let own = KeyDigest(high: UInt64(bitPattern: arrival), low: UInt64(bitPattern: ~arrival))
        guard let payload else {
            return try add(digest ?? own, arrival, .conditional, entity, payload: KeyEntry.optionalPayload(0))
        }
        let note = try table.pieces.append(payload)
        try add(digest ?? own, arrival, .impossible, entity, payload: KeyEntry.optionalPayload(note))
    }

    /// Somebody names a key: an object is to be there.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - row: the record of the object, where nothing else has the key.
    ///   - entity: which of the space's entities the object is of.
    /// - Throws: `BuildError` if the disk is full or fails.
    /// - Returns: its arrival, if it is made.
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

    /// A list names an object, which is created if nothing else has its key.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func list(_ object: ListedObject) throws(BuildError) {
        let bytes = object.encoded(for: position)
        _ = try listed.append(bytes.span)
    }

    /// Reserves the place of an object that a list names: all rows are there.
    func reserve(_ object: ListedObject) throws(BuildError) {
        let reservation = try reserve(object.digest, rowAt: object.row, entity: object.entity)
        try changing?.mention(object.digest, entity: object.entity, reservation: reservation)
        if let number = object.number { table.note(named: reservation, entity: number) }
        let (owner, arrival) = object.owner
        if object.condition == .none { return }
        if object.condition == .skipping { try owner.note(reservation, in: table, unlessSkipped: arrival) }
        try table.note(
            made: reservation, by: object.owner, of: object.record, isLate: true, unique: object.unique)
    }

    /// A row, or an object that is created because a record refers to it, says what a part of its key is, or has only a
    /// default for it, which a new object gets.
    ///
    /// - Parameters:
    ///   - digest: the digest of the value, or of the default; nil for NULL.
    ///   - isDefault: whether the row has no value.
    ///   - part: the number of the part, from 0. A row says something of all parts, in their order.
    ///   - arrival: the number of the row or the object.
    ///   - moment: when the row is written.
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

    /// An object names another by its key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - entity: which of the space's entities the other one is looked for as.
    ///   - owner: the object that refers.
    ///   - payload: what the client gets if there is none.
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

    /// Objects of a table name others by their keys, all by the same link that they can be without.
    ///
    /// - Parameters:
    ///   - named: the keys, and what names them.
    ///   - entity: which of the space's entities the others are looked for as.
    ///   - table: the table of the objects that refer.
    ///   - link: the number that it gave to the link.
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
                // What comes in the same table comes in the order of the arrivals.
                table === self.table ? owner : self.table.next)
        }
    }

    /// A row names a destination of a list by its key.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - entity: which of the space's entities the destination is looked for as.
    ///   - end: the object that has the list, and the place in it.
    ///   - payload: what the client gets if there is none.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func refer(
        _ digest: KeyDigest, as entity: Int = 0, from end: ListEnd, payload: Span<UInt8>
    ) throws(BuildError) {
        if end.isRequired { hasRequirements = true }
        hasLists = true
        let list = end.list
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

    private func spooled() throws(BuildError) -> SpooledReferences {
        if let references { return references }
        let made = SpooledReferences(path, limits)
        references = made
        return made
    }

    // MARK: - Meeting

    /// Finds the destinations of the references where each key is that of one row and of nothing else: all objects are
    /// different then.
    ///
    /// - Returns: false, at any time, where keys are not like that, or more is to be said of references.
    func join(_ body: ([ReferenceJoin.Found]) throws(BuildError) -> Void) throws(BuildError) -> Bool {
        guard let references, !hasLists, !hasRequirements else { return false }
        try entries.finish()
        try references.finish()
        let isDone = try ReferenceJoin(entries, references, finds: finds, mostKeys: limits.keysInMemory).run(body)
        isJoined = isDone
        return isDone
    }

    /// Gives the keys and the references back: nothing is asked any more.
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

    /// Finds out which objects are created whose keys do not tell them apart.
    func createObjects(_ results: IdentifiedKeys) throws(BuildError) { try changing?.createObjects(results) }

    /// Finds the destinations of the references.
    func resolve(_ body: (ReferenceEntry, _ destination: Int64?) throws(BuildError) -> Void) throws(BuildError) {
        if let changing {
            return try changing.resolve(
                areCreated: several != nil, create: { (_: Int64) throws(BuildError) in }, body)
        }
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

    /// Reads the keys of each part into memory; parts with too many are parted again, with their references.
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
                    // What is only named, or must be the first, has no row that could be merged.
                    if entry.isMerged { table.noteFollower(of: index) }
                    return
                }
                // Without what a new object needs it does not lead.
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

    /// Whether a row has its key in the end, where others may have become one object with it.
    private func isMeant(_ entry: KeyEntry) throws(BuildError) -> Bool {
        switch meaning {
        case .identity: true
        case .name: table.rows.contains(entry.arrival)
        case .alias: try table.leader(of: entry.arrival) != nil
        case .changing: false
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

/// Keys that objects name, all by the same link.
public struct NamedKeys {
    /// The digests of the keys.
    public var digests: [KeyDigest] = []
    /// The objects that name them.
    public var owners: [Int64] = []
    /// What the client gets of each that is nowhere, one after the other.
    public var notes: [UInt8] = []
    /// Where the notes end.
    public var ends: [Int] = []

    /// Makes an empty list.
    public init() {}

    /// Forgets all keys, and keeps the memory.
    public mutating func removeAll() {
        digests.removeAll(keepingCapacity: true)
        owners.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

/// The object that has a list, and the place of a link in it.
public struct ListEnd {
    let list: AssembledList
    let arrival: Int64
    let ordinal: Int
    /// Whether the object cannot be without the link.
    let isRequired: Bool
    /// Whether the destination is created if there is none.
    let creates: Bool

    /// Makes the end of a link at the object that has the list; `ordinal` is the link's place in it, from 0.
    public init(_ list: AssembledList, arrival: Int64, ordinal: Int, isRequired: Bool, creates: Bool = false) {
        self.list = list
        self.arrival = arrival
        self.ordinal = ordinal
        self.isRequired = isRequired
        self.creates = creates
    }
}

/// The object that has a link, and which of its links it is.
public struct LinkEnd {
    let table: AssembledTable
    let arrival: Int64
    let link: Int

    /// Whether the object cannot be without the link.
    let isRequired: Bool
    /// Whether a required destination must have come before the reference.
    let needsEarlier: Bool

    /// Whether the object requires the link, and all possible destinations come before the object.
    let isKnownAtOnce: Bool

    /// Destinations from this arrival on come after the reference.
    let threshold: Int64
    /// When the destination is looked for, where its key may change.
    let moment: RecordMoment
    /// Whether the destination is found in the end, whatever was there then.
    let isLast: Bool
    /// What is created if there is none at the moment; 0 for nothing.
    let reservation: Int64
    /// Whether the destination is created if there is none.
    let creates: Bool

    /// Makes the end of a link at the object that has it; `link` is the number that the table gave to the link. `moment`,
    /// `isLast` and `reservation` say when the destination is looked for where its key may change, and what is created
    /// then.
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

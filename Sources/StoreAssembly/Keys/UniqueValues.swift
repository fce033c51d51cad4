public import SQLiteFileBuilder

/// The values of a table's rows that must be unique and are not the key of the objects. They are spooled with the rows
/// that have them, in parts by digest.
///
/// A constraint has one or more slots. An object has one value in each slot, and two objects must not have the same
/// values in all slots of a constraint. A value may have the destinations of to-one links, which are found before the
/// values are compared.
public final class UniqueValues {
    unowned let table: AssembledTable
    /// The slots of each constraint.
    let constraints: [[Int]]
    /// The number of slots.
    let slots: Int
    private let limits: AssemblyLimits
    private let digester: KeyDigester
    private let memory: SpoolMemory
    @exclusivity(unchecked) private var entries: PartitionedWords
    /// The values of slots with links, without the destinations.
    private let linked: PartitionedWords
    /// By slot, the links whose destinations are part of the value.
    @exclusivity(unchecked) private var links: [[Int]]
    /// The destinations that rows give to each link, by arrival: 0 for a row that does not set the link, `nowhere` for
    /// a row that gives it no destination.
    @exclusivity(unchecked) private var destinations: [Int: NumberFile] = [:]
    /// The slots that rows of objects with a key set, by arrival, each with a `Saying`.
    let said: PairFile
    /// The lists that set the links of slots, each with its slot.
    @exclusivity(unchecked) private(set) var lists: [(slot: Int, list: ComparedList)] = []
    /// The offsets of the notes of all rows, by arrival, if lists set links of slots.
    let notes: PairFile

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
        _ table: AssembledTable, constraints: [[Int]], path: String, _ digester: KeyDigester, _ limits: AssemblyLimits,
        _ memory: SpoolMemory
    ) throws(BuildError) {
        self.memory = memory
        self.table = table
        self.constraints = constraints
        slots = (constraints.joined().max() ?? -1) + 1
        links = [[Int]](repeating: [], count: slots)
        self.limits = limits
        self.digester = digester
        entries = try PartitionedWords(width: SpoolEntry.width, path: path, limits)
        linked = try PartitionedWords(width: SpoolEntry.width, path: path, limits)
        said = try PairFile(path)
        notes = try PairFile(path)
    }

    /// Declares that the values of a slot contain the destinations of some links.
    ///
    /// - Parameters:
    ///   - links: the numbers of the links; at least one.
    ///   - slot: the slot.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    func add(_ links: [Int], to slot: Int) throws(BuildError) {
        self.links[slot] = links
        for link in links { try table.keepNamings(of: link) }
        table.comparesLinks = true
    }

    /// Declares that a list sets the link whose destinations are the values of a slot. The slot must have no other
    /// values, and its link must have been added.
    ///
    /// - Parameters:
    ///   - list: the list, whose destinations are the objects of the table.
    ///   - slot: the slot.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    func add(_ list: AssembledList, to slot: Int) throws(BuildError) {
        lists.append((slot, try list.beCompared()))
    }

    /// Whether lists set links whose destinations are part of the values. If so, each row needs a note, because it may
    /// create an object that an earlier list names.
    public var hasLists: Bool { !lists.isEmpty }

    /// Stores the offset of the note that the client gets if a row is rejected because of a link that a list has set.
    /// Rows must be given in ascending order.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func keep(_ note: Int64, of arrival: Int64) throws(BuildError) { try notes.append(arrival, note) }

    /// Whether a constraint has only links that lists set.
    var hasConstraintOfLists: Bool { hasLists && constraints.contains { $0.allSatisfy(isListed) } }

    /// Returns whether lists set the link of a slot.
    func isListed(_ slot: Int) -> Bool { lists.contains { $0.slot == slot } }

    // MARK: - Destinations

    private static let nowhere: Int64 = -1

    /// The tables whose rows determine the values of slots with links: those that the links lead to and, if lists set
    /// the links, the table itself.
    var linkedTables: [AssembledTable] {
        links.joined().map { table.links[$0].destination } + (hasLists ? [table] : [])
    }

    /// Begins to collect the destinations of links, with those that are known without a key. Those that are found by
    /// key must be added next.
    func beginDestinations() throws(BuildError) {
        destinations = [:]
        for link in Set(links.joined()) {
            let file = try NumberFile(beside: table.builder.path, pages: limits.constraintPages)
            destinations[link] = file
            try table.links[link].namings?.finish()
            guard let cursor = try table.links[link].namings?.cursor() else { continue }
            while let arrival = cursor.first {
                try file.set(cursor.second == 0 ? Self.nowhere : cursor.second, at: arrival)
                try cursor.advance()
            }
        }
        for (_, list) in lists { try list.begin(memory) }
    }

    /// Adds the destination of a reference; nil if it has none.
    func take(_ reference: ReferenceEntry, _ destination: Int64?) throws(BuildError) {
        try destinations[reference.link]?.set(destination ?? Self.nowhere, at: reference.owner)
    }

    /// Returns the destinations of a row by the links of a slot; empty if the row does not set all of these links, nil
    /// if one of them has no destination.
    private func destinations(of arrival: Int64, _ slot: Int) throws(BuildError) -> [Int64]? {
        var found: [Int64] = []
        var isNowhere = false
        for link in links[slot] {
            let destination = try destinations[link]?.number(at: arrival) ?? 0
            if destination == 0 { return [] }
            // Rows with the same key are the same destination, even if links are followed without some of these rows. A
            // destination that is known without a key belongs to the row's own record, or is never rejected.
            let leader = destination > 0 ? try table.links[link].destination.leader(of: destination) : nil
            if let leader { found.append(leader) } else { isNowhere = true }
        }
        return isNowhere ? nil : found
    }

    /// Calls a closure with the slots with links that a row sets.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - say: called with each such slot, and with whether the row has a value, or else NULL.
    func forEachLinkedSlot(of arrival: Int64, _ say: (_ slot: Int, _ hasValue: Bool) -> Void) throws(BuildError) {
        guard table.comparesLinks else { return }
        for slot in links.indices where !links[slot].isEmpty && !isListed(slot) {
            guard let found = try destinations(of: arrival, slot) else {
                say(slot, false)
                continue
            }
            if !found.isEmpty { say(slot, true) }
        }
    }

    /// Calls a closure with the slots whose links lists may set, as far as a row sets them itself.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - say: called with each such slot, and with the destination, which is 0 if there is none.
    func forEachListedSlot(
        of arrival: Int64, _ say: (_ slot: Int, _ destination: Int64) -> Void
    ) throws(BuildError) {
        for slot in links.indices where isListed(slot) {
            guard let found = try destinations(of: arrival, slot) else {
                say(slot, 0)
                continue
            }
            if let destination = found.first { say(slot, destination) }
        }
    }

    /// Adds a value of a row, or the default that its object gets if the row creates the object. Rows must be given in
    /// ascending order.
    ///
    /// - Parameters:
    ///   - value: the digest of the value, without the destinations of links.
    ///   - slot: the slot of the value.
    ///   - arrival: the number of the row.
    ///   - key: the digest of the object's key; nil if no other row can belong to the object.
    ///   - isDefault: whether the value is a default, which an existing object does not get.
    ///   - note: the offset of the note that the client gets if another object has the value.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(
        _ value: KeyDigest, slot: Int, row arrival: Int64, key: KeyDigest?, isDefault: Bool, note: Int64
    ) throws(BuildError) {
        let hasLinks = !links[slot].isEmpty
        // The destinations of the row's links are known after all rows have been added.
        if key != nil, !hasLinks { try say(isDefault ? .byDefault : .value, slot, arrival) }
        // It is practically impossible that the digest of a key has all of these bits set.
        let object = key ?? KeyDigest(high: .max, low: UInt64(arrival))
        let entry = SpoolEntry(
            digest: value.of(entity: Int64(slot)), UInt64(arrival) << Self.slotBits | UInt64(slot), UInt64(note),
            object.high, object.low)
        if hasLinks { try linked.append(entry) } else { try entries.append(entry) }
    }

    /// Records that a row of an object with a key has NULL in a slot.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func addNull(slot: Int, row arrival: Int64) throws(BuildError) {
        try say(.null, slot, arrival)
    }

    private func say(_ saying: Saying, _ slot: Int, _ arrival: Int64) throws(BuildError) {
        try said.append(arrival, Int64(slot) << Self.sayingBits | saying.rawValue)
    }

    /// Finds the rows with values that rows of several objects have.
    ///
    /// - Parameter shared: gets tuples of arrival, slot, number of the value, and offset of the note.
    /// - Throws: `BuildError` if the disk is full or fails.
    func findShared(_ shared: TupleSorter) throws(BuildError) {
        try entries.finish()
        try said.finish()
        try visit(entries, shared)
        guard table.comparesLinks else { return }
        try linked.finish()
        let whole = try PartitionedWords(width: SpoolEntry.width, path: table.builder.path, limits)
        defer { whole.discard() }
        var bytes: [UInt8] = []
        for part in 0..<PartitionedWords.parts where !linked.isEmpty(part) {
            try linked.forEach(in: part) { (entry) throws(BuildError) in
                let arrival = Self.arrival(of: entry)
                guard !table.rejected.contains(arrival),
                    let found = try destinations(of: arrival, Self.slot(of: entry)), !found.isEmpty
                else { return }
                bytes.removeAll(keepingCapacity: true)
                bytes.append(word: entry.digest.high)
                bytes.append(word: entry.digest.low)
                for destination in found { bytes.append(word: UInt64(bitPattern: destination)) }
                try whole.append(
                    SpoolEntry(
                        digest: digester.digest(of: bytes.span), entry.first, entry.second, entry.third, entry.fourth))
            }
        }
        try whole.finish()
        try visit(whole, shared)
    }

    /// Returns the number of an entry's row.
    private static func arrival(of entry: SpoolEntry) -> Int64 { Int64(entry.first >> slotBits) }

    private static func slot(of entry: SpoolEntry) -> Int { Int(entry.first & (1 << UInt64(slotBits) - 1)) }

    /// Reads the values of each part into memory. Parts with too many values are divided again.
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
                try shared.add([arrival, Int64(Self.slot(of: entry)), number, Int64(entry.second)])
            }
        }
    }
}

/// Different values in memory, each with the first object that has it.
private struct ValueTable {
    private var keys = KeyTable()
    /// The first object of each value, by index in `keys`.
    private var objects: [KeyDigest] = []
    /// Whether rows of several objects have one of the values.
    private(set) var hasShared = false

    var count: Int { keys.count }

    mutating func removeAll(before count: Int) {
        keys.removeAll(before: count)
        objects.removeAll(keepingCapacity: true)
        hasShared = false
    }

    /// Records another row with a value. Returns false if the value is not in the table.
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

    /// Returns the number of a value that rows of several objects have, which is the first arrival that has it; nil if
    /// only one object has the value.
    func sharedNumber(_ digest: KeyDigest) -> Int64? {
        keys.index(of: digest).flatMap { keys.leaders[$0].hasFollowers ? keys.leaders[$0].arrival : nil }
    }
}

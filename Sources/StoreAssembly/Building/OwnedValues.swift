import SQLiteFileBuilder

/// The links that lists may set and that are part of unique values, while rows and lists set them in the order of the
/// records. All numbers are on disk.
///
/// Links are those of leaders: a list may name an object that a later record creates.
final class OwnedValues {
    /// The slots of the links.
    let slots: [Int]
    private let table: AssembledTable
    private let constraints: Int64
    /// The tables of the rows that have the lists, by slot.
    private let owningTables: [Int: AssembledTable]
    /// By leader and slot, the owner, and the moment at which the link was set.
    private let owners: NumberFile
    /// By owner and slot, the moment at which a list ended the owner's links, and the number of links since.
    private let ends: NumberFile
    /// The object by leader, and the leader by object.
    private let objects: NumberFile
    private let leaders: NumberFile
    /// By object and constraint, the place at which the object was recorded as the one that has its values.
    private let places: NumberFile
    /// The number of lists that have ended links.
    private var moment: Int64 = 0

    /// A link that a row gives to its own object.
    private struct Saying {
        let mapping: Int
        let slot: Int
        let leader: Int64
        let owner: Int64
        let isFilling: Bool
        let row: ConstraintPass.ChangingRow
    }

    // MARK: - The current record

    /// The links that rows give to their own objects, and how many of them have been applied.
    private var sayings: [Saying] = []
    private var appliedCount = 0
    /// The objects that have changed, each with the last row that changed it, in the order of their first changes.
    private var changed: [(object: Int64, row: ConstraintPass.ChangingRow)] = []
    private var indices: [Int64: Int] = [:]
    /// Whether filling rows apply, by row and slot.
    private var areApplied: [Int64: Bool] = [:]

    init(_ input: ConstraintPass.Input, constraints: Int, _ limits: AssemblyLimits) throws(BuildError) {
        table = input.table
        self.constraints = Int64(constraints)
        let lists = input.table.uniqueValues?.lists ?? []
        slots = lists.map(\.slot)
        owningTables = Dictionary(lists.map { ($0.slot, $0.list.owner) }, uniquingKeysWith: { first, _ in first })
        let path = input.table.builder.path
        func file() throws(BuildError) -> NumberFile { try NumberFile(beside: path, pages: limits.constraintPages) }
        (owners, ends, objects, leaders, places) = (try file(), try file(), try file(), try file(), try file())
    }

    // MARK: - Changes of lists

    /// The number of numbers of a tuple.
    static let width = 13

    /// Returns a change as a tuple that sorts by record, `phase`, mapping, table, kind of change, and place.
    ///
    /// - Parameters:
    ///   - event: the change.
    ///   - phase: the second number.
    ///   - input: the number of the table, which is the fourth number.
    ///   - slot: the slot of the link.
    static func tuple(of event: ComparedList.Event, phase: Int64, input: Int, _ slot: Int) -> [Int64] {
        [
            event.record, phase, event.mapping, Int64(input), event.change.rawValue, event.place, event.row,
            Int64(slot), event.object, event.owner, event.isFilling ? 1 : 0, event.note, event.isThere ? 1 : 0,
        ]
    }

    /// Applies a change of a list.
    ///
    /// - Parameters:
    ///   - tuple: the change.
    ///   - changes: gets the changed numbers.
    ///   - body: called with the row of the list if it gives an object another owner.
    func take(
        _ tuple: [Int64], _ changes: inout NumberChanges,
        _ body: (_ row: ConstraintPass.ChangingRow, _ object: Int64) -> Void
    ) throws(BuildError) {
        let (mapping, slot, owner) = (Int(tuple[2]), Int(tuple[7]), tuple[9])
        // If one record has both, its list is used after its owner.
        let isLink = tuple[4] == ComparedList.Change.link.rawValue
        try applySayings(before: isLink ? mapping + 1 : mapping, &changes)
        guard isLink else {
            moment += 1
            let place = place(owner, slot)
            try changes.set(moment, at: place, in: ends)
            return try changes.set(0, at: place + 1, in: ends)
        }
        if tuple[10] != 0 {
            let key = tuple[6] * Int64(slots.count) + Int64(slots.firstIndex(of: slot) ?? 0)
            if areApplied[key] == nil { areApplied[key] = try ends.number(at: place(owner, slot) + 1) == 0 }
            guard areApplied[key] ?? false else { return }
        }
        let row = ConstraintPass.ChangingRow(
            table: owningTables[slot] ?? table, arrival: tuple[6], note: tuple[11])
        if let object = try give(owner, to: tuple[8], slot, counts: tuple[12] != 0, &changes) {
            note(object, row)
            body(row, object)
        }
    }

    /// Takes a row that has created its object, or may have changed it.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - object: the object.
    ///   - isNew: whether the row has created it.
    ///   - said: the values of the row by slot.
    ///   - changes: gets the changed numbers.
    func take(
        _ row: ConstraintPass.ChangingRow, _ object: Int64, isNew: Bool, _ said: [Int64],
        _ changes: inout NumberChanges
    ) throws(BuildError) {
        let leader = try table.leader(of: row.arrival) ?? row.arrival
        if isNew {
            try changes.set(object, at: leader, in: objects)
            try changes.set(leader, at: object, in: leaders)
        }
        note(object, row)
        guard let form = table.form(of: row.arrival).map({ table.forms[$0] }) else { return }
        for slot in slots where said[slot] != ConstraintPass.Value.none.rawValue {
            sayings.append(
                Saying(
                    mapping: form.mapping, slot: slot, leader: leader,
                    owner: max(0, said[slot] - ConstraintPass.Value.own.rawValue), isFilling: form.onMatch == .fill,
                    row: row))
        }
    }

    /// Returns the objects that the current record has changed, each with the last row that changed it, after all links
    /// of the record have been set.
    func changedObjects(
        _ changes: inout NumberChanges
    ) throws(BuildError) -> [(object: Int64, row: ConstraintPass.ChangingRow)] {
        try applySayings(before: .max, &changes)
        return changed
    }

    /// Forgets the current record.
    func endRecord() {
        sayings.removeAll(keepingCapacity: true)
        appliedCount = 0
        changed.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        areApplied.removeAll(keepingCapacity: true)
    }

    /// Applies the links that rows of mappings below a number give to their own objects, in the order of the mappings.
    private func applySayings(before mapping: Int, _ changes: inout NumberChanges) throws(BuildError) {
        guard appliedCount < sayings.count else { return }
        // All rows of the record come before its lists.
        if appliedCount == 0 { sayings.sort { ($0.mapping, $0.row.arrival) < ($1.mapping, $1.row.arrival) } }
        while appliedCount < sayings.count, sayings[appliedCount].mapping < mapping {
            let saying = sayings[appliedCount]
            appliedCount += 1
            if saying.isFilling, try owner(ofLeader: saying.leader, saying.slot) != 0 { continue }
            if let object = try give(saying.owner, to: saying.leader, saying.slot, counts: true, &changes) {
                note(object, saying.row)
            }
        }
    }

    private func note(_ object: Int64, _ row: ConstraintPass.ChangingRow) {
        if let index = indices[object] {
            changed[index].row = row
        } else {
            indices[object] = changed.count
            changed.append((object, row))
        }
    }

    // MARK: - Owners

    private func place(_ number: Int64, _ slot: Int) -> Int64 {
        2 * (number * Int64(slots.count) + Int64(slots.firstIndex(of: slot) ?? 0))
    }

    /// Gives a leader an owner, or 0 for none.
    ///
    /// - Parameter counts: whether the link is one of the owner's links, since the object exists at the end.
    /// - Returns: the object of the leader; nil if there is none so far.
    private func give(
        _ owner: Int64, to leader: Int64, _ slot: Int, counts: Bool, _ changes: inout NumberChanges
    ) throws(BuildError) -> Int64? {
        let former = try self.owner(ofLeader: leader, slot)
        let own = place(leader, slot)
        try changes.set(owner, at: own, in: owners)
        // Otherwise, a link that a list has ended would be valid again.
        try changes.set(moment, at: own + 1, in: owners)
        if counts, former != owner {
            for (owner, change) in [(former, -1), (owner, 1 as Int64)] where owner != 0 {
                let place = place(owner, slot) + 1
                try changes.set(ends.number(at: place) + change, at: place, in: ends)
            }
        }
        let object = try objects.number(at: leader)
        return object == 0 ? nil : object
    }

    private func owner(ofLeader leader: Int64, _ slot: Int) throws(BuildError) -> Int64 {
        let own = place(leader, slot)
        let owner = try owners.number(at: own)
        guard owner != 0 else { return 0 }
        return try ends.number(at: place(owner, slot)) > owners.number(at: own + 1) ? 0 : owner
    }

    /// Returns the owner of an object by the link of a slot; 0 if there is none.
    func owner(of object: Int64, _ slot: Int) throws(BuildError) -> Int64 {
        try owner(ofLeader: leaders.number(at: object), slot)
    }

    /// Returns the place at which an object was recorded as the one that has the values of a constraint; 0 if it was
    /// not.
    func place(of object: Int64, _ constraint: Int) throws(BuildError) -> Int64 {
        try places.number(at: object * constraints + Int64(constraint))
    }

    /// Records the place of an object among those that have the values of a constraint; 0 for none.
    func set(
        _ place: Int64, of object: Int64, _ constraint: Int, _ changes: inout NumberChanges
    ) throws(BuildError) {
        try changes.set(place, at: object * constraints + Int64(constraint), in: places)
    }
}

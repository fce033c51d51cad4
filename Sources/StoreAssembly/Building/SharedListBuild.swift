import SQLiteFileBuilder

/// A builder of a one-to-many relationship that several mappings set, from one side or from both. It collects the
/// owners that lists and to-one links give to objects. An object has the owner that the last row gives it, unless a
/// later row replaces that owner's list.
final class SharedListBuild: ListBuild {
    /// Tuples of object, turn of the row, one more than the position in the list or 0 for a to-one link, row, and owner
    /// or 0 for no owner.
    private var sayings: TupleSorter
    private var sorted: TupleCursor?
    private let ends: PairFile?
    /// The pass that finds the filling rows which do not apply; nil if no rows fill links or lists.
    private let ownerFilling: OwnerFilling?

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        sayings = TupleSorter(width: 5, memory)
        ends = try Self.ends(of: list, memory)
        ownerFilling = list.fills || list.areOwnersFilled ? try OwnerFilling(list, limits, memory) : nil
        try super.init(list, memory)
    }

    override func takeKnown() throws(BuildError) {
        try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
            if let owner = try owners.owner(of: row), let destination = try list.destination.leader(of: destination) {
                try add(destination, of: owner, named: ordinal, by: row)
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try add(destination, of: owner, named: reference.ordinal, by: reference.owner)
    }

    private func add(_ destination: Int64, of owner: Int64, named ordinal: Int64, by row: Int64) throws(BuildError) {
        try sayings.add([destination, try list.owner.turn(of: row), ordinal + 1, row, owner])
    }

    /// Adds the to-one link that a row gives to its own object.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - row: the row.
    ///   - owner: the owner; 0 if the row removes the link.
    ///   - absence: one more than the offset of the payload of a reference without a destination; 0 if there is no such
    ///     reference.
    func addToOne(of object: Int64, row: Int64, owner: Int64, absence: Int64 = 0) throws(BuildError) {
        if absence != 0, let ownerFilling { return try ownerFilling.addAbsence(absence - 1, ofToOne: object, by: row) }
        try sayings.add([object, try list.destination.turn(of: row), 0, row, owner])
    }

    /// For each object, one more than the offset of the payload of its to-one link without a destination, if rows fill
    /// to-one links; otherwise nil, because the last row of an object applies.
    var absences: NumberFile? { list.areOwnersFilled ? ownerFilling?.absences : nil }

    /// Returns the links that apply, in order. No more links may be added.
    private func settled(_ checkpoint: () throws -> Void) throws -> TupleCursor {
        if sorted == nil, let ownerFilling {
            sayings = try ownerFilling.counting(sayings.sorted(), checkpoint: checkpoint, absence: report)
        }
        return try sayings.cursor(&sorted)
    }

    /// Calls a closure with each to-one link that applies and has an owner, and with the turn of its row. No more links
    /// may be added.
    func forEachToOne(
        _ checkpoint: () throws -> Void,
        _ body: (_ object: Int64, _ owner: Int64, _ turn: Int64) throws(BuildError) -> Void
    ) throws {
        let cursor = try settled(checkpoint)
        while let saying = try cursor.next() {
            if saying[2] == 0, saying[4] != 0 { try body(saying[0], saying[4], saying[1]) }
        }
    }

    /// The owner of an object.
    struct Owner {
        let number: Int64
        /// The turn of the row that gives the object this owner; of several rows, that of the last list, or of the
        /// first row if no list names the object.
        let turn: Int64
        let row: Int64
        /// One more than the position in the list; 0 for a to-one link.
        let place: Int64
        /// The turn of the first row that gives the object this owner, or of the last row that has replaced the owner's
        /// list since.
        var since: Int64
    }

    /// Calls a closure with each object that has an owner, in ascending order. No more links may be added.
    ///
    /// - Parameter checkpoint: called once in a while.
    func forEachOwner(
        _ checkpoint: () throws -> Void, _ body: (_ object: Int64, _ owner: Owner) throws(BuildError) -> Void
    ) throws {
        let cursor = try settled(checkpoint)
        var (object, owner): (Int64, Owner?) = (0, nil)
        func end(of owner: Owner) throws(BuildError) -> Int64 { try ends?.value(of: owner.number) ?? 0 }
        func finish() throws(BuildError) {
            guard var owner else { return }
            let end = try end(of: owner)
            guard end <= owner.turn else { return }
            owner.since = max(owner.since, end)
            try body(object, owner)
        }
        var count = 0
        while let saying = try cursor.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            if saying[0] != object {
                try finish()
                (object, owner) = (saying[0], nil)
            }
            var next = Owner(number: saying[4], turn: saying[1], row: saying[3], place: saying[2], since: saying[1])
            guard next.number != 0 else {
                owner = nil
                continue
            }
            if let known = owner, known.number == next.number {
                // If a list names the object twice, the first position applies. A to-one link to the same owner leaves
                // the object in its place.
                if known.row == next.row, known.place > 0, next.place > 0 { continue }
                if next.place == 0, try end(of: known) <= known.turn { continue }
                next.since = known.since
            }
            owner = next
        }
        try finish()
    }

    /// A link, and a row that sets it: a row of the owner or, if `isOfObject`, of the object.
    typealias Saying = (object: Int64, owner: Int64, row: Int64, isOfObject: Bool)

    /// Calls a closure with the final links, once for each row that sets one. No more links may be added.
    /// - Parameter checkpoint: called once in a while.
    func forEachSaying(_ checkpoint: () throws -> Void, _ body: (Saying) throws(BuildError) -> Void) throws {
        let (owners, turns) = (try PairFile(list.owner.builder.path), try PairFile(list.owner.builder.path))
        try forEachOwner(checkpoint) { (object, owner) throws(BuildError) in
            try owners.append(object, owner.number)
            try turns.append(object, owner.since)
        }
        try owners.finish()
        try turns.finish()
        let (owner, since) = (try owners.cursor(), try turns.cursor())
        let cursor = try settled(checkpoint)
        while let saying = try cursor.next() {
            guard try owner.seek(saying[0]), try since.seek(saying[0]), owner.second == saying[4],
                since.second <= saying[1]
            else { continue }
            try body((saying[0], saying[4], saying[3], saying[2] == 0))
        }
    }

    override func takeAbsence(_ reference: ReferenceEntry, of owner: Int64) throws(BuildError) {
        guard try ends?.value(of: owner) ?? 0 <= list.owner.turn(of: reference.owner) else { return }
        if let ownerFilling, list.owner.matchRule(of: reference.owner) == .fill {
            return try ownerFilling.addAbsence(reference.payload, of: owner, by: reference.owner)
        }
        try super.takeAbsence(reference, of: owner)
    }

    /// Returns, by owner, the first turn of the last record that replaces its list: the links that the record itself
    /// sets stay. The row that creates an object does not replace anything. Returns nil if no row can do so.
    private static func ends(of list: AssembledList, _ memory: SpoolMemory) throws(BuildError) -> PairFile? {
        guard list.owner.members != nil else { return nil }
        let sorter = PairSorter(memory)
        let said = try list.rules()
        while let row = said.first {
            if said.second == AssembledList.Rule.replace.rawValue, let owner = try list.owner.leader(of: row),
                try !list.owner.isMaker(row, of: owner)
            {
                try sorter.add(owner, list.owner.firstTurn(ofRecordOf: row))
            }
            try said.advance()
        }
        let ends = try PairFile(list.owner.builder.path)
        let sorted = try sorter.sorted().cursor()
        var last: Int64 = 0
        while let owner = sorted.first {
            last = max(last, sorted.second)
            try sorted.advance()
            if sorted.first != owner {
                try ends.append(owner, last)
                last = 0
            }
        }
        try ends.finish()
        return ends
    }
}

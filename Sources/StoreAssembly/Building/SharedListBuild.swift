import SQLiteFileBuilder

/// Gathers what lists say of the owners of the objects in them, where several mappings say these owners: those of one
/// side of a one-to-many relationship, or of both. The last row that says an object's owner counts, unless a later row says
/// what the owner's list is.
final class SharedListBuild: ListBuild {
    /// The object, the row's turn, one more than the place in its list or 0 for a to-one, the row, the owner or 0 for none.
    private var sayings: TupleSorter
    private var sorted: TupleCursor?
    private let ends: PairFile?
    /// Finds the rows that fill nothing; nil if no rows have `fill`.
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

    /// Adds what a row says of its own to-one.
    ///
    /// - Parameters:
    ///   - owner: 0 for none.
    ///   - absence: one more than the place of the payload of what is named and is nowhere; 0 if there is none.
    func addToOne(of object: Int64, row: Int64, owner: Int64, absence: Int64 = 0) throws(BuildError) {
        if absence != 0, let ownerFilling { return try ownerFilling.addAbsence(absence - 1, ofToOne: object, by: row) }
        try sayings.add([object, try list.destination.turn(of: row), 0, row, owner])
    }

    /// By object, one more than the payload of what its to-one names and is nowhere, where rows fill to-ones; nil if the
    /// last row of an object counts.
    var absences: NumberFile? { list.areOwnersFilled ? ownerFilling?.absences : nil }

    /// Returns the sayings that count, in order. No row says anything more.
    private func settled(_ checkpoint: () throws -> Void) throws -> TupleCursor {
        if sorted == nil, let ownerFilling {
            sayings = try ownerFilling.counting(sayings.sorted(), checkpoint: checkpoint, absence: report)
        }
        return try sayings.cursor(&sorted)
    }

    /// Calls a closure with each to-one that counts and leads to an owner, and the turn of its row. No row says anything
    /// more.
    func forEachToOne(
        _ checkpoint: () throws -> Void,
        _ body: (_ object: Int64, _ owner: Int64, _ turn: Int64) throws(BuildError) -> Void
    ) throws {
        let cursor = try settled(checkpoint)
        while let saying = try cursor.next() {
            if saying[2] == 0, saying[4] != 0 { try body(saying[0], saying[4], saying[1]) }
        }
    }

    /// What an object leads to.
    struct Owner {
        let number: Int64
        /// The turn of the row that says so; of several, that of the last list.
        let turn: Int64
        let row: Int64
        /// One more than the place in the list; 0 for a to-one.
        let place: Int64
        /// The turn of the first row that says so, as far as nothing has ended the link since.
        var since: Int64
    }

    /// Calls a closure with each object that has an owner, in their order. No row says anything more.
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
                // Of a list that names it twice, the first place counts; a to-one leaves the object where it is.
                if known.row == next.row, known.place > 0, next.place > 0 { continue }
                if next.place == 0, try end(of: known) <= known.turn { continue }
                next.since = known.since
            }
            owner = next
        }
        try finish()
    }

    /// A link, and a row that says it: one of the owners, or of the objects.
    typealias Saying = (object: Int64, owner: Int64, row: Int64, isOfObject: Bool)

    /// Calls a closure with the links that there are in the end, once for each row that says one. No row says anything more.
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

    /// By owner, the turn of the last row that says what its list is, where that ends what was said before: the row that
    /// makes an object ends nothing. Nil if no row does.
    private static func ends(of list: AssembledList, _ memory: SpoolMemory) throws(BuildError) -> PairFile? {
        try list.said.finish()
        guard list.owner.members != nil else { return nil }
        let sorter = PairSorter(memory)
        let said = try list.said.cursor()
        while let row = said.first {
            if said.second == AssembledList.Rule.replace.rawValue, let owner = try list.owner.leader(of: row),
                try !list.owner.isMaker(row, of: owner)
            {
                try sorter.add(owner, list.owner.turn(of: row))
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

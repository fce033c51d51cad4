import SQLiteFileBuilder

/// The links of a list whose destinations have the owner of the list in a unique value.
///
/// Where the links lead, and which lists a later one replaces, depends on which rows are rejected. This is determined
/// before the values are compared, and again when other rows have turned out to be rejected. A row that was rejected
/// before does not end other lists, but its own list is compared again, as if the row were not rejected. Neither is an
/// object missing whose only rows were rejected before: it has the owners that lists give it while these rows are
/// compared again.
final class ComparedList {
    private unowned let list: AssembledList
    /// The rows that have the list, with the offsets of the notes that the client gets.
    let notes: PairFile
    /// The rows with their lists, as tuples of row, position, kind, and number. The positions below 0 are those of the
    /// offset of the note, of the rule, and of a `State`; the others are twice the positions of destinations in the list,
    /// plus one for those that are known without a key. They have the kind `isThere` for an object that exists without
    /// the rejected rows, and otherwise the kind `isPossible`.
    private var rows: TupleSorter?
    /// The rows that were the first of their objects when destinations were determined, unless no row was rejected then.
    private var firsts = RejectedRows()
    private static let isThere: Int64 = 0
    private static let isPossible: Int64 = 1

    /// The kinds of changes, in the order in which those of one record and mapping apply.
    enum Change: Int64 {
        /// A list ends the earlier links of its owner.
        case end
        case link
    }

    private enum Position {
        static let note: Int64 = -3
        static let rule: Int64 = -2
        static let state: Int64 = -1
    }

    /// The state of a row when destinations were determined.
    private struct State: OptionSet {
        let rawValue: Int64
        /// The row was rejected.
        static let isRejected = State(rawValue: 1)
        /// The row is the first of its object.
        static let isFirst = State(rawValue: 2)
        /// The row would have created its object if rows were read one by one.
        static let isMaker = State(rawValue: 4)
    }

    init(_ list: AssembledList) throws(BuildError) {
        self.list = list
        notes = try PairFile(list.owner.builder.path)
    }

    /// The table of the rows.
    var owner: AssembledTable { list.owner }

    /// Whether some rows fill the list only if it is empty, and the objects may set the link themselves.
    var isFilledAmongOwn: Bool { list.fills && list.isShared }

    /// Begins to collect the destinations, with those that are known without a key. Those that are found by key must be
    /// added next.
    func begin(_ memory: SpoolMemory) throws(BuildError) {
        let rows = TupleSorter(width: 4, memory)
        self.rows = rows
        firsts = RejectedRows()
        if list.owner.rejected.count > 0 {
            for row in 1..<list.owner.next where try list.owner.leader(of: row) == row { _ = firsts.insert(row) }
        }
        try notes.finish()
        let note = try notes.cursor()
        while let row = note.first {
            try rows.add([row, Position.note, 0, note.second])
            var state: State = list.owner.rejected.contains(row) ? .isRejected : []
            if let owner = try list.owner.leader(of: row) {
                if owner == row { state.insert(.isFirst) }
                if try list.owner.isMaker(row, of: owner) { state.insert(.isMaker) }
            }
            try rows.add([row, Position.state, 0, state.rawValue])
            try note.advance()
        }
        let said = try list.rules()
        while let row = said.first {
            try rows.add([row, Position.rule, 0, said.second])
            try said.advance()
        }
        try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
            let isThere = try list.destination.leader(of: destination) != nil
            try rows.add([row, 2 * ordinal + 1, isThere ? Self.isThere : Self.isPossible, destination])
        }
    }

    /// Adds the destination of a reference.
    ///
    /// - Parameters:
    ///   - reference: the reference.
    ///   - destination: the object that it leads to.
    ///   - isThere: whether the object exists without the rejected rows.
    func take(_ reference: ReferenceEntry, _ destination: Int64, isThere: Bool) throws(BuildError) {
        try rows?.add([
            reference.owner, 2 * reference.ordinal, isThere ? Self.isThere : Self.isPossible, destination,
        ])
    }

    /// A change that a row makes to the owners of objects.
    struct Event {
        let record: Int64
        /// The number of the row's mapping, if other mappings of the record may set the same links; otherwise 0.
        let mapping: Int64
        let change: Change
        /// The position in the list, if the lists of several rows of a record and mapping apply in this order;
        /// otherwise 0.
        let place: Int64
        let row: Int64
        /// The object that gets another owner; 0 for the end of all links of the owner.
        let object: Int64
        /// The owner; 0 for none.
        let owner: Int64
        /// Whether the object exists without the rejected rows.
        let isThere: Bool
        let isFilling: Bool
        /// The offset of the note that the client gets if the row is rejected.
        let note: Int64
    }

    /// Calls a closure with all changes, in no particular order. Objects and owners are those of the current
    /// identification.
    ///
    /// - Parameters:
    ///   - limits: the limits of the assembly.
    ///   - body: the closure.
    func forEachEvent(
        _ limits: AssemblyLimits, _ body: (Event) throws(BuildError) -> Void
    ) throws(BuildError) {
        guard let sorter = rows else { return }
        rows = nil
        let tuples = try sorter.sorted()
        /// By owner, the last row whose list replaces the others; nil if each list applies until the next one.
        let last = list.isShared ? nil : try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        /// By owner, its first row that was not rejected when destinations were determined.
        let first = try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        try firsts.forEach { (row) throws(BuildError) in
            guard let owner = try list.owner.leader(of: row), try first.number(at: owner) == 0 else { return }
            try first.set(row, at: owner)
        }
        if let last {
            try forEachRow(tuples.restarted(), first) { (row) throws(BuildError) in
                guard row.rule == .replace, !row.state.contains(.isRejected) else { return }
                if try last.number(at: row.owner) < row.arrival { try last.set(row.arrival, at: row.owner) }
            } link: { _, _, _, _ throws(BuildError) in
            }
        }
        var counts = true
        try forEachRow(tuples, first) { (row) throws(BuildError) in
            counts = try last.map { (last) throws(BuildError) in try last.number(at: row.owner) <= row.arrival } ?? true
            guard counts, row.rule == .replace, !row.isMaker else { return }
            try body(event(.end, row, place: 0, object: 0, owner: row.owner, isThere: true))
        } link: { (row, ordinal, destination, isThere) throws(BuildError) in
            // An object is lost to its former owner even if a later list replaces the one that names it.
            guard counts || list.isOfRecords && !list.isRuledByRow,
                let object = try list.destination.leader(of: destination)
            else { return }
            try body(
                event(
                    .link, row, place: list.isShared ? ordinal : 0, object: object, owner: counts ? row.owner : 0,
                    isThere: isThere))
        }
    }

    private struct Row {
        let arrival: Int64
        let owner: Int64
        let record: Int64
        let rule: AssembledList.Rule
        let state: State
        let isMaker: Bool
        let note: Int64
    }

    private func event(
        _ change: Change, _ row: Row, place: Int64, object: Int64, owner: Int64, isThere: Bool
    ) throws(BuildError) -> Event {
        let mapping = list.isShared ? list.owner.form(of: row.arrival).map { list.owner.forms[$0].mapping } ?? 0 : 0
        return Event(
            record: row.record, mapping: Int64(mapping), change: change, place: place, row: row.arrival,
            object: object, owner: owner, isThere: isThere, isFilling: row.rule == .fill, note: row.note)
    }

    /// Calls closures with each row whose list may apply, and then with each of its links.
    private func forEachRow(
        _ tuples: TupleCursor, _ first: NumberFile, _ body: (Row) throws(BuildError) -> Void,
        link: (_ row: Row, _ ordinal: Int64, _ destination: Int64, _ isThere: Bool) throws(BuildError) -> Void
    ) throws(BuildError) {
        var row: Row?
        var last: (row: Int64, ordinal: Int64) = (0, 0)
        var (note, rule) = (Int64(0), list.rule)
        while let tuple = try tuples.next() {
            switch tuple[1] {
            case Position.note: (row, note, rule) = (nil, tuple[3], list.rule)
            case Position.rule: rule = AssembledList.Rule(rawValue: tuple[3]) ?? list.rule
            case Position.state:
                row = try self.row(tuple[0], State(rawValue: tuple[3]), rule, note, first)
                if let row { try body(row) }
            default:
                let isThere = tuple[2] == Self.isThere
                // A reference is looked up with and without the rejected rows.
                if !isThere, last == (tuple[0], tuple[1]) { continue }
                last = (tuple[0], tuple[1])
                if let row { try link(row, tuple[1] / 2, tuple[3], isThere) }
            }
        }
    }

    /// Returns a row; nil if its list does not apply.
    private func row(
        _ arrival: Int64, _ state: State, _ rule: AssembledList.Rule, _ note: Int64, _ first: NumberFile
    ) throws(BuildError) -> Row? {
        guard let owner = try list.owner.leader(of: arrival), let record = try list.owner.record(of: arrival) else {
            return nil
        }
        let isRejected = state.contains(.isRejected)
        let isKept = list.isShared ? list.owner.matchRule(of: arrival) == .skip : rule == .keep
        if isKept {
            // Without its rejection, the row would be the first if all rows before it are rejected as well.
            let earlier = try isRejected ? first.number(at: owner) : 0
            guard isRejected ? earlier == 0 || earlier > arrival : state.contains(.isFirst) else { return nil }
        }
        let isMaker = try isRejected ? list.owner.isMaker(arrival, of: owner) : state.contains(.isMaker)
        return Row(
            arrival: arrival, owner: owner, record: record, rule: rule, state: state, isMaker: isMaker, note: note)
    }
}

import SQLiteFileBuilder

/// A pass that finds the rows which set the owners of objects if some rows fill only empty links and lists.
///
/// All rows are read in the order of their records. The owner of each object at that point, and the number of objects
/// of each owner, are on disk.
final class OwnerFilling {
    private let list: AssembledList
    private let limits: AssemblyLimits
    private let memory: SpoolMemory
    /// The contents of the rows, as tuples of turn, kind, row, position in its list, object, owner, and offset of a
    /// payload.
    private let events: TupleSorter
    /// The owner of each object, and the turn of the last row that set it.
    private let owners: NumberFile
    private let turns: NumberFile
    /// For each owner, the turn of the last list that replaced an earlier one, and the number of objects that the owner
    /// has.
    private let ends: NumberFile
    private let counts: NumberFile
    /// For each owner, the last row that could fill its list but names no object that exists; 0 if a row fills the
    /// list.
    private let unfilled: NumberFile
    /// For each object, one more than the offset of the payload of its to-one link without a destination; 0 if there is
    /// no such link.
    let absences: NumberFile

    private enum Kind {
        /// A list replaces the earlier links of its owner. This precedes the links of the record.
        static let end: Int64 = 0
        static let toOne: Int64 = 1
        /// A row that fills a list begins.
        static let fill: Int64 = 2
        static let link: Int64 = 3
        static let absence: Int64 = 4
    }

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        (self.list, self.limits, self.memory) = (list, limits, memory)
        events = TupleSorter(width: 7, memory)
        func file() throws(BuildError) -> NumberFile {
            try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        }
        (owners, turns, ends) = (try file(), try file(), try file())
        (counts, unfilled, absences) = (try file(), try file(), try file())
        let said = try list.rules()
        while let row = said.first {
            if let owner = try list.owner.leader(of: row) {
                let turn = try list.owner.turn(of: row)
                if said.second == AssembledList.Rule.fill.rawValue {
                    try events.add([turn, Kind.fill, row, 0, 0, owner, 0])
                } else if said.second == AssembledList.Rule.replace.rawValue,
                    try !list.owner.isMaker(row, of: owner)
                {
                    try events.add([list.owner.firstTurn(ofRecordOf: row), Kind.end, row, 0, 0, owner, 0])
                }
            }
            try said.advance()
        }
    }

    /// Adds a link of a row's list without a destination.
    func addAbsence(_ payload: Int64, of owner: Int64, by row: Int64) throws(BuildError) {
        try events.add([list.owner.turn(of: row), Kind.absence, row, 0, 0, owner, payload])
    }

    /// Adds a to-one link of a row without a destination.
    func addAbsence(_ payload: Int64, ofToOne object: Int64, by row: Int64) throws(BuildError) {
        try events.add([list.destination.turn(of: row), Kind.toOne, row, 0, object, 0, payload + 1])
    }

    /// Returns the tuples of `SharedListBuild.sayings` that apply, without those of filling rows whose object or list
    /// already has links.
    ///
    /// - Parameters:
    ///   - sayings: all tuples.
    ///   - checkpoint: called once in a while.
    ///   - absence: called with the owner and the payload of each link of a list that has no destination and is
    ///     reported.
    func counting(
        _ sayings: TupleCursor, checkpoint: () throws -> Void,
        absence: (_ owner: Int64, _ payload: Int64) throws(BuildError) -> Void
    ) throws -> TupleSorter {
        while let saying = try sayings.next() {
            let kind = saying[2] == 0 ? Kind.toOne : Kind.link
            try events.add([saying[1], kind, saying[3], saying[2], saying[0], saying[4], 0])
        }
        let counting = TupleSorter(width: 5, memory)
        // Tuples of row, owner and payload, for the links of rows that could fill a list but name no object that
        // exists.
        let waiting = TupleSorter(width: 3, memory)
        var (row, counts, isEmpty): (Int64, Bool, Bool) = (0, true, true)
        var count = 0
        let sorted = try events.sorted()
        while let event = try sorted.next() {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            let (turn, object, owner) = (event[0], event[4], event[5])
            switch event[1] {
            case Kind.end:
                try ends.set(turn, at: owner)
                try self.counts.set(0, at: owner)
            case Kind.toOne:
                if list.destination.matchRule(of: event[2]) == .fill {
                    let isFilled = try self.owner(of: object) != 0
                    if isFilled || owner == 0 && event[6] == 0 { continue }
                }
                try absences.set(event[6], at: object)
                try give(object, owner, turn)
                try counting.add([object, turn, 0, event[2], owner])
            case Kind.fill:
                (row, counts, isEmpty) = (event[2], try self.counts.number(at: owner) == 0, true)
                if counts { try unfilled.set(row, at: owner) }
            case Kind.link:
                if event[2] == row {
                    guard counts else { continue }
                    if isEmpty { try unfilled.set(0, at: owner) }
                    isEmpty = false
                }
                try give(object, owner, turn)
                try counting.add([object, turn, event[3], event[2], owner])
            default:
                guard event[2] == row, counts else { continue }
                if isEmpty {
                    try waiting.add([row, owner, event[6]])
                } else {
                    try absence(owner, event[6])
                }
            }
        }
        let payloads = try waiting.sorted()
        while let next = try payloads.next() {
            if try unfilled.number(at: next[1]) == next[0] { try absence(next[1], next[2]) }
        }
        return counting
    }

    private func owner(of object: Int64) throws(BuildError) -> Int64 {
        let owner = try owners.number(at: object)
        guard owner != 0 else { return 0 }
        return try ends.number(at: owner) <= turns.number(at: object) ? owner : 0
    }

    private func give(_ object: Int64, _ owner: Int64, _ turn: Int64) throws(BuildError) {
        let former = try self.owner(of: object)
        try turns.set(turn, at: object)
        // Otherwise, the new turn would make a link valid again that a list has removed.
        try owners.set(owner, at: object)
        guard former != owner else { return }
        if former != 0 { try counts.set(counts.number(at: former) - 1, at: former) }
        if owner != 0 { try counts.set(counts.number(at: owner) + 1, at: owner) }
    }
}

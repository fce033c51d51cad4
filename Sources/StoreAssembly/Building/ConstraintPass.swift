import SQLiteFileBuilder

/// Finds the rows that would give an object a value which another one has, and must not be: row after row, as they came.
///
/// Only objects count of which a row says a value that a row of another one says, too. What each of them has, and who
/// has a value, is on disk.
struct ConstraintPass {
    /// What an object has of a constraint.
    private enum Value: Int64 {
        /// There is no such object; of a row: it says nothing.
        case none
        case null
        /// What no row of another object says.
        case own
        // All others are 2 and the number of the value, which is 1 at least.

        static func shared(_ number: Int64) -> Int64 { own.rawValue + number }
    }

    let table: AssembledTable
    /// Rows and reservations with the key of another one, and those that lead them, by the latter: arrival and kind.
    let grouped: PairSorter
    let limits: AssemblyLimits
    let memory: SpoolMemory

    private var constraints: [UniqueValues] { table.constraints }

    /// A constraint's values that rows of several objects say, by arrival: their numbers, and the places of the notes.
    private struct Shared {
        let numbers: PairFile
        let notes: PairFile

        init(_ values: UniqueValues, _ memory: SpoolMemory) throws(BuildError) {
            let sorter = TupleSorter(width: 3, memory)
            try values.findShared(sorter)
            let path = values.table.builder.path
            (numbers, notes) = (try PairFile(path), try PairFile(path))
            guard sorter.count > 0 else { return }
            let rows = try sorter.sorted()
            while let row = try rows.next() {
                try numbers.append(row[0], row[1])
                try notes.append(row[0], row[2])
            }
            try numbers.finish()
            try notes.finish()
        }
    }

    /// - Parameter reject: called with each row that must not be, in order, the number of the constraint, and the place
    ///   of the note.
    func run(
        checkpoint: () throws -> Void, reject: (_ arrival: Int64, _ constraint: Int, _ note: Int64) throws -> Void
    ) throws {
        var shared: [Shared] = []
        for values in constraints {
            shared.append(try Shared(values, memory))
            try checkpoint()
        }
        guard shared.contains(where: { $0.numbers.count > 0 }) else { return }
        let rows = try self.rows(of: shared).cursor()
        let numbers = try shared.map { try $0.numbers.cursor() }
        let notes = try shared.map { try $0.notes.cursor() }
        let said = try constraints.map { try $0.said.cursor() }
        func file() throws -> NumberFile {
            try NumberFile(beside: table.builder.path, pages: limits.constraintPages)
        }
        let held = try constraints.map { _ in try file() }
        let holders = try constraints.map { _ in try file() }
        var count = 0
        while let arrival = rows.first {
            let (object, kind) = (rows.second >> 2, KeyEntry.Kind(rawValue: UInt64(rows.second & 3)) ?? .row)
            try rows.advance()
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            var (old, new) = ([Int64](), [Int64]())
            for index in constraints.indices {
                old.append(try held[index].number(at: object))
                if try numbers[index].seek(arrival) {
                    new.append(Value.shared(numbers[index].second))
                } else if try said[index].seek(arrival) {
                    new.append((said[index].second == 1 ? Value.null : .own).rawValue)
                } else {
                    new.append(Value.none.rawValue)
                }
            }
            guard merge(arrival, kind, old, &new) else { continue }
            var refused: Int?
            // SQLite asks the index first that was made last.
            for index in constraints.indices.reversed() where refused == nil && new[index] != old[index] {
                guard new[index] > Value.own.rawValue else { continue }
                let holder = try holders[index].number(at: new[index] - Value.own.rawValue)
                if holder != 0, holder != object { refused = index }
            }
            if let refused {
                guard try notes[refused].seek(arrival) else { continue }
                try reject(arrival, refused, notes[refused].second)
                continue
            }
            for index in constraints.indices where new[index] != old[index] {
                if old[index] > Value.own.rawValue {
                    try holders[index].set(0, at: old[index] - Value.own.rawValue)
                }
                if new[index] > Value.own.rawValue {
                    try holders[index].set(object, at: new[index] - Value.own.rawValue)
                }
                try held[index].set(new[index], at: object)
            }
        }
    }

    /// What an object has after a row, where nothing keeps it from that; false if the row does nothing.
    ///
    /// - Parameters:
    ///   - old: what the object has, by constraint.
    ///   - new: what the row says; becomes what the object gets.
    private func merge(_ arrival: Int64, _ kind: KeyEntry.Kind, _ old: [Int64], _ new: inout [Int64]) -> Bool {
        let isThere = old[0] != Value.none.rawValue
        guard isThere else {
            // Without what a new object needs it makes none.
            if kind == .conditional { return false }
            for index in new.indices where new[index] == Value.none.rawValue { new[index] = Value.null.rawValue }
            return true
        }
        guard kind != .reservation, let form = table.form(of: arrival).map({ table.forms[$0] }) else { return false }
        guard form.onMatch != .skip else { return false }
        for index in new.indices {
            let isKept = form.onMatch == .fill && old[index] != Value.null.rawValue
            if isKept || new[index] == Value.none.rawValue { new[index] = old[index] }
        }
        return true
    }

    /// All rows of the objects of which a row says a shared value, in order, each with the object and its kind.
    private func rows(of shared: [Shared]) throws -> PairFile {
        let objects = PairSorter(memory)
        for values in shared {
            let cursor = try values.numbers.cursor()
            while let arrival = cursor.first {
                if let leader = try table.leader(of: arrival) { try objects.add(leader, 0) }
                try cursor.advance()
            }
        }
        let rows = PairSorter(memory)
        let (object, group) = (try objects.merged(), try grouped.sorted().cursor())
        var last: Int64?
        while let (leader, _) = try object.next() {
            guard leader != last else { continue }
            last = leader
            var isLeaderThere = false
            while try group.seek(leader) {
                let row = group.second
                if row >> 2 == leader { isLeaderThere = true }
                try rows.add(row >> 2, leader << 2 | row & 3)
                try group.advance()
            }
            if !isLeaderThere { try rows.add(leader, leader << 2 | Int64(KeyEntry.Kind.row.rawValue)) }
        }
        return try rows.sorted()
    }
}

import SQLiteFileBuilder

/// Finds the rows that would give an object a value which another one has, and must not be: record after record, as they
/// came. Of a record with such a row, no row gives an object anything.
///
/// Only objects count of which a row says a value that a row of another one says, too; and, where records have several
/// rows, those with a row that needs another one to make its object. What each of them has, and who
/// has a value, is on disk. Which rows are one object is found out on the way: it depends on which are rejected.
struct ConstraintPass {
    /// What an object has of a constraint.
    private enum Value: Int64 {
        /// Of a row: it says nothing.
        case none
        case null
        /// What no row of another object says.
        case own
        // All others are 2 and the number of the value, which is 1 at least.

        static func shared(_ number: Int64) -> Int64 { own.rawValue + number }
    }

    /// A table with constraints.
    struct Input {
        let table: AssembledTable
        let classes: KeyClasses
        /// By entity of the keys, those whose objects are found by them.
        let finds: [[Bool]]
    }

    /// One table, or all those that note the records of their rows.
    let inputs: [Input]
    let limits: AssemblyLimits
    let memory: SpoolMemory

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

    /// A row of an object of which a row says a shared value.
    private struct Row {
        let member: KeyClasses.Member
        let keyClass: Int64
        /// The place of what the client gets if another object has a value; 0 if it says no shared one.
        var note: Int64 = 0
        /// By constraint, what it says.
        var values: [Int64] = []
    }

    /// A row that must not be.
    struct Refusal {
        let table: AssembledTable
        let arrival: Int64
        /// The number of the constraint.
        let constraint: Int
        /// The place of the note.
        let note: Int64
    }

    /// - Parameters:
    ///   - rivalries: gets the objects whose values rows must not have, and the rows of these objects, where the records of
    ///     rows are noted.
    ///   - reject: called with each row that must not be, in order.
    func run(
        _ rivalries: inout [Rivalry], checkpoint: () throws -> Void, reject: (Refusal) throws -> Void
    ) throws {
        let shared = try inputs.map { input in
            try checkpoint()
            return try input.table.constraints.map { values throws(BuildError) in try Shared(values, memory) }
        }
        guard shared.joined().contains(where: { $0.numbers.count > 0 }) else { return }
        let holdings = try inputs.map { input throws(BuildError) in try Holdings(input, limits) }
        var record: Int64?
        var isRejected = false
        var changes = Changes()
        let found = inputs.map { Rivalry($0.table, memory) }
        func take(_ row: Row, of number: Int64, _ index: Int) throws {
            if number != record {
                for rivalry in found { try rivalry.endRecord() }
                (record, isRejected, changes) = (number, false, Changes())
            }
            guard !isRejected else { return }
            let arrival = row.member.arrival
            switch try holdings[index].take(row.member, of: row.keyClass, row.values, &changes) {
            case .fits(let object): found[index].note(arrival, of: object)
            case .lacks: isRejected = true
            case .refused(let constraint, let holders):
                isRejected = true
                for holder in holders { try found[index].note(refused: arrival, because: holder) }
                try reject(
                    Refusal(table: inputs[index].table, arrival: arrival, constraint: constraint, note: row.note))
            }
            guard isRejected else { return }
            try changes.undo()
            for rivalry in found { rivalry.forgetRecord() }
        }
        if inputs.count == 1, !inputs[0].table.keepsRecords {
            return try forEachRow(of: inputs[0], shared[0], checkpoint) { try take($0, of: $0.member.arrival, 0) }
        }
        let sorted = try sorted(shared, checkpoint)
        while let tuple = try sorted.next() {
            let row = Row(
                member: KeyClasses.Member(bits: tuple[4]), keyClass: tuple[5], note: tuple[6],
                values: Array(tuple[7..<7 + inputs[Int(tuple[3])].table.constraints.count]))
            // What is made because a record names it is of no record, and comes behind the one before.
            try take(row, of: tuple[1] == Self.lastPhase ? -row.member.arrival : tuple[0], Int(tuple[3]))
        }
        for rivalry in found {
            try rivalry.endRecord()
            if rivalry.hasRefused { rivalries.append(rivalry) }
        }
    }

    private static let lastPhase = Int64.max

    /// The rows of all tables in the order of the records: number of the record, phase, arrival, table, member, class,
    /// place of the note, values.
    private func sorted(_ shared: [[Shared]], _ checkpoint: () throws -> Void) throws -> TupleCursor {
        let width = inputs.map(\.table.constraints.count).max() ?? 0
        let sorter = TupleSorter(width: 7 + width, memory)
        for (index, input) in inputs.enumerated() {
            try input.table.records?.finish()
            let records = try input.table.records?.cursor()
            var record: Int64 = 0
            try forEachRow(of: input, shared[index], checkpoint) { row in
                let arrival = row.member.arrival
                while let records, let next = records.first, next <= arrival {
                    record = records.second
                    if next == arrival { break }
                    try records.advance()
                }
                let isOfRecord = records?.first == arrival
                let phase = isOfRecord ? input.table.form(of: arrival).map { input.table.forms[$0].phase } ?? 0 : 0
                try sorter.add(
                    [
                        record, isOfRecord ? Int64(phase) : Self.lastPhase, arrival, Int64(index), row.member.bits,
                        row.keyClass, row.note,
                    ] + row.values + [Int64](repeating: 0, count: width - row.values.count))
            }
        }
        return try sorter.sorted()
    }

    /// Calls a closure with all rows of the objects of which a row says a shared value, in the order of their arrivals.
    private func forEachRow(
        of input: Input, _ shared: [Shared], _ checkpoint: () throws -> Void, _ body: (Row) throws -> Void
    ) throws {
        let rows = try self.rows(of: input, shared).cursor()
        let numbers = try shared.map { try $0.numbers.cursor() }
        let notes = try shared.map { try $0.notes.cursor() }
        let said = try input.table.constraints.map { try $0.said.cursor() }
        var count = 0
        while let arrival = rows.first {
            let place = KeyClasses.Member(bits: rows.second)
            repeat { try rows.advance() } while rows.first == arrival
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            var row = Row(
                member: KeyClasses.Member(arrival, place.kind, entity: place.entity), keyClass: place.arrival)
            for index in shared.indices {
                if try numbers[index].seek(arrival) {
                    row.values.append(Value.shared(numbers[index].second))
                    if try notes[index].seek(arrival) { row.note = notes[index].second }
                } else if try said[index].seek(arrival) {
                    row.values.append((said[index].second == 1 ? Value.null : .own).rawValue)
                } else {
                    row.values.append(Value.none.rawValue)
                }
            }
            try body(row)
        }
    }

    /// The rows by arrival, each with what is a member of its class, but for the arrival, which is the class.
    private func rows(of input: Input, _ shared: [Shared]) throws -> PairFile {
        let (members, others, conditional) = try input.classes.sorted()
        let classes = PairSorter(memory)
        if input.table.keepsRecords {
            // Such a row makes its record fall with the one that made the object, and all of its values.
            let cursor = try conditional.cursor()
            while let keyClass = cursor.first {
                try classes.add(keyClass, 0)
                try cursor.advance()
            }
        }
        for values in shared {
            let cursor = try values.numbers.cursor()
            while let arrival = cursor.first {
                if let leader = try input.table.leader(of: arrival) {
                    try classes.add(try others.value(of: leader) ?? leader, 0)
                }
                try cursor.advance()
            }
        }
        let rows = PairSorter(memory)
        let (found, member) = (try classes.merged(), try members.cursor())
        var last: Int64?
        while let (keyClass, _) = try found.next() {
            guard keyClass != last else { continue }
            last = keyClass
            if try !member.seek(keyClass) {
                try rows.add(keyClass, KeyClasses.Member(keyClass, .row, entity: 0).bits)
            }
            while try member.seek(keyClass) {
                let next = KeyClasses.Member(bits: member.second)
                try rows.add(next.arrival, KeyClasses.Member(keyClass, next.kind, entity: next.entity).bits)
                try member.advance()
            }
        }
        return try rows.sorted()
    }

    /// What rows of a record have changed.
    private struct Changes {
        private var former: [(file: NumberFile, place: Int64, number: Int64)] = []

        mutating func set(_ number: Int64, at place: Int64, in file: NumberFile) throws(BuildError) {
            former.append((file, place, try file.number(at: place)))
            try file.set(number, at: place)
        }

        mutating func undo() throws(BuildError) {
            for (file, place, number) in former.reversed() { try file.set(number, at: place) }
            former = []
        }
    }

    /// What becomes of a row.
    private enum Outcome {
        case fits(object: Int64)
        /// It makes no object, and none is there; or one is there and must not.
        case lacks
        case refused(constraint: Int, holders: [Int64])
    }

    /// The objects of a table, as far as they count, what they have, and who has what.
    private final class Holdings {
        private let input: Input
        /// By constraint and object, what it has.
        private let held: [NumberFile]
        /// By constraint and number of a value, the object that has it.
        private let holders: [NumberFile]
        /// Twice a class: its first object; and one more than twice an object: the next one, and the entity of the object.
        private let objects: NumberFile

        init(_ input: Input, _ limits: AssemblyLimits) throws(BuildError) {
            self.input = input
            let path = input.table.builder.path
            func file() throws(BuildError) -> NumberFile { try NumberFile(beside: path, pages: limits.constraintPages) }
            held = try input.table.constraints.map { _ throws(BuildError) in try file() }
            holders = try input.table.constraints.map { _ throws(BuildError) in try file() }
            objects = try file()
        }

        /// Gives the object of a row what the row says.
        func take(
            _ row: KeyClasses.Member, of keyClass: Int64, _ said: [Int64], _ changes: inout Changes
        ) throws(BuildError) -> Outcome {
            let known = try object(of: keyClass, as: row.entity)
            let old: [Int64]
            var new = said
            if let known {
                if row.kind.mustLead { return .lacks }
                guard row.kind != .reservation,
                    let form = input.table.form(of: row.arrival).map({ input.table.forms[$0] }), form.onMatch != .skip
                else { return .fits(object: known) }
                old = try held.map { file throws(BuildError) in try file.number(at: known) }
                for index in new.indices {
                    let isKept = form.onMatch == .fill && old[index] != Value.null.rawValue
                    if isKept || new[index] == Value.none.rawValue { new[index] = old[index] }
                }
            } else {
                // Without what a new object needs it makes none.
                if !row.kind.canLead { return .lacks }
                old = new.map { _ in Value.none.rawValue }
                for index in new.indices where new[index] == Value.none.rawValue { new[index] = Value.null.rawValue }
            }
            let object = known ?? row.arrival
            var (refused, others): (Int?, [Int64]) = (nil, [])
            // SQLite asks the index first that was made last.
            for index in new.indices.reversed() where new[index] != old[index] && new[index] > Value.own.rawValue {
                let holder = try holders[index].number(at: new[index] - Value.own.rawValue)
                guard holder != 0, holder != object else { continue }
                refused = refused ?? index
                others.append(holder)
            }
            if let refused { return .refused(constraint: refused, holders: others) }
            if known == nil { try add(object, entity: row.entity, to: keyClass, &changes) }
            for index in new.indices where new[index] != old[index] {
                if old[index] > Value.own.rawValue {
                    try changes.set(0, at: old[index] - Value.own.rawValue, in: holders[index])
                }
                if new[index] > Value.own.rawValue {
                    try changes.set(object, at: new[index] - Value.own.rawValue, in: holders[index])
                }
                try changes.set(new[index], at: object, in: held[index])
            }
            return .fits(object: object)
        }

        /// The first object of a class that is found as one of an entity; nil if there is none.
        private func object(of keyClass: Int64, as entity: Int) throws(BuildError) -> Int64? {
            var object = try objects.number(at: 2 * keyClass)
            while object != 0 {
                let word = try objects.number(at: 2 * object + 1)
                let own = Int(word & Self.entityMask)
                if own == entity || input.finds[entity][own] { return object }
                object = word >> Int64(KeyEntry.entityBits)
            }
            return nil
        }

        private static let entityMask: Int64 = 1 << Int64(KeyEntry.entityBits) - 1

        private func add(
            _ object: Int64, entity: Int, to keyClass: Int64, _ changes: inout Changes
        ) throws(BuildError) {
            try changes.set(Int64(entity), at: 2 * object + 1, in: objects)
            var last = try objects.number(at: 2 * keyClass)
            guard last != 0 else { return try changes.set(object, at: 2 * keyClass, in: objects) }
            while true {
                let word = try objects.number(at: 2 * last + 1)
                let next = word >> Int64(KeyEntry.entityBits)
                guard next != 0 else {
                    return try changes.set(
                        word | object << Int64(KeyEntry.entityBits), at: 2 * last + 1, in: objects)
                }
                last = next
            }
        }
    }
}

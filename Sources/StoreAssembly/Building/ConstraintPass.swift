import SQLiteFileBuilder

/// A pass over rows in the order of the records, which finds the rows that would give their object a unique value that
/// another object has at that point. If one row of a record is rejected, its other rows do not change an object either.
///
/// The pass only reads objects that have a row with a value that a row of another object has as well. If records may
/// have several rows, it also reads objects with a row that cannot create its object, and objects with a row that must
/// create its object although an earlier row did. If lists set links that are values by themselves, it reads all
/// objects. The values of each object, and the object that has each value, are on disk. Which rows belong to one object
/// is determined during the pass because it depends on which rows are rejected.
struct ConstraintPass {
    /// The value of a slot, of an object or a row.
    enum Value: Int64 {
        /// The row does not have the slot.
        case none
        case null
        /// A value that no row of another object has.
        case own
        // Other values are the number of a shared value, which is at least 1, plus 2. For a link that lists may set, the
        // number is that of the destination. A row has a negative value for a default, which only a new object gets.

        static func shared(_ number: Int64) -> Int64 { own.rawValue + number }
    }

    /// A table with constraints.
    struct Input {
        let table: AssembledTable
        let classes: KeyClasses
        /// For each entity of the keys, whether a look-up for it finds the objects of each other entity.
        let finds: [[Bool]]

        var slots: Int { table.uniqueValues?.slots ?? 0 }

        /// Whether all objects are read: a constraint has only links that lists set, or which lists are empty depends
        /// on the links that all objects set.
        var readsAll: Bool {
            guard let values = table.uniqueValues, values.hasLists else { return false }
            return values.hasConstraintOfLists || values.lists.contains { $0.list.isFilledAmongOwn }
        }
    }

    /// Either one table, or all tables that record which record each of their rows belongs to.
    let inputs: [Input]
    let limits: AssemblyLimits
    let memory: SpoolMemory

    /// The values that rows of several objects have: by arrival, the slot and number of each value, and the offset of
    /// the row's note.
    private struct Shared {
        let numbers: PairFile
        let notes: PairFile

        init(_ values: UniqueValues?, of table: AssembledTable, _ memory: SpoolMemory) throws(BuildError) {
            let sorter = TupleSorter(width: 4, memory)
            try values?.findShared(sorter)
            let path = table.builder.path
            (numbers, notes) = (try PairFile(path), try PairFile(path))
            guard sorter.count > 0 else { return }
            let rows = try sorter.sorted()
            var last: Int64?
            while let row = try rows.next() {
                try numbers.append(row[0], row[1] << Self.numberBits | row[2])
                if row[0] != last { try notes.append(row[0], row[3]) }
                last = row[0]
            }
            try numbers.finish()
            try notes.finish()
        }

        private static let numberBits: Int64 = 47

        /// Returns the slot and the number of the value in a word of `numbers`.
        static func parts(of word: Int64) -> (slot: Int, number: Int64) {
            (Int(word >> numberBits), word & (1 << numberBits - 1))
        }
    }

    /// A row of an object for which at least one row has a shared value.
    private struct Row {
        let member: KeyClasses.Member
        let keyClass: Int64
        /// The offset of the note that the client gets if the row is rejected; 0 if the row has no shared value.
        var note: Int64 = 0
        /// The values by slot.
        var values: [Int64] = []
    }

    /// A row that is rejected because another object has one of its values.
    struct Refusal {
        let table: AssembledTable
        let arrival: Int64
        /// The number of the constraint.
        let constraint: Int
        /// The offset of the note that the client gets.
        let note: Int64
    }

    /// Reads all rows, and finds those to reject.
    ///
    /// - Parameters:
    ///   - rivalries: gets, for each table that records the records of its rows and has refused rows, the refused rows,
    ///     the objects that have their values, and the rows of these objects.
    ///   - checkpoint: called once in a while.
    ///   - reject: called with each row to reject, in order.
    /// - Throws: `BuildError` if the disk fails; what the closures throw.
    func run(
        _ rivalries: inout [Rivalry], checkpoint: () throws -> Void, reject: (Refusal) throws -> Void
    ) throws {
        let shared = try inputs.map { input in
            try checkpoint()
            return try Shared(input.table.uniqueValues, of: input.table, memory)
        }
        guard
            shared.contains(where: { $0.numbers.count > 0 })
                || inputs.contains(where: { $0.table.uniqueValues?.hasConstraintOfLists ?? false })
        else { return }
        let holdings = try zip(inputs, shared).map { input, shared throws(BuildError) in
            try Holdings(input, sharedCount: shared.numbers.count, limits)
        }
        var record: Int64?
        var isRejected = false
        var changes = NumberChanges()
        let found = inputs.map { Rivalry($0.table, memory) }
        func leave() throws(BuildError) {
            isRejected = true
            try changes.undo()
            for rivalry in found { rivalry.forgetRecord() }
        }
        func refuse(_ row: ChangingRow, _ index: Int, _ constraint: Int, _ holders: [Int64]) throws {
            for holder in holders { try found[index].note(refused: row.arrival, in: row.table, because: holder) }
            try leave()
            try reject(Refusal(table: row.table, arrival: row.arrival, constraint: constraint, note: row.note))
        }
        func endRecord() throws {
            for (index, holdings) in holdings.enumerated() where !isRejected {
                if let (row, constraint, holders) = try holdings.conflict(&changes) {
                    try refuse(row, index, constraint, holders)
                }
            }
            for holdings in holdings { holdings.owned?.endRecord() }
            for rivalry in found { try rivalry.endRecord() }
        }
        func begin(_ number: Int64) throws {
            guard number != record else { return }
            try endRecord()
            (record, isRejected) = (number, false)
            changes.removeAll()
        }
        func take(_ row: Row, of number: Int64, _ index: Int) throws {
            try begin(number)
            guard !isRejected else { return }
            let arrival = row.member.arrival
            let own = ChangingRow(table: inputs[index].table, arrival: arrival, note: row.note)
            switch try holdings[index].take(row.member, own, of: row.keyClass, row.values, &changes) {
            case .fits(let object): found[index].note(arrival, of: object)
            case .lacks: try leave()
            case .refused(let constraint, let holders): try refuse(own, index, constraint, holders)
            }
        }
        if inputs.count == 1, !inputs[0].table.keepsRecords {
            return try forEachRow(of: inputs[0], shared[0], checkpoint) { try take($0, of: $0.member.arrival, 0) }
        }
        let sorted = try sorted(shared, checkpoint)
        while let tuple = try sorted.next() {
            if tuple[1] == Self.listPhase {
                try begin(tuple[0])
                guard !isRejected, let owned = holdings[Int(tuple[3])].owned else { continue }
                try owned.take(tuple, &changes) { row, object in
                    found[Int(tuple[3])].note(row.arrival, in: row.table, of: object)
                }
                continue
            }
            let row = Row(
                member: KeyClasses.Member(bits: tuple[4]), keyClass: tuple[5], note: tuple[6],
                values: Array(tuple[7..<7 + inputs[Int(tuple[3])].slots]))
            let isAlone = tuple[0] == Self.lastRecord || tuple[1] == Self.lastPhase
            try take(row, of: isAlone ? -row.member.arrival : tuple[0], Int(tuple[3]))
        }
        try endRecord()
        for rivalry in found {
            if rivalry.hasRefused { rivalries.append(rivalry) }
        }
    }

    /// The record of objects that are created because lists refer to them, which happens after the last record.
    private static let lastRecord = Int64.max
    /// The phase of objects that are created because a record refers to them, if their own record is not known: they
    /// are created after the record before them. Other objects are created before the rows of the form that refers to
    /// them.
    private static let lastPhase = Int64.max
    /// The phase of links that lists set, which come after all rows of their record.
    private static let listPhase = lastPhase - 1

    /// Returns the rows of all tables in the order of the records, as tuples: number of the record, phase, arrival,
    /// table, member, class, offset of the note, values. The links that lists set are `OwnedValues` tuples.
    private func sorted(_ shared: [Shared], _ checkpoint: () throws -> Void) throws -> TupleCursor {
        let hasLists = inputs.contains { $0.table.uniqueValues?.hasLists ?? false }
        let width = max(inputs.map(\.slots).max() ?? 0, hasLists ? OwnedValues.width - 7 : 0)
        let sorter = TupleSorter(width: 7 + width, memory)
        for (index, input) in inputs.enumerated() {
            for (slot, list) in input.table.uniqueValues?.lists ?? [] {
                try list.forEachEvent(limits) { (event) throws(BuildError) in
                    let tuple = OwnedValues.tuple(of: event, phase: Self.listPhase, input: index, slot)
                    try sorter.add(tuple + [Int64](repeating: 0, count: 7 + width - tuple.count))
                }
                try checkpoint()
            }
            try input.table.records?.finish()
            let records = try input.table.records?.cursor()
            try input.table.makingPhases?.finish()
            let phases = try input.table.makingPhases?.cursor()
            var place = AssembledTable.RecordPlace(0, .row)
            try forEachRow(of: input, shared[index], checkpoint) { row in
                let arrival = row.member.arrival
                while let records, let next = records.first, next <= arrival {
                    place = AssembledTable.RecordPlace(bits: records.second)
                    if next == arrival { break }
                    try records.advance()
                }
                var (record, phase) = (place.record, Self.lastPhase)
                if records?.first == arrival {
                    if place.kind == .createdLate { record = Self.lastRecord }
                    if place.kind == .row {
                        phase = 2 * Int64(input.table.form(of: arrival).map { input.table.forms[$0].phase } ?? 0) + 1
                    } else {
                        phase = 0
                        if let phases, try phases.seek(arrival) { phase = 2 * phases.second }
                    }
                }
                try sorter.add(
                    [record, phase, arrival, Int64(index), row.member.bits, row.keyClass, row.note]
                        + row.values + [Int64](repeating: 0, count: width - row.values.count))
            }
        }
        return try sorter.sorted()
    }

    /// Calls a closure with all rows of the objects for which a row has a shared value, in the order of their arrivals.
    private func forEachRow(
        of input: Input, _ shared: Shared, _ checkpoint: () throws -> Void, _ body: (Row) throws -> Void
    ) throws {
        let rows = try self.rows(of: input, shared).cursor()
        let (number, note) = (try shared.numbers.cursor(), try shared.notes.cursor())
        let said = try input.table.uniqueValues?.said.cursor()
        try input.table.uniqueValues?.notes.finish()
        let ownNote = try input.table.uniqueValues?.notes.cursor()
        var count = 0
        while let arrival = rows.first {
            let place = KeyClasses.Member(bits: rows.second)
            repeat { try rows.advance() } while rows.first == arrival
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            var row = Row(
                member: KeyClasses.Member(arrival, place.kind, entity: place.entity), keyClass: place.arrival,
                values: [Int64](repeating: Value.none.rawValue, count: input.slots))
            while let said, try said.seek(arrival) {
                let slot = Int(said.second >> UniqueValues.sayingBits)
                let saying = UniqueValues.Saying(rawValue: said.second & (1 << UniqueValues.sayingBits - 1))
                row.values[slot] =
                    switch saying {
                    case .null: Value.null.rawValue
                    case .byDefault: -Value.own.rawValue
                    default: Value.own.rawValue
                    }
                try said.advance()
            }
            try input.table.uniqueValues?.forEachLinkedSlot(of: arrival) { slot, hasValue in
                if row.values[slot] == Value.none.rawValue {
                    row.values[slot] = (hasValue ? Value.own : .null).rawValue
                }
            }
            try input.table.uniqueValues?.forEachListedSlot(of: arrival) { slot, destination in
                row.values[slot] = destination == 0 ? Value.null.rawValue : Value.shared(destination)
            }
            while try number.seek(arrival) {
                let (slot, value) = Shared.parts(of: number.second)
                row.values[slot] = row.values[slot] < 0 ? -Value.shared(value) : Value.shared(value)
                try number.advance()
            }
            if try note.seek(arrival) { row.note = note.second }
            if let ownNote, try ownNote.seek(arrival) { row.note = ownNote.second }
            try body(row)
        }
    }

    /// Returns the rows by arrival, each as a member of its class in which the class takes the place of the arrival.
    private func rows(of input: Input, _ shared: Shared) throws -> PairFile {
        let (members, others, conditional) = try input.classes.sorted()
        let classes = PairSorter(memory)
        if input.table.keepsRecords {
            // If the row that created the object is rejected, or no longer is, such a row is rejected with the rest of
            // its record.
            let cursor = try conditional.cursor()
            while let keyClass = cursor.first {
                try classes.add(keyClass, 0)
                try cursor.advance()
            }
        }
        func read(_ arrival: Int64) throws(BuildError) {
            // A reservation, or a row that must be the first of its object, creates the object if all earlier rows are
            // rejected.
            var leader = try input.table.leader(of: arrival)
            if leader == nil { leader = try others.value(of: arrival) }
            if let leader { try classes.add(try others.value(of: leader) ?? leader, 0) }
        }
        let notes = try shared.notes.cursor()
        while let arrival = notes.first {
            try read(arrival)
            try notes.advance()
        }
        if input.readsAll {
            for arrival in 1..<input.table.next { try read(arrival) }
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

    /// A row that changes an object: its own row, or that of the owner whose list names it.
    struct ChangingRow {
        let table: AssembledTable
        let arrival: Int64
        /// The offset of the note that the client gets if the row is rejected.
        let note: Int64
    }

    /// The result for a row.
    private enum Outcome {
        case fits(object: Int64)
        /// There is no object and the row cannot create one, or there is an object although the row must create one.
        case lacks
        case refused(constraint: Int, holders: [Int64])
    }

    /// The objects of a table that the pass reads, their values, and the object that has each value.
    private final class Holdings {
        private let input: Input
        private let constraints: [[Int]]
        private let slots: Int64
        /// The links that lists may set; nil if there are none.
        let owned: OwnedValues?
        /// By constraint, whether lists may set one of its links. These constraints are checked when the record has
        /// been read as a whole.
        private let areOwned: [Bool]
        /// The values by object and slot.
        private let held: NumberFile
        /// The object that has a value, by number of the value and slot.
        private let holders: NumberFile
        /// The objects that have the values of constraints with several slots; nil if no constraint has several.
        private let tuples: TupleHolders?
        /// For each class, its first object, at twice the class. For each object, the next object of the class and the
        /// entity of the object, at one more than twice the object.
        private let objects: NumberFile

        init(_ input: Input, sharedCount: Int, _ limits: AssemblyLimits) throws(BuildError) {
            self.input = input
            constraints = input.table.uniqueValues?.constraints ?? []
            slots = Int64(input.slots)
            let values = input.table.uniqueValues
            areOwned = constraints.map { $0.contains { values?.isListed($0) ?? false } }
            let path = input.table.builder.path
            func file() throws(BuildError) -> NumberFile { try NumberFile(beside: path, pages: limits.constraintPages) }
            (held, holders, objects) = (try file(), try file(), try file())
            owned =
                values?.hasLists ?? false ? try OwnedValues(input, constraints: constraints.count, limits) : nil
            let count = owned == nil ? sharedCount : max(sharedCount, Int(input.table.next))
            tuples =
                constraints.contains { $0.count > 1 }
                ? try TupleHolders(count: count, beside: path, pages: limits.constraintPages) : nil
        }

        private func holderFile(_ constraint: Int) -> NumberFile? {
            constraints[constraint].count == 1 ? holders : tuples?.holders
        }

        /// Returns the place of the object that has the values of a constraint; nil if no other object can have them.
        private func holder(
            _ constraint: Int, _ values: [Int64]
        ) throws(BuildError) -> (file: NumberFile, place: Int64)? {
            let columns = constraints[constraint]
            for slot in columns where values[slot] <= Value.own.rawValue { return nil }
            if columns.count == 1 {
                return (holders, (values[columns[0]] - Value.own.rawValue) * slots + Int64(columns[0]))
            }
            return try tuples?.place(constraint, columns.map { values[$0] })
        }

        /// Changes the object of a row to the values of the row.
        func take(
            _ row: KeyClasses.Member, _ changing: ChangingRow, of keyClass: Int64, _ all: [Int64],
            _ changes: inout NumberChanges
        ) throws(BuildError) -> Outcome {
            var said = all
            for slot in owned?.slots ?? [] { said[slot] = Value.none.rawValue }
            let known = try object(of: keyClass, as: row.entity)
            let old: [Int64]
            var new = said
            if let known {
                if row.kind.mustLead { return .lacks }
                guard row.kind != .reservation,
                    let form = input.table.form(of: row.arrival).map({ input.table.forms[$0] }), form.onMatch != .skip
                else { return .fits(object: known) }
                var had: [Int64] = []
                for slot in 0..<slots { had.append(try held.number(at: known * slots + slot)) }
                old = had
                for index in new.indices {
                    let isKept = form.onMatch == .fill && old[index] != Value.null.rawValue
                    if isKept || new[index] <= Value.none.rawValue { new[index] = old[index] }
                }
            } else {
                // Such a row lacks a value that a new object requires.
                if !row.kind.canLead { return .lacks }
                old = new.map { _ in Value.none.rawValue }
                for index in new.indices {
                    new[index] = new[index] == Value.none.rawValue ? Value.null.rawValue : abs(new[index])
                }
            }
            let object = known ?? row.arrival
            let changed = constraints.indices.filter {
                !areOwned[$0] && constraints[$0].contains { new[$0] != old[$0] }
            }
            var (refused, others): (Int?, [Int64]) = (nil, [])
            // SQLite checks the index first that was created last.
            for index in changed.reversed() {
                guard let (file, place) = try holder(index, new) else { continue }
                let other = try file.number(at: place)
                guard other != 0, other != object else { continue }
                refused = refused ?? index
                others.append(other)
            }
            if let refused { return .refused(constraint: refused, holders: others) }
            if known == nil { try add(object, entity: row.entity, to: keyClass, &changes) }
            for index in changed {
                if let (file, place) = try holder(index, old) { try changes.set(0, at: place, in: file) }
                if let (file, place) = try holder(index, new) { try changes.set(object, at: place, in: file) }
            }
            for index in new.indices where new[index] != old[index] {
                try changes.set(new[index], at: object * slots + Int64(index), in: held)
            }
            try owned?.take(changing, object, isNew: known == nil, all, &changes)
            return .fits(object: object)
        }

        /// Checks the constraints with links that lists may set, for the objects that the record has changed. Returns a
        /// row that gives its object the values of other objects; nil if there is none.
        func conflict(
            _ changes: inout NumberChanges
        ) throws(BuildError) -> (row: ChangingRow, constraint: Int, holders: [Int64])? {
            guard let owned else { return nil }
            let changed = try owned.changedObjects(&changes)
            let constraints = areOwned.indices.filter { areOwned[$0] }
            for (object, _) in changed {
                for constraint in constraints {
                    let (former, file) = (try owned.place(of: object, constraint), holderFile(constraint))
                    guard former != 0, let file, try file.number(at: former) == object,
                        try ownedHolder(constraint, object)?.place != former
                    else { continue }
                    try changes.set(0, at: former, in: file)
                }
            }
            for (object, row) in changed {
                var (refused, others): (Int?, [Int64]) = (nil, [])
                // SQLite checks the index first that was created last.
                for constraint in constraints.reversed() {
                    guard let (file, place) = try ownedHolder(constraint, object) else { continue }
                    let other = try file.number(at: place)
                    // The other object may have lost its owner because of that owner's list.
                    guard other != 0, other != object, try ownedHolder(constraint, other)?.place == place else {
                        continue
                    }
                    refused = refused ?? constraint
                    others.append(other)
                }
                if let refused { return (row, refused, others) }
                for constraint in constraints {
                    let found = try ownedHolder(constraint, object)
                    if let (file, place) = found { try changes.set(object, at: place, in: file) }
                    try owned.set(found?.place ?? 0, of: object, constraint, &changes)
                }
            }
            return nil
        }

        /// Returns the place of the object that has the values of an object in a constraint with links that lists may
        /// set; nil if no other object can have them.
        private func ownedHolder(
            _ constraint: Int, _ object: Int64
        ) throws(BuildError) -> (file: NumberFile, place: Int64)? {
            var values: [Int64] = []
            for slot in 0..<slots { values.append(try held.number(at: object * slots + slot)) }
            for slot in owned?.slots ?? [] {
                let owner = try owned?.owner(of: object, slot) ?? 0
                values[slot] = owner == 0 ? Value.null.rawValue : Value.shared(owner)
            }
            return try holder(constraint, values)
        }

        /// Returns the first object of a class that a look-up for an entity finds; nil if there is none.
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
            _ object: Int64, entity: Int, to keyClass: Int64, _ changes: inout NumberChanges
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

/// The objects that have the values of constraints with several slots.
private struct TupleHolders {
    private let table: DigestTable
    private let digester = KeyDigester()

    init(count: Int, beside path: String, pages: Int) throws(BuildError) {
        table = try DigestTable(count: count, beside: path, pages: pages)
    }

    /// The file of the places.
    var holders: NumberFile { table.entries }

    /// Returns the place of the object that has the values of a constraint, and adds the place if there is none.
    func place(_ constraint: Int, _ values: [Int64]) throws(BuildError) -> (file: NumberFile, place: Int64) {
        var bytes: [UInt8] = []
        bytes.append(word: UInt64(constraint))
        for value in values { bytes.append(word: UInt64(bitPattern: value)) }
        return (table.entries, try table.place(of: digester.digest(of: bytes.span)))
    }
}

import SQLiteAccess
import SQLiteFileBuilder

/// A merge of the rows with the same key into one row: the first row, with the changes that the others make to it.
struct GroupMerge {
    /// The state of a link of the merged row.
    private enum LinkState {
        /// The link has the value of its column.
        case stored
        case patched(LinkPatch)
    }

    private let table: AssembledTable
    private let versionColumn: Int
    /// The destinations that the rows of all groups name, by link, as tuples of group, destination, and arrival of the
    /// row; nil for links without an order.
    let namings: [TupleSorter?]
    private let record = StoredRecord()
    private var values: [SQLiteValue] = []
    private var states: [LinkState] = []
    /// The destinations of the links, by arrival, without those that come later than their rows.
    private var written: [Int64?] = []
    /// The number of rows that changed the object.
    private var changes: Int64 = 0
    /// Returns whether two different values of a column that may contain file names stand for equal data.
    private let isSame: (_ value: [UInt8], _ other: [UInt8]) -> Bool

    init(
        _ table: AssembledTable, versionColumn: Int, _ memory: SpoolMemory,
        isSame: @escaping (_ value: [UInt8], _ other: [UInt8]) -> Bool
    ) {
        self.table = table
        self.versionColumn = versionColumn
        self.isSame = isSame
        namings = table.links.map { $0.orderColumn == nil ? nil : TupleSorter(width: 3, memory) }
    }

    /// The arrival of the row that leads the group.
    private var leader: Int64 = 0

    /// Begins a group with its first row.
    mutating func begin(_ bytes: Span<UInt8>, arrival: Int64) throws(BuildError) {
        let member = try GroupMember(bytes, record: record)
        values = table.builder.definition.columns.indices.map { record.value($0) }
        states = table.links.map { _ in .stored }
        written = try table.links.map { (link) throws(BuildError) in try link.destination(of: record, nil) }
        for patch in member.patches {
            states[patch.link] = .patched(patch)
            if patch.outcome == .found { written[patch.link] = patch.number }
        }
        changes = 0
        leader = arrival
        for link in namings.indices {
            try noteNaming(link, by: arrival, member.patches.first { $0.link == link })
        }
    }

    /// Records the destination that a row gives to a link, if the destination keeps its objects in order.
    private func noteNaming(_ link: Int, by arrival: Int64, _ patch: LinkPatch?) throws(BuildError) {
        guard let namings = namings[link] else { return }
        let destination = try table.links[link].destination(of: record, patch)
        if let destination { try namings.add([leader, destination, arrival]) }
    }

    /// Adds a row that came later.
    mutating func add(_ bytes: Span<UInt8>, arrival: Int64) throws(BuildError) {
        let member = try GroupMember(bytes, record: record)
        guard let number = member.form else { return }
        let form = table.forms[number]
        guard form.onMatch != .skip else {
            table.counts[number].skipped += 1
            return
        }
        let isMaker = try table.isMaker(arrival, of: leader)
        let fills = form.onMatch == .fill && !isMaker
        var isChanged = false
        for (bit, column) in form.columns.enumerated() where !Self.isSet(member.absent, bit) {
            let value = record.value(column)
            if fills, values[column] != .null { continue }
            guard values[column] != value else { continue }
            if form.namingColumns.contains(column), case .blob(let old) = values[column], case .blob(let new) = value,
                isSame(old, new)
            {
                continue
            }
            values[column] = value
            isChanged = true
        }
        for (offset, link) in form.links.enumerated() {
            let patch = member.patches.first { $0.link == link }
            if patch == nil, Self.isSet(member.absent, form.columns.count + offset) { continue }
            try noteNaming(link, by: arrival, patch)
            if fills, isLinked(link) || patch == nil && record.integer(table.links[link].column) == nil {
                continue
            }
            if try follow(link, patch), !table.links[link].isLate { isChanged = true }
        }
        if isChanged { changes += 1 }
        if isMaker {
            table.counts[number].makers += 1
        } else if isChanged {
            table.counts[number].updated += 1
        } else {
            table.counts[number].unchanged += 1
        }
    }

    static func isSet(_ words: [UInt64], _ bit: Int) -> Bool {
        bit / 64 < words.count && words[bit / 64] >> UInt64(bit % 64) & 1 == 1
    }

    private func isLinked(_ link: Int) -> Bool {
        switch states[link] {
        case .stored: values[table.links[link].column] != .null
        case .patched(let patch): patch.outcome != .absent
        }
    }

    /// Changes a link to the destination that a later row gives it.
    ///
    /// - Returns: whether this changes the object now. A change to a destination that came later is counted when the
    ///   link is written.
    private mutating func follow(_ link: Int, _ patch: LinkPatch?) throws(BuildError) -> Bool {
        let column = table.links[link].column
        let destination = table.links[link].destination
        let before: Int64? =
            switch states[link] {
            case .stored:
                try values[column].integer.flatMap { key throws(BuildError) in try destination.leader(of: key) }
            case .patched(let old): old.outcome == .absent ? nil : old.number
            }
        guard let patch else {
            let after = try record.integer(column).flatMap { key throws(BuildError) in try destination.leader(of: key) }
            if before != after {
                setStored(link)
            } else if case .patched(let old) = states[link], old.outcome != .found {
                setStored(link)
            }
            defer { written[link] = after }
            return written[link] != after
        }
        if patch.outcome == .absent || patch.number != before { states[link] = .patched(patch) }
        guard patch.outcome == .found else { return false }
        defer { written[link] = patch.number }
        return written[link] != patch.number
    }

    private mutating func setStored(_ link: Int) {
        let column = table.links[link].column
        states[link] = .stored
        values[column] = record.value(column)
        if let entity = table.links[link].entityColumn { values[entity] = record.value(entity) }
    }

    /// Returns the merged row of the group, encoded as a `GroupMember`.
    func merged() throws(BuildError) -> [UInt8] {
        let builder = table.builder
        builder.beginRow()
        for (column, value) in values.enumerated() {
            if column == versionColumn, let version = value.integer {
                builder.append(version + changes)
            } else {
                try builder.append(value)
            }
        }
        var patches: [LinkPatch] = []
        for state in states { if case .patched(let patch) = state { patches.append(patch) } }
        let member = GroupMember(form: nil, patches: patches)
        return try builder.withEncodedRow { member.encoded(with: $0) }
    }
}

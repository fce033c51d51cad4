import SQLiteFileBuilder

/// The owners of lists: for each row with a list, the object that gets its links, and whether the links apply.
struct ListOwners {
    private let list: AssembledList
    /// The last rows that set the links of their objects, by arrival, with the objects; nil if no row replaces the
    /// links of another.
    let last: PairFile?

    init(_ list: AssembledList, _ memory: SpoolMemory) throws(BuildError) {
        self.list = list
        let mayEnd = list.rule == .replace && !list.isRuledByRow && list.owner.members != nil
        last = mayEnd ? try Self.lastRows(of: list, memory) : nil
    }

    private static func lastRows(of list: AssembledList, _ memory: SpoolMemory) throws(BuildError) -> PairFile {
        let byObject = PairSorter(memory)
        let said = try list.rules()
        while let arrival = said.first {
            if let leader = try list.owner.leader(of: arrival) { try byObject.add(leader, arrival) }
            try said.advance()
        }
        let last = PairSorter(memory)
        let rows = try byObject.sorted().cursor()
        while let leader = rows.first {
            let arrival = rows.second
            try rows.advance()
            if rows.first != leader { try last.add(arrival, leader) }
        }
        return try last.sorted()
    }

    /// Whether a later row may remove links of an earlier one.
    var mayEnd: Bool { last != nil }

    /// Returns the objects whose links a row other than the one that created them has replaced.
    func replaced() throws(BuildError) -> RejectedRows {
        var replaced = RejectedRows()
        guard let cursor = try last?.cursor() else { return replaced }
        while let row = cursor.first {
            if row != cursor.second { _ = replaced.insert(cursor.second) }
            try cursor.advance()
        }
        return replaced
    }

    /// Whether an object's links may come from several rows.
    var mayJoin: Bool { (list.rule == .add || list.isRuledByRow) && list.owner.members != nil }

    /// Returns the object that gets a row's links; nil if the row's links do not apply.
    func owner(of arrival: Int64) throws(BuildError) -> Int64? {
        let leader = try list.owner.leader(of: arrival)
        // If each row has its own rule, lists that are not shared apply these rules later.
        let keeps =
            list.isRuledByRow ? list.isShared && list.owner.matchRule(of: arrival) == .skip : list.rule == .keep
        return keeps && leader != arrival ? nil : leader
    }

    /// Returns whether no later row replaces the links of a row.
    func isLast(_ arrival: Int64) throws(BuildError) -> Bool {
        guard let last else { return true }
        return try last.value(of: arrival) != nil
    }
}

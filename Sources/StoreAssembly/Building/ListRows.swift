import SQLiteFileBuilder

/// The rows that have links of a list, in their order, each with all of its links: those whose destinations were found
/// by key, and those that were known when the row was added.
final class ListRows {
    private let list: AssembledList
    private let limits: AssemblyLimits
    /// The links that were found by key, as tuples of arrival of the row, position in its list, and destination.
    private let found: TupleSorter
    /// The links without a destination: arrival of the row, and offset of the payload.
    private let absent: PairSorter
    private let memory: SpoolMemory

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) {
        self.list = list
        self.limits = limits
        self.memory = memory
        found = TupleSorter(width: 3, memory)
        absent = PairSorter(memory)
    }

    /// Adds a link that was found by key.
    func add(_ reference: ReferenceEntry, _ destination: Int64) throws(BuildError) {
        try found.add([reference.owner, reference.ordinal, destination])
    }

    /// Adds a link without a destination.
    func addAbsence(_ reference: ReferenceEntry) throws(BuildError) {
        try absent.add(reference.owner, reference.payload)
    }

    /// Calls a closure with each row that has links: its distinct destinations in their order, and the payloads of its
    /// links without a destination.
    func forEach(_ body: (_ arrival: Int64, _ destinations: [Int64], _ absences: [Int64]) throws -> Void) throws {
        var known: PairCursor?
        if list.isRuledByRow {
            // Which rows apply depends on the order of all rows, but the links of several objects of a record are added
            // one object after the other.
            try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
                if let destination = try list.destination.leader(of: destination) {
                    try found.add([row, ordinal, destination])
                }
            }
        } else {
            try list.known.finish()
            known = try list.known.cursor()
        }
        let destinations = list.destination
        let late = try found.sorted()
        let lost = absent.count > 0 ? try absent.sorted().cursor() : nil
        var lateLink = try late.next()
        var current = OrderedLinks(searching: limits.searchedLinks)
        var absences: [Int64] = []
        // If the order matters, either all links of a row were known when it was added, or all were found by key.
        while true {
            let arrival = min(known?.first ?? .max, lateLink?[0] ?? .max, lost?.first ?? .max)
            if arrival == .max { return }
            current.removeAll()
            absences.removeAll(keepingCapacity: true)
            while let known, known.first == arrival {
                if let destination = try destinations.leader(of: known.second) { current.add(destination) }
                try known.advance()
            }
            while let link = lateLink, link[0] == arrival {
                current.add(link[2])
                lateLink = try late.next()
            }
            while let lost, lost.first == arrival {
                absences.append(lost.second)
                try lost.advance()
            }
            try body(arrival, current.destinations, absences)
        }
    }

    /// The objects whose links a row other than the one that created them has replaced. They are known after
    /// `forEachRuled`.
    private(set) var replaced = RejectedRows()

    /// Calls a closure with each row whose links its object may have, if each row has its own rule: the rows that no
    /// later row replaces. A filling row applies only if the list is empty at that point, which the caller checks.
    func forEachRuled(_ body: (ListRow) throws -> Void) throws {
        /// By object, the last row that replaces the links of earlier rows.
        let ends = try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        let rules = PairSorter(memory)
        let row = try list.rules()
        while let arrival = row.first {
            try rules.add(arrival, row.second)
            if row.second == AssembledList.Rule.replace.rawValue, let owner = try list.owner.leader(of: arrival) {
                if try ends.number(at: owner) < arrival { try ends.set(arrival, at: owner) }
                if owner != arrival { _ = replaced.insert(owner) }
            }
            try row.advance()
        }
        let said = try rules.sorted().cursor()
        try forEach { arrival, destinations, absences in
            guard let owner = try list.owner.leader(of: arrival), try said.seek(arrival),
                let rule = AssembledList.Rule(rawValue: said.second), try ends.number(at: owner) <= arrival,
                rule != .keep || owner == arrival
            else { return }
            try body(
                ListRow(arrival: arrival, owner: owner, rule: rule, destinations: destinations, absences: absences))
        }
    }

    /// Calls a closure with each row whose links its object gets, if each row has its own rule. The rows are read in
    /// their order; they replace existing links, add links, or fill empty lists.
    ///
    /// - Parameters:
    ///   - absence: called with the links without a destination of the rows that apply: an object, and the offset of a
    ///     payload. Of the rows that would fill the object's list and have no existing destination, the last one
    ///     applies.
    ///   - body: called with the arrival of a row, its object and the destinations.
    func forEachCounting(
        absence: (_ owner: Int64, _ payload: Int64) throws(BuildError) -> Void,
        _ body: (_ arrival: Int64, _ owner: Int64, _ destinations: [Int64]) throws -> Void
    ) throws {
        var filling = try ListFilling(list, limits, memory)
        try forEachRuled { row in
            if try filling.take(row, absence: absence) { try body(row.arrival, row.owner, row.destinations) }
        }
        try filling.finish(absence: absence)
    }
}

/// A row that sets the links of a list.
struct ListRow {
    let arrival: Int64
    let owner: Int64
    let rule: AssembledList.Rule
    let destinations: [Int64]
    /// The offsets of the payloads of links without a destination.
    let absences: [Int64]
}

/// The distinct destinations that a row names, in their order.
private struct OrderedLinks {
    private(set) var destinations: [Int64] = []
    /// The destinations as a set, if the row has many; otherwise empty.
    private var known = Set<Int64>()
    private let mostSearched: Int

    init(searching mostSearched: Int) {
        self.mostSearched = mostSearched
    }

    mutating func removeAll() {
        destinations.removeAll(keepingCapacity: true)
        if !known.isEmpty { known.removeAll(keepingCapacity: true) }
    }

    mutating func add(_ destination: Int64) {
        guard destinations.count >= mostSearched else {
            if !destinations.contains(destination) { destinations.append(destination) }
            return
        }
        if known.isEmpty { known.formUnion(destinations) }
        if known.insert(destination).inserted { destinations.append(destination) }
    }
}

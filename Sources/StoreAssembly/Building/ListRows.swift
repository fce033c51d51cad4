import SQLiteFileBuilder

/// The rows that have links of a list, in their order, each with its links that were found by key or known at once.
final class ListRows {
    private let list: AssembledList
    private let limits: AssemblyLimits
    /// What was found by key: arrival of the row, place in its list, destination.
    private let found: TupleSorter
    /// What leads nowhere: arrival of the row, place of the payload.
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

    /// Adds a link that leads nowhere.
    func addAbsence(_ reference: ReferenceEntry) throws(BuildError) {
        try absent.add(reference.owner, reference.payload)
    }

    /// Calls a closure with each row that names a destination: those that are there in their order, each once, and the
    /// payloads of the others.
    func forEach(_ body: (_ arrival: Int64, _ destinations: [Int64], _ absences: [Int64]) throws -> Void) throws {
        var known: PairCursor?
        if list.isRuledByRow {
            // Which rows count depends on the order of all: those of several objects of a record come one after the other.
            try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
                if let destination = try list.destination.leader(of: destination) {
                    try found.add([row, ordinal, destination])
                }
            }
        } else {
            try list.known.finish()
            known = try list.known.cursor()
        }
        let late = try found.sorted()
        let lost = absent.count > 0 ? try absent.sorted().cursor() : nil
        var lateLink = try late.next()
        var current = OrderedLinks(searching: limits.searchedLinks)
        var absences: [Int64] = []
        // Where the order matters, all links of a row are known, or all were found by key.
        while true {
            let arrival = min(known?.first ?? .max, lateLink?[0] ?? .max, lost?.first ?? .max)
            if arrival == .max { return }
            current.removeAll()
            absences.removeAll(keepingCapacity: true)
            while let known, known.first == arrival {
                if let destination = try list.destination.leader(of: known.second) { current.add(destination) }
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

    /// The objects of which a row has replaced the links: one behind that which made the object. They are known when
    /// the rows have been read that say by which rule their links count.
    private(set) var replaced = RejectedRows()

    /// Calls a closure with each row whose links its object may have, where each row says by which rule: one that no
    /// later row ends. Those that fill a list count if it is empty then.
    func forEachRuled(_ body: (ListRow) throws -> Void) throws {
        try list.said.finish()
        /// By object, the last row that ends the links of those before it.
        let ends = try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        let rules = PairSorter(memory)
        let row = try list.said.cursor()
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

    /// Calls a closure with each row whose links its object has, where each row says by which rule: read one after the
    /// other, rows end the links that there are, add others, or fill what is empty.
    ///
    /// - Parameters:
    ///   - absence: gets the links that lead nowhere of the rows that count: an object, and the place of a payload. Of
    ///     the rows that would fill its list, and name nothing that is there, the last one counts.
    ///   - body: gets the arrival of a row, its object and the destinations.
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

/// A row that says the links of a list.
struct ListRow {
    let arrival: Int64
    let owner: Int64
    let rule: AssembledList.Rule
    let destinations: [Int64]
    /// The places of the payloads of what leads nowhere.
    let absences: [Int64]
}

/// The destinations that a row names, each once.
private struct OrderedLinks {
    private(set) var destinations: [Int64] = []
    /// The destinations of a row that has many.
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

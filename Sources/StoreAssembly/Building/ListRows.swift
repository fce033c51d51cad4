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

    /// Calls a closure with each row whose links its object has, where each row says by which rule: read one after the
    /// other, rows end the links that there are, add others, or fill what is empty.
    ///
    /// - Parameters:
    ///   - absence: gets the links that lead nowhere of the rows that count: an object, and the place of a payload. Of the
    ///     rows that would fill its list, and name nothing that is there, the last one counts.
    ///   - body: gets the arrival of a row, its object and the destinations.
    func forEachCounting(
        absence: (_ owner: Int64, _ payload: Int64) throws(BuildError) -> Void,
        _ body: (_ arrival: Int64, _ owner: Int64, _ destinations: [Int64]) throws -> Void
    ) throws {
        try list.said.finish()
        func file() throws(BuildError) -> NumberFile {
            try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        }
        /// By object, the last row that ends the links of those before it, and the last one that fills nothing.
        let (ends, unfilled) = (try file(), try file())
        let rules = PairSorter(memory)
        let row = try list.said.cursor()
        while let arrival = row.first {
            try rules.add(arrival, row.second)
            if row.second == AssembledList.Rule.replace.rawValue,
                let owner = try list.owner.leader(of: arrival), try ends.number(at: owner) < arrival
            {
                try ends.set(arrival, at: owner)
            }
            try row.advance()
        }
        let said = try rules.sorted().cursor()
        var links = try LinkedObjects(list, limits)
        /// Row, object and payload of what rows name that fill nothing.
        let waiting = TupleSorter(width: 3, memory)
        try forEach { arrival, destinations, absences in
            guard let owner = try list.owner.leader(of: arrival), try said.seek(arrival),
                let rule = AssembledList.Rule(rawValue: said.second), try ends.number(at: owner) <= arrival,
                rule != .keep || owner == arrival
            else { return }
            if rule == .fill {
                if try links.hasAny(owner) { return }
                try unfilled.set(destinations.isEmpty ? arrival : 0, at: owner)
                if destinations.isEmpty {
                    for payload in absences { try waiting.add([arrival, owner, payload]) }
                    return
                }
            }
            for payload in absences { try absence(owner, payload) }
            guard !destinations.isEmpty else { return }
            try links.add(owner, destinations)
            try body(arrival, owner, destinations)
        }
        guard waiting.count > 0 else { return }
        let payloads = try waiting.sorted()
        while let next = try payloads.next() {
            if try unfilled.number(at: next[1]) == next[0] { try absence(next[1], next[2]) }
        }
    }
}

/// The objects that have links, while rows add some.
private struct LinkedObjects {
    /// Those that have links, unless others can take them.
    private var objects = RejectedRows()
    /// By destination, the object that has it in its list, and by object, the number of its links; nil if a destination may
    /// be in several lists.
    private let holders: NumberFile?
    private let counts: NumberFile?
    private let isSymmetric: Bool

    init(_ list: AssembledList, _ limits: AssemblyLimits) throws(BuildError) {
        isSymmetric = list.place.isSymmetric
        let isOwned = list.place.destination == nil
        let path = list.owner.builder.path
        holders = isOwned ? try NumberFile(beside: path, pages: limits.listPages) : nil
        counts = isOwned ? try NumberFile(beside: path, pages: limits.listPages) : nil
    }

    func hasAny(_ object: Int64) throws(BuildError) -> Bool {
        if let counts { return try counts.number(at: object) > 0 }
        return objects.contains(object)
    }

    mutating func add(_ owner: Int64, _ destinations: [Int64]) throws(BuildError) {
        guard let holders, let counts else {
            _ = objects.insert(owner)
            if isSymmetric { for destination in destinations { _ = objects.insert(destination) } }
            return
        }
        for destination in destinations {
            let holder = try holders.number(at: destination)
            guard holder != owner else { continue }
            if holder != 0 { try counts.set(counts.number(at: holder) - 1, at: holder) }
            try holders.set(owner, at: destination)
            try counts.set(counts.number(at: owner) + 1, at: owner)
        }
    }
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

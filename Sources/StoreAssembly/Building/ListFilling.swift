import SQLiteFileBuilder

/// Which rows that say lists count, read one after the other, where some fill only what is empty.
struct ListFilling {
    private var links: LinkedObjects
    /// By object, the last row that fills nothing.
    private let unfilled: NumberFile
    /// Row, object and payload of what rows name that fill nothing.
    private let waiting: TupleSorter

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        links = try LinkedObjects(list, limits)
        unfilled = try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        waiting = TupleSorter(width: 3, memory)
    }

    /// Takes the next row.
    ///
    /// - Parameter absence: gets what leads nowhere if the row counts: an object, and the place of a payload.
    /// - Returns: whether the object gets links of the row.
    mutating func take(
        _ row: ListRow, absence: (_ owner: Int64, _ payload: Int64) throws(BuildError) -> Void
    ) throws(BuildError) -> Bool {
        let owner = row.owner
        if row.rule == .fill {
            if try links.hasAny(owner) { return false }
            try unfilled.set(row.destinations.isEmpty ? row.arrival : 0, at: owner)
            if row.destinations.isEmpty {
                for payload in row.absences { try waiting.add([row.arrival, owner, payload]) }
                return false
            }
        }
        for payload in row.absences { try absence(owner, payload) }
        guard !row.destinations.isEmpty else { return false }
        try links.add(owner, row.destinations)
        return true
    }

    /// Notes that objects have links of others.
    mutating func link(_ objects: [Int64]) { links.insert(objects) }

    /// Reports what leads nowhere of the rows that would fill a list and name nothing that is there: of each object, of
    /// the last one.
    func finish(
        absence: (_ owner: Int64, _ payload: Int64) throws(BuildError) -> Void
    ) throws(BuildError) {
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
    /// By destination, the object that has it in its list, and by object, the number of its links; nil if a destination
    /// may be in several lists.
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

    mutating func insert(_ linked: [Int64]) {
        for object in linked { _ = objects.insert(object) }
    }

    mutating func add(_ owner: Int64, _ destinations: [Int64]) throws(BuildError) {
        guard let holders, let counts else {
            _ = objects.insert(owner)
            if isSymmetric { insert(destinations) }
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

import SQLiteFileBuilder

/// The rows of a list whose links apply, determined row after row, if some rows fill only empty lists.
struct ListFilling {
    private var links: LinkedObjects
    /// By object, its last filling row if that row has no destinations; otherwise 0.
    private let unfilled: NumberFile
    /// Tuples of row, object and offset of the payload, for the missing destinations of filling rows that have no other
    /// destinations.
    private let waiting: TupleSorter

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        links = try LinkedObjects(list, limits)
        unfilled = try NumberFile(beside: list.owner.builder.path, pages: limits.listPages)
        waiting = TupleSorter(width: 3, memory)
    }

    /// Takes the next row, in the order of the rows.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - absence: called with each link without a destination if the row applies: an object, and the offset of a
    ///     payload.
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

    /// Records that objects have links from lists of the other side.
    mutating func link(_ objects: [Int64]) { links.insert(objects) }

    /// Reports the missing destinations of rows that would fill a list and have no other destinations: for each object,
    /// those of the last such row.
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

/// The objects that have links at a point while rows add links.
private struct LinkedObjects {
    /// The objects that have links, if a destination may be in several lists.
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

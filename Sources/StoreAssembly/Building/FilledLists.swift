import SQLiteFileBuilder

/// The lists of objects that have several rows. An object gets the links of its first row that has a link with an
/// existing destination.
final class FilledLists {
    /// Tuples of owner, arrival of the row, position among all added links, and destination.
    private let links: TupleSorter
    /// Tuples of owner, arrival of the row, and offset of the payload.
    private let absences: TupleSorter
    private var next: Int64 = 0
    private let memory: SpoolMemory
    /// The owners, each with the row whose links apply, in order.
    private let counting: PairSorter

    init(_ memory: SpoolMemory) {
        self.memory = memory
        links = TupleSorter(width: 4, memory)
        absences = TupleSorter(width: 3, memory)
        counting = PairSorter(memory)
    }

    /// Adds a link. The links of a row must be added in their order.
    func add(_ owner: Int64, _ arrival: Int64, _ destination: Int64) throws(BuildError) {
        try links.add([owner, arrival, next, destination])
        next += 1
    }

    /// Adds a link without a destination.
    func addAbsence(_ owner: Int64, _ reference: ReferenceEntry) throws(BuildError) {
        try absences.add([owner, reference.owner, reference.payload])
    }

    /// Calls a closure with each object and its destinations.
    func forEachOwner(_ body: (_ owner: Int64, _ destinations: [Int64]) throws -> Void) throws {
        let sorted = try links.sorted()
        var owner: Int64?
        var arrival: Int64 = 0
        var destinations: [Int64] = []
        while let link = try sorted.next() {
            if link[0] != owner {
                if let owner { try body(owner, destinations) }
                (owner, arrival) = (link[0], link[1])
                destinations.removeAll(keepingCapacity: true)
                try counting.add(link[0], arrival)
            }
            if link[1] == arrival { destinations.append(link[3]) }
        }
        if let owner { try body(owner, destinations) }
    }

    /// Calls a closure with the links without destination of the rows that apply. For an object without links, this is
    /// the last row that has such links. All owners must have been visited.
    func forEachAbsence(_ body: (_ owner: Int64, _ payload: Int64) throws(BuildError) -> Void) throws {
        guard absences.count > 0 else { return }
        let found = try absences.sorted()
        let rows = try counting.sorted().cursor()
        /// The payloads of the owner's last row so far, or of the row that applies.
        var pending: (owner: Int64, arrival: Int64, payloads: [Int64])?
        func end() throws(BuildError) {
            guard let pending else { return }
            for payload in pending.payloads { try body(pending.owner, payload) }
        }
        while let absence = try found.next() {
            let (owner, arrival) = (absence[0], absence[1])
            let isCounting = try rows.seek(owner) ? rows.second == arrival : nil
            guard isCounting ?? true else { continue }
            if pending?.owner == owner, pending?.arrival == arrival {
                pending?.payloads.append(absence[2])
                continue
            }
            if pending?.owner != owner { try end() }
            pending = (owner, arrival, [absence[2]])
        }
        try end()
    }
}

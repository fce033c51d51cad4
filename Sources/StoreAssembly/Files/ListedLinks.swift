import PersistentStores
public import SQLiteFileBuilder

/// Links of a to-many relationship that are stored in the rows of the destinations, but are named by the objects with
/// the lists, and sometimes also by the destinations. After all rows have been added, the rows of the destinations get
/// the keys of their owners, and their places.
public final class ListedLinks {
    /// The positions of the columns in the destinations' table that store the links.
    public struct Columns: Sendable {
        let owner: Int
        let entity: Int?
        let order: Int?
        let kind: Int

        /// Creates columns by their positions in the table.
        /// - Parameters:
        ///   - owner: the column with the key of the owner.
        ///   - entity: the column with the number of the owner's entity; nil if there is no such column.
        ///   - order: the column with the place in the owner's list; nil if the list has no order.
        ///   - kind: the column with the number of the row's own entity.
        public init(owner: Int, entity: Int?, order: Int?, kind: Int) {
            self.owner = owner
            self.entity = entity
            self.order = order
            self.kind = kind
        }
    }

    /// A rule for the links that are valid.
    public struct Rule: Sendable {
        let ownerEntity: Int64
        let kinds: Set<Int64>?
        let isShared: Bool

        /// Creates a rule.
        /// - Parameters:
        ///   - ownerEntity: the number of the entity that most owners are of.
        ///   - kinds: the numbers of the entities that destinations can be of; nil for all.
        ///   - isShared: whether rows may name their owners themselves. If they do, this takes precedence over the
        ///     lists.
        public init(ownerEntity: Int64, kinds: Set<Int64>?, isShared: Bool) {
            self.ownerEntity = ownerEntity
            self.kinds = kinds
            self.isShared = isShared
        }
    }

    /// Invalid links: their number, and the owners of the first of them.
    public struct Faults: Sendable, Equatable {
        /// The number of links.
        public fileprivate(set) var count: Int64 = 0
        /// The owners of the first links, three at most.
        public fileprivate(set) var owners: [Int64] = []

        fileprivate mutating func add(_ owner: Int64) {
            count += 1
            if owners.count < 3 { owners.append(owner) }
        }

        fileprivate mutating func renumber(_ rows: EntityRows) throws(BuildError) {
            for index in owners.indices { owners[index] = try rows.newKey(of: owners[index]) }
        }
    }

    /// The rows of the objects with the lists.
    private unowned let ownerRows: EntityRows
    private let columns: Columns
    private let rule: Rule
    private let memory: SpoolMemory
    /// By destination, in the order in which they were named: the owners, and the places in their lists.
    private let owners: PairSorter
    private let orders: PairSorter
    private var left: (owners: PairCursor, orders: PairCursor?)?
    private var lastDestination: Int64?
    /// The new owners and places, by row.
    private let newOwners: PairFile
    private let newOrders: PairFile
    /// By owner, the places of its objects, and the rows without a place.
    private let known: PairSorter
    private let unplaced: PairSorter
    private var edits: (owners: PairCursor, orders: PairCursor, others: PairCursor?)?

    /// The number of links that were added.
    @exclusivity(unchecked) public private(set) var count: Int64 = 0
    /// Links to objects that do not exist, or are of an entity that the rule excludes.
    public private(set) var dangling = Faults()
    /// Links whose destinations should name their owners, and do not.
    public private(set) var oneSided = Faults()
    /// Links to objects that name another owner, or that are in several lists.
    public private(set) var conflicting = Faults()

    init(
        of ownerRows: EntityRows, _ columns: Columns, _ rule: Rule, _ memory: SpoolMemory, beside path: String
    ) throws(BuildError) {
        self.ownerRows = ownerRows
        self.columns = columns
        self.rule = rule
        self.memory = memory
        owners = PairSorter(memory)
        orders = PairSorter(memory)
        newOwners = try PairFile(path)
        newOrders = try PairFile(path)
        known = PairSorter(memory)
        unplaced = PairSorter(memory)
    }

    /// Adds the links of an owner, in their order. A negative key stands for an object that does not exist.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func add(_ destinations: some Sequence<Int64>, of owner: Int64) throws(BuildError) {
        var order = OrderKeys.first
        for destination in destinations {
            // Keys of missing objects come last, in the order of the numbers from which they were made.
            let place = destination < 0 ? Int64.min &- destination : destination
            try owners.add(place, owner)
            if columns.order != nil { try orders.add(place, order) }
            order += OrderKeys.step
            count += 1
        }
    }

    // MARK: After all rows have been added

    func begin() throws(BuildError) {
        left = (
            try owners.sorted().cursor(),
            try columns.order.map { (_) throws(BuildError) in try orders.sorted().cursor() }
        )
    }

    /// Determines the owner and the place of a row. Rows must be given in the order of their keys.
    func take(_ key: Int64, _ record: StoredRecord) throws(BuildError) {
        guard let left else { return }
        try skip(before: key)
        let old = record.integer(columns.owner)
        var isKind = true
        if let kinds = rule.kinds, left.owners.first == key {
            isKind = record.integer(columns.kind).map { kinds.contains($0) } ?? false
        }
        var found: (owner: Int64, order: Int64)?
        while left.owners.first == key {
            let (owner, order) = (left.owners.second, left.orders?.second ?? 0)
            if !isKind {
                dangling.add(owner)
            } else if old == nil || old == owner {
                if old == nil, rule.isShared { oneSided.add(owner) }
                // If several links name the row, the last one applies.
                found = (owner, order)
            } else if rule.isShared {
                conflicting.add(owner)
            }
            try advance(key)
        }
        if let found {
            try newOwners.append(key, found.owner)
            if columns.order != nil { try newOrders.append(key, found.order) }
        }
        guard columns.order != nil, let owner = found?.owner ?? old else { return }
        if let found { try known.add(owner, found.order) } else { try unplaced.add(owner, key) }
    }

    /// Reports and skips links to missing objects. Negative keys come last.
    private func skip(before key: Int64?) throws(BuildError) {
        while let left, let next = left.owners.first, key.map({ next < $0 }) ?? true {
            dangling.add(left.owners.second)
            try advance(next)
        }
    }

    private func advance(_ destination: Int64) throws(BuildError) {
        // An object can be in only one such list, because the column stores only one owner.
        if !rule.isShared, lastDestination == destination { conflicting.count += 1 }
        lastDestination = destination
        try left?.owners.advance()
        try left?.orders?.advance()
    }

    func finish() throws(BuildError) {
        try skip(before: nil)
        left = nil
        try newOwners.finish()
        try newOrders.finish()
        edits = (
            try newOwners.cursor(), try newOrders.cursor(),
            unplaced.count > 0 ? try places().cursor() : nil
        )
    }

    /// Returns the places of objects that name their owner and are not in its list: after the others, in the order of
    /// their keys.
    private func places() throws(BuildError) -> PairFile {
        let result = PairSorter(memory)
        let (highest, rows) = (try known.merged(), try unplaced.merged())
        var next = try highest.next()
        var owner: Int64?
        var place = OrderKeys.first
        while let (own, key) = try rows.next() {
            if own != owner {
                (owner, place) = (own, OrderKeys.first)
                // The pairs are sorted by their unsigned first numbers.
                while let (other, order) = next, UInt64(bitPattern: other) <= UInt64(bitPattern: own) {
                    if other == own { place = max(place, order + OrderKeys.step) }
                    next = try highest.next()
                }
            }
            try result.add(key, place)
            place += OrderKeys.step
        }
        return try result.sorted()
    }

    /// Replaces the keys of the owners of invalid links by their final keys.
    func renumberOwners() throws(BuildError) {
        try dangling.renumber(ownerRows)
        try oneSided.renumber(ownerRows)
        try conflicting.renumber(ownerRows)
    }

    /// Sets the owner and the place of a row, by column. Rows must be given in the order of their keys again.
    func edit(_ key: Int64, _ cells: inout [Int64??]) throws(BuildError) {
        guard let edits else { return }
        if try edits.owners.seek(key) {
            cells[columns.owner] = edits.owners.second
            if let entity = columns.entity { cells[entity] = rule.ownerEntity }
        }
        guard let order = columns.order else { return }
        if try edits.orders.seek(key) {
            cells[order] = edits.orders.second
        } else if let others = edits.others, try others.seek(key) {
            cells[order] = others.second
        }
    }
}

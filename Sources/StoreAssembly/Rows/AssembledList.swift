public import PersistentStores
public import SQLiteAccess
public import SQLiteFileBuilder

/// The links of a to-many relationship, while objects are added to a new store.
///
/// Links to objects in memory are recorded immediately, as pairs of arrivals. Other links are spooled with the keys of
/// their destinations, like to-one links. After all objects have been added, the links become the rows of the join
/// table, in their order, or are stored in the rows of the destinations.
public final class AssembledList {
    /// The rule for the links of an object that several rows belong to.
    public enum Rule: Int64, Sendable {
        /// The object has the links of all rows. If they are ordered, a link has the position at which it was last
        /// named.
        case add = 1
        /// The object has the links of the last row that sets the list.
        case replace
        /// The object has the links of its first row.
        case keep
        /// The object has the links of the first row that has a link with an existing destination.
        case fill
    }

    /// The table and the columns that store the links: a join table, or the table of the destinations.
    public struct Place: Equatable, Sendable {
        let table: String
        let owner: String
        /// The column with the key of the destination; nil if the rows of the table are the destinations.
        let destination: String?
        /// The column of the owner's entity number; nil if the table has none.
        let entity: String?
        /// The columns with the destination's place in the owner's list, and with the owner's place in the
        /// destination's list; nil if there is no order.
        let orders: (ofDestinations: String?, ofOwners: String?)
        /// Whether each link is stored in both directions.
        let isSymmetric: Bool

        /// Creates a place in a join table. Names have no quotes. A symmetric relationship has no order of owners.
        public init(
            table: String, owner: String, destination: String,
            orders: (ofDestinations: String?, ofOwners: String?) = (nil, nil), isSymmetric: Bool = false
        ) {
            self.table = table
            self.owner = owner
            self.destination = destination
            entity = nil
            self.orders = orders
            self.isSymmetric = isSymmetric
        }

        /// Creates a place in a join table, as one of its relationships sees it.
        public init(_ join: JoinTable, of relationship: PropertyKey) {
            let side = join.side(of: relationship)
            self.init(
                table: join.name, owner: side.owner, destination: side.destination,
                orders: (side.order, join.oppositeSide(of: relationship)?.order), isSymmetric: join.isSelfInverse)
        }

        /// Creates a place in the rows of the destinations, which store their owners. Names have no quotes.
        public init(rowsOf table: String, owner: String, entity: String?, order: String?) {
            self.table = table
            self.owner = owner
            destination = nil
            self.entity = entity
            orders = (order, nil)
            isSymmetric = false
        }

        /// Returns whether another place has the same links, as the other side of the relationship sees them.
        func isOpposite(of other: Place) -> Bool {
            table == other.table && owner == other.destination && destination == other.owner && !isSymmetric
        }

        public static func == (left: Place, right: Place) -> Bool {
            left.table == right.table && left.owner == right.owner && left.destination == right.destination
                && left.entity == right.entity && left.orders == right.orders && left.isSymmetric == right.isSymmetric
        }
    }

    let place: Place
    let position: Int
    unowned let owner: AssembledTable
    unowned let destination: AssembledTable
    /// The rule of all rows, unless each row has its own.
    let rule: Rule
    /// Whether each row has its own rule: the rows have several rules, or which rows fill a list depends on the rows of
    /// other objects, which take its links or name the same links from the other side.
    private(set) var isRuledByRow: Bool
    /// Whether owners and destinations are objects of the same records.
    let isOfRecords: Bool
    /// Whether several mappings set the links, and the rows of the destinations store them.
    let isShared: Bool
    /// Whether mappings of the destinations also set their owners.
    let isSaidByDestinations: Bool
    /// The position of the list of the other side that has the same links; nil if there is no such list.
    var opposite: Int?
    /// Whether some rows set only empty lists.
    private(set) var fills: Bool
    /// Whether some rows of the destinations set the link only if it has no destination.
    var areOwnersFilled: Bool { link.map { LinkPair.Side(table: destination, link: $0).isFilled } ?? false }
    /// The number of the to-one link that stores the owner in the rows of the destinations; nil if a join table stores
    /// the links.
    let link: Int?
    /// The links whose destinations were known when their rows were added: arrivals of the row and of the destination.
    let known: PairFile
    /// The arrivals of rows that set the list, each with its rule. Only rows with the rule `replace` are recorded,
    /// unless `isRuledByRow`.
    private let said: PairFile
    /// The rows that set the list only if one of their destinations becomes an object.
    @exclusivity(unchecked) private var conditional = RejectedRows()
    /// The values that determine the order of the rows' links among those of other rows of the object, by arrival; nil
    /// if no rows have such values.
    private(set) var places: ValueSorter?
    private let memory: SpoolMemory

    /// The rows whose lists must not remove links of others: the offsets of their notes, and twice the numbers of their
    /// records, plus one if the list is empty; nil if there are no such rows.
    private(set) var demands: (notes: PairFile, records: PairFile)?

    /// The links in the form in which they are compared as unique values of the destinations; nil if they are not.
    private(set) var comparison: ComparedList?

    /// The number of final links.
    public internal(set) var count: Int64 = 0
    /// The number of final links by the entity number of the owner, if forms of the owner's table have entity numbers.
    public internal(set) var counts: [Int64: Int64] = [:]

    init(
        _ place: Place, position: Int, from owner: AssembledTable, to destination: AssembledTable, _ rule: Rule,
        isOfRecords: Bool, isShared: Bool, isSaidByDestinations: Bool, ownerEntity: Int64, _ memory: SpoolMemory
    ) throws(BuildError) {
        self.place = place
        self.memory = memory
        isRuledByRow = rule == .fill && (place.isSymmetric || place.destination == nil)
        fills = rule == .fill
        self.position = position
        self.owner = owner
        self.destination = destination
        self.rule = rule
        self.isOfRecords = isOfRecords
        self.isShared = isShared
        self.isSaidByDestinations = isSaidByDestinations
        let columns = destination.builder.definition.columns
        link =
            place.destination == nil
            ? columns.firstIndex { $0.name == place.owner }.map { column in
                destination.link(
                    column: column, entityColumn: columns.firstIndex { $0.name == place.entity }, to: owner,
                    entity: ownerEntity)
            } : nil
        known = try PairFile(owner.builder.path)
        said = try PairFile(owner.builder.path)
    }

    /// Whether the order of links matters. If so, either all links of a row are given by arrival, or all by key.
    public var isOrdered: Bool { place.orders.ofDestinations != nil || place.orders.ofOwners != nil }

    /// Declares that some rows have a rule. Must be called before the first row is added.
    func take(_ rule: Rule) {
        if rule != self.rule { isRuledByRow = true }
        if rule == .fill { fills = true }
    }

    /// Declares that lists of this side or of the other side fill empty lists, so that the order of the rows of both
    /// sides matters. Must be called before the first row is added.
    func takeInTurn() throws(BuildError) {
        isRuledByRow = true
        try owner.numberRecords()
    }

    /// Records that a row sets the list of its object, even if to an empty list. Rows must be given in ascending order.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - rule: one of the rules with which the list was requested.
    ///   - isConditional: whether the row sets the list only if one of its destinations, which must be given by their
    ///     arrivals, becomes an object.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(_ arrival: Int64, _ rule: Rule, ifLinked isConditional: Bool = false) throws(BuildError) {
        if isRuledByRow || rule == .replace { try said.append(arrival, rule.rawValue) }
        if isConditional { _ = conditional.insert(arrival) }
    }

    /// Returns the rows that set the list, each with its rule. No more rows may be added.
    func rules() throws(BuildError) -> PairCursor {
        try said.finish()
        let all = try said.cursor()
        guard conditional.count > 0 else { return all }
        var linked = RejectedRows()
        try forEachKnown { (row, _, destination) throws(BuildError) in
            if conditional.contains(row), try self.destination.leader(of: destination) != nil { _ = linked.insert(row) }
        }
        let applying = try PairFile(owner.builder.path)
        while let row = all.first {
            if !conditional.contains(row) || linked.contains(row) { try applying.append(row, all.second) }
            try all.advance()
        }
        try applying.finish()
        return try applying.cursor()
    }

    /// Returns whether a row sets the list only if one of its destinations becomes an object.
    func isConditional(_ row: Int64) -> Bool { conditional.contains(row) }

    /// Records a value that determines the order of a row's links among those of the object's other rows. NULL comes
    /// first, and rows without a call of this method count as NULL. Rows with the same value are in their order.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - value: the value, which is compared as SQLite compares values.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func place(_ arrival: Int64, by value: SQLiteValue) throws(BuildError) {
        guard value != .null, place.orders.ofDestinations != nil else { return }
        let places = self.places ?? ValueSorter(memory)
        self.places = places
        try places.add(value, of: arrival)
    }

    /// Records a row with objects that require an owner: the row is rejected if its list would remove an object from an
    /// earlier list. Rows, and the records of all tables, must be given in ascending order.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - record: the number of its record.
    ///   - isEmpty: whether its list is empty.
    ///   - note: the note that the client gets if the row is rejected.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func demand(
        _ arrival: Int64, of record: Int64, isEmpty: Bool, note: Span<UInt8>
    ) throws(BuildError) {
        if demands == nil { demands = (try PairFile(owner.builder.path), try PairFile(owner.builder.path)) }
        try demands?.notes.append(arrival, owner.keep(note))
        try demands?.records.append(arrival, record << 1 | (isEmpty ? 1 : 0))
    }

    /// Makes the links part of unique values of the destinations. Must be called before the first row is added.
    func beCompared() throws(BuildError) -> ComparedList {
        let made = try ComparedList(self)
        comparison = made
        return made
    }

    /// Whether the links are part of unique values of the destinations.
    public var isCompared: Bool { comparison != nil }

    /// Records a row with a list whose links are part of unique values, even if the list is empty.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - note: the note that the client gets if the row is rejected because another object has one of the values.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func compare(_ arrival: Int64, note: Span<UInt8>) throws(BuildError) {
        guard let comparison else { return }
        try comparison.notes.append(arrival, owner.keep(note))
    }

    /// Calls a closure with each link whose destination was known when its row was added, in the order of the rows.
    ///
    /// - Parameter body: called with the arrival of the row, the position of the link in its list, and the
    ///   destination's arrival.
    func forEachKnown(
        _ body: (_ row: Int64, _ ordinal: Int64, _ destination: Int64) throws(BuildError) -> Void
    ) throws(BuildError) {
        try known.finish()
        let cursor = try known.cursor()
        var (row, ordinal) = (Int64(0), Int64(0))
        while let arrival = cursor.first {
            if arrival != row { (row, ordinal) = (arrival, 0) }
            try body(row, ordinal, cursor.second)
            ordinal += 1
            try cursor.advance()
        }
    }

    /// Links an object to other objects, given by their arrivals.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func link(_ arrival: Int64, to destinations: [Int64]) throws(BuildError) {
        try known.append(arrival, destinations)
    }

    /// Links an object to another one, given by its arrival.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func link(_ arrival: Int64, to destination: Int64) throws(BuildError) {
        try known.append(arrival, destination)
    }
}

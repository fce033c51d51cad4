public import PersistentStores
public import SQLiteAccess
public import SQLiteFileBuilder

/// The links of a to-many relationship, while objects come.
///
/// What is in memory is linked by arrivals at once; all others are spooled with the keys of their destinations, as
/// to-one links are. The join table is built of them when all objects are there, in the order of its rows; or the rows
/// of the destinations get their owners.
public final class AssembledList {
    /// What becomes of the links of an object that several rows are of.
    public enum Rule: Int64, Sendable {
        /// It has those of all rows; if they are ordered, where they were named last.
        case add = 1
        /// It has those of the last row that says anything of them.
        case replace
        /// It has those of the first row.
        case keep
        /// It has those of the first row with a link that leads somewhere.
        case fill
    }

    /// A table, and its columns: a join table, or that of the destinations.
    public struct Place: Equatable, Sendable {
        let table: String
        let owner: String
        /// nil if the rows of the table are the destinations.
        let destination: String?
        /// The column of the owner's entity number; nil if the table has none.
        let entity: String?
        /// The destination's place among the owner's, and the owner's among the destination's; nil for no order.
        let orders: (ofDestinations: String?, ofOwners: String?)
        /// Whether each link is there in both directions.
        let isSymmetric: Bool

        /// Names without quotes; a symmetric relationship has no order of owners.
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

        /// A join table as one of its relationships reads it.
        public init(_ join: JoinTable, of relationship: PropertyKey) {
            let side = join.side(of: relationship)
            self.init(
                table: join.name, owner: side.owner, destination: side.destination,
                orders: (side.order, join.oppositeSide(of: relationship)?.order), isSymmetric: join.isSelfInverse)
        }

        /// The columns of the destinations' rows that have their owners; names without quotes.
        public init(rowsOf table: String, owner: String, entity: String?, order: String?) {
            self.table = table
            self.owner = owner
            destination = nil
            self.entity = entity
            orders = (order, nil)
            isSymmetric = false
        }

        /// Whether it is the place of the same links, as the other side has them.
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
    let owner: AssembledTable
    let destination: AssembledTable
    /// What all rows say, unless each says it.
    let rule: Rule
    /// Whether each row says by which rule its object has its links: they have several, or those that fill a list depend on
    /// the rows of other objects, which take its links or are in both lists.
    private(set) var isRuledByRow: Bool
    /// Whether owners and destinations are objects of the same records.
    let isOfRecords: Bool
    /// Whether several mappings say the owners of destinations whose rows have them.
    let isShared: Bool
    /// Whether mappings of the destinations say their owners, too.
    let isSaidByDestinations: Bool
    /// The position of the lists of the other side that have the same links; nil if there are none.
    var opposite: Int?
    /// Whether some rows fill only what is empty.
    private(set) var fills: Bool
    /// Whether some rows of the destinations fill the link only where it leads nowhere.
    var areOwnersFilled: Bool { link.map { LinkPair.Side(table: destination, link: $0).isFilled } ?? false }
    /// The number of the link that rows of the destinations have; nil if they have none.
    let link: Int?
    /// Links whose destinations are known: arrivals of both.
    let known: PairFile
    /// The arrivals of rows that say what the links are, each with its rule if `isRuledByRow`.
    let said: PairFile
    /// By arrival, the values by which the links of rows come among those of others; nil if there are none.
    private(set) var places: ValueSorter?
    private let memory: SpoolMemory

    /// Rows whose lists must not end others, with the places of their notes, and with the numbers of their records: twice
    /// that, and one more for an empty list; nil if there are none.
    private(set) var demands: (notes: PairFile, records: PairFile)?

    /// The links that are there in the end.
    public internal(set) var count: Int64 = 0
    /// Those by the entity number of the object that has the list, where forms of its table have entity numbers.
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

    /// Whether it matters in which order links come: all of a row's are linked by arrival then, or all by key.
    public var isOrdered: Bool { place.orders.ofDestinations != nil || place.orders.ofOwners != nil }

    /// Says that some rows have a rule. No row has come.
    func take(_ rule: Rule) {
        if rule != self.rule { isRuledByRow = true }
        if rule == .fill { fills = true }
    }

    /// Says that some lists of the other side fill what is empty, or some of this one, so that it matters which rows of
    /// both come before. No row has come.
    func takeInTurn() throws(BuildError) {
        isRuledByRow = true
        try owner.numberRecords()
    }

    /// A row says what the links are, if only that there are none. Rows come in order.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - rule: one of those that the list was asked for with.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(_ arrival: Int64, _ rule: Rule) throws(BuildError) {
        if isRuledByRow || rule == .replace { try said.append(arrival, rule.rawValue) }
    }

    /// The links of a row come among those of its object's other rows in the order of a value: NULL first, as where this is
    /// not called, and the links of rows with the same value in the order of the rows.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - value: what is compared as SQLite compares values.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func place(_ arrival: Int64, by value: SQLiteValue) throws(BuildError) {
        guard value != .null, place.orders.ofDestinations != nil else { return }
        let places = self.places ?? ValueSorter(memory)
        self.places = places
        try places.add(value, of: arrival)
    }

    /// What lists have cannot be without an owner: a row is rejected if its list would end that of an earlier row. Rows come
    /// in order, the records of all tables by their numbers.
    ///
    /// - Parameters:
    ///   - arrival: the number of the row.
    ///   - record: the number of its record.
    ///   - isEmpty: whether its list has nothing.
    ///   - note: what the client gets.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func demand(
        _ arrival: Int64, of record: Int64, isEmpty: Bool, note: Span<UInt8>
    ) throws(BuildError) {
        if demands == nil { demands = (try PairFile(owner.builder.path), try PairFile(owner.builder.path)) }
        try demands?.notes.append(arrival, owner.keep(note))
        try demands?.records.append(arrival, record << 1 | (isEmpty ? 1 : 0))
    }

    /// Calls a closure with each link whose destination is known, in the order of the rows that have them.
    ///
    /// - Parameter body: gets the arrival of the row, the place of the link in its list, and the destination's arrival.
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

    /// Links an object with some others.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func link(_ arrival: Int64, to destinations: [Int64]) throws(BuildError) {
        try known.append(arrival, destinations)
    }

    /// Links two objects.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func link(_ arrival: Int64, to destination: Int64) throws(BuildError) {
        try known.append(arrival, destination)
    }
}

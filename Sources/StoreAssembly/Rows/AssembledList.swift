public import PersistentStores
public import SQLiteFileBuilder

/// The links of a relationship that has a join table, while objects come.
///
/// What is in memory is linked by arrivals at once; all others are spooled with the keys of their destinations, as
/// to-one links are. The join table is built of them when all objects are there, in the order of its rows.
public final class AssembledList {
    /// What becomes of the links of an object that several rows are of.
    public enum Rule: Sendable {
        /// It has those of all rows; if they are ordered, where they were named last.
        case add
        /// It has those of the last row that says anything of them.
        case replace
        /// It has those of the first row.
        case keep
        /// It has those of the first row with a link that leads somewhere.
        case fill
    }

    /// A join table, and its columns.
    public struct Place: Equatable, Sendable {
        let table: String
        let owner: String
        let destination: String
        /// The destination's place among the owner's, and the owner's among the destination's; nil for no order.
        let orders: (ofDestinations: String?, ofOwners: String?)
        /// Whether each link is there in both directions.
        let isSymmetric: Bool

        /// Names without quotes; a symmetric relationship must not be ordered.
        public init(
            table: String, owner: String, destination: String,
            orders: (ofDestinations: String?, ofOwners: String?) = (nil, nil), isSymmetric: Bool = false
        ) {
            self.table = table
            self.owner = owner
            self.destination = destination
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

        public static func == (left: Place, right: Place) -> Bool {
            left.table == right.table && left.owner == right.owner && left.destination == right.destination
                && left.orders == right.orders && left.isSymmetric == right.isSymmetric
        }
    }

    let place: Place
    let position: Int
    let owner: AssembledTable
    let destination: AssembledTable
    let rule: Rule
    /// Links whose destinations are known: arrivals of both.
    let known: PairFile
    /// The arrivals of rows that say what the links are, each with nothing.
    let said: PairFile

    /// The links that are there in the end.
    public internal(set) var count: Int64 = 0
    /// Those by the entity number of the object that has the list, where forms of its table have entity numbers.
    public internal(set) var counts: [Int64: Int64] = [:]

    init(
        _ place: Place, position: Int, from owner: AssembledTable, to destination: AssembledTable, _ rule: Rule
    ) throws(BuildError) {
        self.place = place
        self.position = position
        self.owner = owner
        self.destination = destination
        self.rule = rule
        known = try PairFile(owner.builder.path)
        said = try PairFile(owner.builder.path)
    }

    /// Whether it matters in which order links come: all of a row's are linked by arrival then, or all by key.
    public var isOrdered: Bool { place.orders.ofDestinations != nil || place.orders.ofOwners != nil }

    /// A row says what the links are, if only that there are none. Rows come in order.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func say(_ arrival: Int64) throws(BuildError) {
        if rule == .replace { try said.append(arrival, 0) }
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

import SQLiteFileBuilder

/// What the rows of one stream have to say of their objects.
public struct ObjectForm: Sendable {
    /// What becomes of an object whose key is there already.
    public enum MatchRule: Sendable {
        /// It gets what the later row says.
        case update
        /// It gets what it does not have.
        case fill
        /// It stays as it is.
        case skip
    }

    /// The columns that rows have values for, in the order of the bits of `AssembledTable.noteAbsent`.
    public let columns: [Int]
    /// The numbers of the links that rows may have; their bits come behind those of the columns.
    public let links: [Int]
    /// What becomes of an object whose key is there already.
    public let onMatch: MatchRule
    /// The columns whose values may be names of what lies elsewhere: the client tells whether two are the same.
    public let namingColumns: Set<Int>
    /// The entity number of the rows; nil if it is that of all links that lead to them.
    public let entity: Int64?
    /// When the rows of a record come that are of this form, among its others.
    public let phase: Int
    /// Which of the record's mappings the form is of: what they say of links counts in their order.
    public let mapping: Int

    /// Makes a form of columns and links, by their numbers in the table.
    public init(
        columns: [Int], links: [Int], onMatch: MatchRule, namingColumns: Set<Int> = [], entity: Int64? = nil,
        phase: Int = 0, mapping: Int = 0
    ) {
        self.columns = columns
        self.links = links
        self.onMatch = onMatch
        self.namingColumns = namingColumns
        self.entity = entity
        self.phase = phase
        self.mapping = mapping
    }
}

/// How often the rows of a form did something to objects that were there.
public struct MatchCounts: Sendable, Equatable {
    /// Rows that changed an object.
    public var updated: Int64 = 0
    /// Rows that said what the object had already.
    public var unchanged: Int64 = 0
    /// Rows that made objects which were there before because rows behind them, or they themselves, name them.
    public var makers: Int64 = 0
    /// Rows whose object stayed as it was because of `MatchRule.skip`.
    public var skipped: Int64 = 0
    /// Rows that could not be the first with their key, or lack a link that they need.
    public var rejected: Int64 = 0

    /// Makes counts that are all 0.
    public init() {}
}

/// The columns of a to-one link.
final class TableLink {
    let column: Int
    let entityColumn: Int?
    /// The column of the row's place among the objects that lead to its destination; nil if those have no order.
    let orderColumn: Int?
    /// The destination's table, which the assembly owns: tables with links to each other, or to themselves, would keep
    /// each other, their files and the thread that writes them for ever.
    unowned let destination: AssembledTable
    /// The number that the entity column gets, unless the form of what it leads to has another one.
    let entity: Int64
    /// Whether rows that say another one do not count as changes of their objects: all of these are followed in the end.
    @exclusivity(unchecked) var isLate = false
    /// What rows say of it without a key: rows and destinations, 0 for none; nil if nothing is counted.
    @exclusivity(unchecked) var namings: PairFile?
    /// Of a one-to-one relationship, and of links that several mappings say, what each object leads to in the end, by
    /// arrival; nil for other links.
    @exclusivity(unchecked) var partners: NumberFile?
    /// Whether rows have the places in which they name their destinations.
    var placesRows: Bool { orderColumn != nil && partners == nil }
    /// If rows fill it: by arrival, one more than the place of the payload of the reference that leads nowhere, 0 for none.
    @exclusivity(unchecked) var absences: NumberFile?

    init(column: Int, entityColumn: Int?, orderColumn: Int?, destination: AssembledTable, entity: Int64) {
        self.column = column
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.destination = destination
        self.entity = entity
    }
}

import SQLiteFileBuilder

/// The form of the rows of one stream: the columns and links that they set, and how they change existing objects.
public struct ObjectForm: Sendable {
    /// The rule for an object that already exists.
    public enum MatchRule: Sendable {
        /// The object gets the values and links of the row.
        case update
        /// The object gets values and links only where it has none.
        case fill
        /// The object does not change.
        case skip
    }

    /// The columns for which rows have values, in the order of the bits of `AssembledTable.noteAbsent`.
    public let columns: [Int]
    /// The numbers of the links that rows may have. Their bits come after those of the columns.
    public let links: [Int]
    /// The rule for an object that already exists.
    public let onMatch: MatchRule
    /// The columns whose values may be names of files. The client determines whether two such values are equal.
    public let namingColumns: Set<Int>
    /// The entity number of the rows; nil if it is that of all links that lead to them.
    public let entity: Int64?
    /// The position of the form among the forms of a record, in the order in which their rows are written.
    public let phase: Int
    /// The number of the form's mapping among those of the record. Links are applied in the order of these numbers.
    public let mapping: Int

    /// Creates a form of columns and links, given by their numbers in the table.
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

/// Counts of the rows of a form by their effect on existing objects.
public struct MatchCounts: Sendable, Equatable {
    /// The number of rows that changed an object.
    public var updated: Int64 = 0
    /// The number of rows whose values and links the object already had.
    public var unchanged: Int64 = 0
    /// The number of rows that created their object, although it already existed because later rows, or they
    /// themselves, name it.
    public var makers: Int64 = 0
    /// The number of rows whose object did not change because of `MatchRule.skip`, or that were skipped because they
    /// had no object.
    public var skipped: Int64 = 0
    /// The number of rejected rows.
    public var rejected: Int64 = 0

    /// Creates counts that are all 0.
    public init() {}
}

/// The columns of a to-one link.
final class TableLink {
    let column: Int
    let entityColumn: Int?
    /// The column with the row's place among the objects with the same destination; nil if those have no order.
    let orderColumn: Int?
    /// The destination's table, which the assembly owns. Strong references between tables that link to each other, or
    /// to themselves, would never release the tables, their files and the thread that writes them.
    unowned let destination: AssembledTable
    /// The number that the entity column gets, unless the form of the destination has another one.
    let entity: Int64
    /// Whether rows with another destination do not count as changes of their objects, because all destinations are
    /// determined at the end.
    @exclusivity(unchecked) var isLate = false
    /// The destinations that rows give to the link without a key: arrivals of the rows and the destinations, 0 for no
    /// destination; nil if they are not needed.
    @exclusivity(unchecked) var namings: PairFile?
    /// The final destination of each object, by arrival, for one-to-one relationships and for links that several
    /// mappings set; nil for other links.
    @exclusivity(unchecked) var partners: NumberFile?
    /// Whether the order keys of rows follow the order in which the rows name their destinations.
    var placesRows: Bool { orderColumn != nil && partners == nil }
    /// By arrival, one more than the offset of the payload of a reference without a destination, or 0 if there is no
    /// such reference; nil unless rows fill the link.
    @exclusivity(unchecked) var absences: NumberFile?

    init(column: Int, entityColumn: Int?, orderColumn: Int?, destination: AssembledTable, entity: Int64) {
        self.column = column
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.destination = destination
        self.entity = entity
    }
}

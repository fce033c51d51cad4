/// The way a property is stored in SQL. Names of columns and tables are quoted identifiers.
public enum SQLProperty: Hashable, Sendable {
    /// A column. For an integer, `bounds` is the range of its type, which tells whether its sums can overflow.
    case attribute(column: String, SQLValueKind, bounds: ClosedRange<Int64>? = nil)
    /// A column that holds the destination's primary key.
    case toOne(column: String, destination: Int)
    /// A column of the destination's table that holds this object's primary key, and the column of the position in
    /// an ordered relationship, if known.
    case toMany(inverseColumn: String, destination: Int, order: String? = nil)
    /// A join table of primary key pairs, and the column of the other object's position, if known.
    case manyToMany(table: String, ownColumn: String, otherColumn: String, destination: Int, order: String? = nil)
    /// Several columns, each a property of its own whose name is its path, such as `size.height`.
    case composite
    /// A property without a column, or with a column that SQL cannot interpret. The reason is meant for people.
    case inaccessible(reason: String)
}

/// How a property is stored. Columns and tables are quoted.
public enum SQLProperty: Hashable, Sendable {
    /// A column; of an integer the bounds of its type, which tell whether sums of it can overflow.
    case attribute(column: String, SQLValueKind, bounds: ClosedRange<Int64>? = nil)
    /// A column with the destination's primary key.
    case toOne(column: String, destination: Int)
    /// A column of the destination's table with this object's primary key, and one with its place where that is known.
    case toMany(inverseColumn: String, destination: Int, order: String? = nil)
    /// A table with pairs of primary keys, and the other's place where that is known.
    case manyToMany(table: String, ownColumn: String, otherColumn: String, destination: Int, order: String? = nil)
    /// Several columns: each is a property of its own, whose name is the path to it, `size.height`.
    case composite
    /// Something that has no column, or one that means nothing to SQL; the reason is for people.
    case inaccessible(reason: String)
}

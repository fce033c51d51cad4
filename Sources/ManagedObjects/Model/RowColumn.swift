import PersistentStores

/// The content of a column in a row, independent of the column's name in the store.
enum RowColumn: Hashable, Sendable {
    case attribute(PropertyKey)
    /// The key of a to-one relationship's destination; the slot of its entity follows.
    case toOne(PropertyKey)
    /// The key of the owner in a to-many relationship without an inverse; the slot of its entity follows.
    case owner(PropertyKey)

    /// The number of positions that it takes.
    var width: Int {
        if case .attribute = self { 1 } else { 2 }
    }
}

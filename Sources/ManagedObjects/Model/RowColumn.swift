import PersistentStores

/// What a row holds at a place, whatever the store calls the column.
enum RowColumn: Hashable, Sendable {
    case attribute(PropertyKey)
    /// The key of a to-one relationship's destination; the number of its entity's slot follows.
    case toOne(PropertyKey)
    /// The key of the object that has this one in a to-many relationship without inverse; its entity's slot follows.
    case owner(PropertyKey)

    /// How many places it takes.
    var width: Int {
        if case .attribute = self { 1 } else { 2 }
    }
}

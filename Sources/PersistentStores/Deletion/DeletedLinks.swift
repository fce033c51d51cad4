import ManagedObjectModels
import SQLiteAccess

/// Where the links of a relationship are stored, as SQL over rows `s`.
struct DeletedLinks {
    let relationship: ResolvedRelationship
    let ownerRoot: Int
    let destinationRoot: Int
    /// The table's name.
    let table: String
    let owner: String
    let destination: String
    /// The condition on the rows that hold links of the relationship.
    let condition: String
    /// Whether the rows hold nothing but links.
    let isJoined: Bool
    /// The column that holds the owner's key, if that is not the table's own key.
    let searchedColumn: (table: String, column: String)?

    /// Returns nil if the store does not keep the relationship.
    init?(_ relationship: ResolvedRelationship, _ layout: StoreLayout) {
        guard let place = LinkPlace(relationship, layout: layout) else { return nil }
        self.relationship = relationship
        let entities = layout.model.entities
        ownerRoot = entities[relationship.owner].root
        destinationRoot = entities[relationship.destination].root
        table = "main.\(place.table)"
        owner = "s.\(place.owner)"
        destination = "s.\(place.destination)"
        isJoined = place.kind == .joinTable
        searchedColumn =
            place.kind == .foreignKey
            ? (SQLiteIdentifier.unquoted(place.table), SQLiteIdentifier.unquoted(place.owner)) : nil
        switch place.kind {
        case .joinTable: condition = "1"
        case .toOne, .foreignKey:
            // The table also has rows of other entities of the hierarchy.
            let slot = place.kind == .toOne ? relationship.owner : relationship.destination
            let numbers = entities[slot].subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
            condition = "s.Z_ENT IN (\(numbers))"
        }
    }
}

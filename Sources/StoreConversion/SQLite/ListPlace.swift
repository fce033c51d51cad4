import ManagedObjectModels
import PersistentStores

/// The columns in the rows of a relationship's destinations that hold the links of its lists.
struct ListPlace {
    let table: EntityTable
    let column: EntityColumn
    let entity: EntityColumn?
    let order: EntityColumn?
    /// Whether the objects of the other side contain the link as well.
    let isShared: Bool

    /// Returns nil if the links are stored elsewhere.
    init?(_ relationship: ResolvedRelationship, _ layout: StoreLayout) {
        guard let table = layout.table(ofEntity: relationship.destination) else { return nil }
        let column: EntityColumn?
        switch relationship.storage {
        case .inverseToOne:
            guard let key = relationship.inverse?.key else { return nil }
            column = layout.column(.toOne(key))
            entity = layout.column(.toOneEntity(key))
            order = layout.column(.toOneOrder(key))
            isShared = true
        case .unidirectional:
            let key = relationship.key
            column = layout.column(.unidirectional(key))
            entity = layout.column(.unidirectionalEntity(key))
            order = layout.column(.unidirectionalOrder(key))
            isShared = false
        case .toOne, .joinTable: return nil
        }
        guard let column else { return nil }
        self.table = table
        self.column = column
    }
}

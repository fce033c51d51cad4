import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// A one-to-one relationship of a result, in which the destination of an object must lead back to it.
struct OneToOneRule: Sendable {
    /// The place, `Entity.relationship`.
    let subject: String

    /// The table of the objects that have the relationship.
    let table: EntityTable

    /// The query, from `FROM` on, for the objects `d` whose destination does not lead back to them.
    let oneSided: String

    /// - Parameter copied: conditions that the object `d` was made from an object whose destination did not lead back
    ///   either. Returns nil for a relationship that is not one-to-one, or whose links are not in a table.
    init?(_ relationship: ResolvedRelationship, of layout: StoreLayout, copied: [String]) {
        guard relationship.isOneToOne, let inverse = relationship.inverse,
            let table = layout.table(ofEntity: relationship.owner),
            let other = layout.table(ofEntity: relationship.destination),
            let column = layout.column(.toOne(relationship.key)), let back = layout.column(.toOne(inverse.key))
        else { return nil }
        self.table = table
        subject = "\(layout.model.entities[relationship.owner].name).\(relationship.name)"
        oneSided =
            "FROM main.\(SQLiteIdentifier.quoted(table.name)) d JOIN main.\(SQLiteIdentifier.quoted(other.name)) t "
            + "ON t.Z_PK = d.\(SQLiteIdentifier.quoted(column.name)) WHERE "
            + (["t.\(SQLiteIdentifier.quoted(back.name)) IS NOT d.Z_PK"] + copied.map { "NOT \($0)" })
            .joined(separator: " AND ")
    }
}

extension ResolvedRelationship {
    /// Whether each object belongs to at most one destination, in both directions.
    var isOneToOne: Bool {
        guard isStored, !isToMany, let inverse else { return false }
        return !inverse.isToMany && !inverse.isTransient
    }
}

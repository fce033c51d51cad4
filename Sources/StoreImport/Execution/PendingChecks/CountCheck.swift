import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// A check of how many destinations an object has in one relationship.
final class CountCheck {
    let rule: CountRule
    let relationship: PropertyKey
    /// The column that must have an index, with its table; nil if that is the primary key.
    let indexedColumn: (table: String, column: String)?
    /// Where the store keeps the links.
    let place: LinkPlace
    private let statement: Statement

    /// Creates a check; nil if any number of destinations is allowed, or if the store does not keep the relationship.
    init?(
        _ relationship: ResolvedRelationship, connection: Connection, layout: StoreLayout
    ) throws(SQLiteError) {
        guard let rule = CountRule(relationship), let place = LinkPlace(relationship, layout: layout) else {
            return nil
        }
        self.rule = rule
        self.place = place
        self.relationship = relationship.key
        indexedColumn =
            place.owner == "Z_PK"
            ? nil : (SQLiteIdentifier.unquoted(place.table), SQLiteIdentifier.unquoted(place.owner))
        statement = try connection.prepare(
            "SELECT count(\(place.destination)) FROM \(place.table) WHERE \(place.owner) = ?1", persistent: true)
    }

    func fault(of primaryKey: Int64) throws(SQLiteError) -> ValidationFault? { try rule.fault(count(of: primaryKey)) }

    /// Returns the number of an object's destinations.
    func count(of primaryKey: Int64) throws(SQLiteError) -> Int64 {
        try statement.bindInteger(primaryKey, at: 1)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The checks that are only possible after the policies have ended.
extension PolicyRun {
    /// Checks the required to-one relationships of the entities of which a policy has created objects.
    func checkRequiredRelationships(_ current: Current) throws {
        guard program.isStrict else { return }
        for entity in try writtenEntities(current) {
            guard let table = program.destination.table(ofEntity: entity.slot) else { continue }
            for relationship in entity.relationships
            where relationship.isStored && !relationship.isToMany && !relationship.isOptional {
                guard let column = program.destination.column(.toOne(relationship.key)) else { continue }
                let keys = try connection.rows(
                    "SELECT Z_PK FROM main.\(SQLiteIdentifier.bare(table.name)) WHERE Z_ENT = "
                        + "\(program.destination.entityNumbers[entity.slot]) AND \(SQLiteIdentifier.bare(column.name)) IS NULL LIMIT 1"
                )
                guard let key = keys.first?[0].integer else { continue }
                throw PolicyError(
                    "\(entity.name).\(relationship.name) is required, and leads nowhere from "
                        + destinationID(entity.slot, key).uri)
            }
        }
    }
}

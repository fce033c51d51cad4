import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The objects of a store that are not the source of any entity mapping in a written mapping model.
struct UnmappedObjects {
    let store: SQLiteStore
    let layout: StoreLayout
    let mapping: MappingModel

    /// Returns the number of objects by slot of the source, without entities that have none.
    func counts() throws(SQLiteError) -> [Int: Int64] {
        let mapped = Set(
            mapping.entityMappings.filter { $0.type != .remove && $0.destinationEntityName != nil }
                .compactMap(\.sourceEntityName))
        var result: [Int: Int64] = [:]
        for entity in layout.model.entities where !mapped.contains(entity.name) && !entity.isAbstract {
            guard let table = layout.table(ofEntity: entity.slot) else { continue }
            let count =
                try store.connection.value(
                    "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT = "
                        + "\(layout.entityNumbers[entity.slot])"
                ).integer ?? 0
            if count > 0 { result[entity.slot] = count }
        }
        return result
    }

    func findings(_ counts: [Int: Int64]) -> [MigrationFinding] {
        let named = counts.map { (name: layout.model.entities[$0.key].name, count: $0.value) }
        return named.sorted { $0.name < $1.name }.map { name, count in
            let isAsked = mapping.entityMappings.contains { $0.sourceEntityName == name }
            return MigrationFinding(
                isAsked ? .note : .warning, "objects-dropped", subject: name,
                message: isAsked
                    ? "the mapping model removes the entity, and its objects are dropped"
                    : "no entity mapping has its objects, and they are dropped; add one, or one without a "
                        + "destination if this is intended",
                count: count)
        }
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The end of an import.
extension ImportSession {
    /// Writes the pending links, then the metadata of the store.
    func finish() throws -> ImportReport {
        // No more keys are added, so the memory is available for the indexes.
        for entity in entities { entity.keyHistory = nil }
        try finishAssembly()
        try endLargeLoads()
        try settlement.settle()
        try deleteAbsent()
        try settlement.report()
        for entity in entities {
            for relationship in entity.relationships { try relationship.replacement?.close() }
            try entity.partOwner?.close()
        }
        for keys in sourceKeys.values { try keys.close() }
        try mirror?.close()
        try unproven?.close()
        try taken?.close()
        try RefusedObjects.close(connection, schema: schema)
        try RejectedKeys.close(connection, schema: schema)
        try linkStage.close()
        try history?.finish()
        try keys.store(in: connection)
        for resolver in resolvers {
            let name = layout.model.entities[resolver.slot].name
            if resolver.created > 0 {
                tally[name].inserted += resolver.created
            }
            if resolver.hasDuplicates {
                tally.report.findings.append(
                    "\(name): several objects have the same \(resolver.keyName); links lead to the first")
            }
        }
        return tally.whole
    }
}

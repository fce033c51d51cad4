import CoreData

/// A store of an older version, which Core Data migrates by an inferred mapping if it can.
struct MigrationCase {
    let folder: URL
    let isMigratedByFerry: Bool

    func judge(_ verdict: inout Verdict) throws {
        let old = try OpenedStore.model(folder.appendingPathComponent("Old.mom"))
        let new = try OpenedStore.model(folder.appendingPathComponent("New.mom"))
        let copy = try StoreCopy(of: folder.appendingPathComponent("Old.sqlite"))
        defer { copy.remove() }
        do {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            let opened = try migrated(copy.url, new)
            defer { try? opened.close() }
            if isMigratedByFerry {
                try compareCounts(opened, new, &verdict)
            } else {
                verdict.notes.append("Core Data migrates the store, Ferry refuses to")
            }
        } catch {
            if isMigratedByFerry {
                verdict.failures.append("Ferry migrates the store, Core Data does not: \(error)")
            } else {
                verdict.notes.append("both refuse; Core Data says: \(error.localizedDescription)")
            }
        }
    }

    private func migrated(_ url: URL, _ model: NSManagedObjectModel) throws -> OpenedStore {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        try coordinator.remove(store)
        return try OpenedStore(url, type: "SQLite", model: model, isReadOnly: true)
    }

    private func compareCounts(_ opened: OpenedStore, _ model: NSManagedObjectModel, _ verdict: inout Verdict) throws {
        let ours = try OpenedStore(
            folder.appendingPathComponent("Store.sqlite"), type: "SQLite", model: model, isReadOnly: true)
        defer { try? ours.close() }
        for entity in model.entities where !entity.isAbstract {
            guard let name = entity.name else { continue }
            verdict.expect("objects of \(name)", try opened.objects(of: name).count, try ours.objects(of: name).count)
        }
    }
}

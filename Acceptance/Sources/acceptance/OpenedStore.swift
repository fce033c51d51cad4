import CoreData

/// A store that Core Data has opened, with the model that Ferry compiled.
struct OpenedStore {
    let context: NSManagedObjectContext
    let store: NSPersistentStore

    static func storeType(_ name: String) -> String {
        switch name {
        case "XML": NSXMLStoreType
        case "Binary": NSBinaryStoreType
        default: NSSQLiteStoreType
        }
    }

    static func model(_ url: URL) throws -> NSManagedObjectModel {
        guard let model = NSManagedObjectModel(contentsOf: url) else { throw CocoaError(.fileReadCorruptFile) }
        return model
    }

    /// Without migration: a model that does not fit is an error.
    init(_ url: URL, type: String, model: NSManagedObjectModel, isReadOnly: Bool) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options: [AnyHashable: Any] = [
            NSReadOnlyPersistentStoreOption: isReadOnly, NSMigratePersistentStoresAutomaticallyOption: false,
        ]
        store = try coordinator.addPersistentStore(
            ofType: Self.storeType(type), configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// The objects of one entity, without those of subentities.
    func objects(of entity: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        return try context.fetch(request)
    }

    func close() throws {
        context.reset()
        try context.persistentStoreCoordinator?.remove(store)
    }
}

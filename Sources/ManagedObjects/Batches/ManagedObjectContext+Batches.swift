import ManagedObjectModels
import PersistentStores
import StoreEditing

extension ManagedObjectContext {
    /// Changes objects of the stores at once: one transaction in each store, validated as a whole, or nothing.
    ///
    /// What is in the context plays no part, and is not changed: `mergeChanges(from: result.changes)` takes it over.
    /// - Parameters:
    ///   - request: what is done.
    ///   - stores: only these; nil for all that hold the entity. New objects go to the first of them.
    /// - Throws: `ManagedObjectError` for an entity that is not there or that no store holds, and for a read-only
    ///   store; `ObjectValidationError`, or several; `EditError` for a predicate or an expression that has no meaning;
    ///   `StoreError` if a store cannot be written.
    public func execute(_ request: BatchRequest, affectedStores stores: [PersistentStore]? = nil) throws -> BatchResult
    {
        guard let shape = model.shape(named: request.entityName) else {
            throw ManagedObjectError(.entityUnknown(request.entityName, known: model.resolved.entities.map(\.name)))
        }
        let holding = coordinator.persistentStores.filter { store in
            (stores?.contains { $0 === store } ?? true) && !store.entities.isDisjoint(with: shape.entity.subtree)
        }
        guard let first = holding.first else { throw ManagedObjectError(.storeMissing(entity: shape.name)) }
        switch request {
        case .insert(let name, let objects): return try insert(name, objects, into: first)
        case .update(let name, let filter, let values):
            let assignments = values.sorted { $0.key < $1.key }.map { EditAssignment($0.key, $0.value) }
            return try edit(.update(name, where: filter, set: assignments), holding)
        case .delete(let name, let filter): return try edit(.delete(name, where: filter), holding)
        }
    }

    /// Objects in a context of their own, some at a time in memory, in one save.
    private func insert(
        _ name: String, _ objects: [[String: AttributeValue]], into store: PersistentStore
    ) throws -> BatchResult {
        let context = ManagedObjectContext(coordinator, limits: limits)
        var inserted: [ManagedObject] = []
        for values in objects {
            let object = try context.insert(name)
            for (key, value) in values { try object.setValue(value, forAttribute: key) }
            try context.assign(object, to: store)
            inserted.append(object)
        }
        try context.save()
        return BatchResult(insertedObjectIDs: Set(inserted.map(\.objectID)))
    }

    private func edit(_ step: EditStep, _ stores: [PersistentStore]) throws -> BatchResult {
        var result = BatchResult()
        for store in stores {
            guard !store.options.isReadOnly else { throw ManagedObjectError(.storeReadOnly(store.path)) }
            var options = StoreEditor.Options()
            options.exampleLimit = Int.max
            options.timeout = store.options.timeout
            let report = try StoreEditor(path: store.workingPath, model: model.resolved, options: options).run([step])
            let errors = report.faults.flatMap { fault in
                fault.objects.map { uri in
                    ObjectValidationError(
                        code: fault.code, objectID: ManagedObjectID(uri: uri), entity: fault.entity,
                        key: fault.property, message: fault.message)
                }
            }
            if let error = ObjectValidationErrors.combining(errors) { throw error }
            result.insertedObjectIDs.formUnion(ids(report.inserted))
            result.updatedObjectIDs.formUnion(ids(report.updated))
            result.deletedObjectIDs.formUnion(ids(report.deleted))
            if report.isChange { try store.writeBack() }
        }
        return result
    }

    private func ids(_ objects: [String: EditReport.Objects]) -> [ManagedObjectID] {
        objects.values.flatMap { $0.objects.compactMap { ManagedObjectID(uri: $0) } }
    }
}

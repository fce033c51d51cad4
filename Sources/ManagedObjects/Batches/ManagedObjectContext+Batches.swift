import ManagedObjectModels
import PersistentStores
import StoreEditing

extension ManagedObjectContext {
    /// Changes objects in the stores, in one transaction per store that is validated as a whole; after an error nothing
    /// has changed.
    ///
    /// The objects in the context are neither considered nor changed: use `mergeChanges(from: result.changes)` to
    /// update them.
    /// - Parameters:
    ///   - request: the change.
    ///   - stores: the stores to change; nil for all that have the entity. New objects are inserted into the first one.
    /// - Throws: `ManagedObjectError` for an entity that is unknown or in no store, and for a read-only store;
    ///   `ObjectValidationError`, or several; `EditError` for an invalid predicate or expression; `StoreError` if a
    ///   store cannot be written.
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
        case .insert(_, let objects): return try insert(objects, shape, into: first)
        case .update(let name, let filter, let values):
            let assignments = values.sorted { $0.key < $1.key }.map { EditAssignment($0.key, $0.value) }
            return try edit(holding) { try $0.run([.update(name, where: filter, set: assignments)]) }
        case .delete(let name, let filter):
            return try edit(holding) { try $0.run([.delete(name, where: filter)]) }
        }
    }

    /// Inserts rows without making objects: the program's classes and rules are not used.
    private func insert(
        _ objects: [[String: AttributeValue]], _ shape: EntityShape, into store: PersistentStore
    ) throws -> BatchResult {
        guard !shape.entity.isAbstract else { throw ManagedObjectError(.entityAbstract(shape.name)) }
        let names = Set(objects.lazy.flatMap(\.keys))
        for name in names {
            guard case .attribute(let slot)? = shape.slot(named: name) else {
                throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
            }
            let attribute = shape.attributes[slot]
            guard attribute.position != nil, !attribute.attribute.isDerived else {
                throw ManagedObjectError(.notSettable(name, entity: shape.name))
            }
        }
        let slots = Dictionary(
            shape.attributes.enumerated().map { ($0.element.attribute.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let rows = RowInsertion(of: shape.entity, count: objects.count) { row, attribute in
            guard let value = objects[row][attribute.name], let slot = slots[attribute.name] else { return nil }
            let adapted = StoredForm.adapted(value, to: attribute.type)
            if let refusal = StoredForm.refusal(adapted, as: attribute.type) {
                throw ManagedObjectError(
                    .valueMismatch(attribute.name, entity: shape.name, reason: "object \(row + 1): \(refusal)"))
            }
            return StoredForm.stored(adapted, of: shape.attributes[slot])
        }
        return try edit([store]) { try $0.insert(rows) }
    }

    private func edit(
        _ stores: [PersistentStore], _ work: (StoreEditor) throws -> EditReport
    ) throws -> BatchResult {
        var result = BatchResult()
        for store in stores {
            guard !store.options.isReadOnly else { throw ManagedObjectError(.storeReadOnly(store.path)) }
            var options = StoreEditor.Options()
            options.exampleLimit = Int.max
            options.timeout = store.options.timeout
            options.hasOneNumbering = store.hasOneNumbering
            let report = try work(StoreEditor(path: store.workingPath, model: model.resolved, options: options))
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

import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension MergeConflict.Values {
    /// Makes the values of an object in its context.
    init(_ object: ManagedObject) {
        for (slot, attribute) in object.shape.attributes.enumerated() where attribute.position != nil {
            attributes[attribute.attribute.name] = (try? object.currentValue(slot)) ?? nil
        }
        for (slot, toOne) in object.shape.toOnes.enumerated() where !toOne.isOwner && toOne.position != nil {
            let key = (try? object.toOneKey(slot)) ?? nil
            objects[toOne.relationship.name] = key.flatMap { object.managedObjectContext?.id($0) }
        }
    }

    /// Makes the values of an object's row.
    init(_ object: ManagedObject, _ block: SnapshotBlock, _ row: Int, in context: ManagedObjectContext) {
        let files = context.source.files(of: object.key)
        for attribute in object.shape.attributes {
            guard let position = attribute.position else { continue }
            let value = try? block.value(row, position, attribute.form, files)
            attributes[attribute.attribute.name] = value ?? nil
        }
        for toOne in object.shape.toOnes where !toOne.isOwner {
            guard let position = toOne.position, case .integer(let key) = block.value(row, position) else { continue }
            var entity = toOne.destination
            if case .integer(let slot) = block.value(row, position + 1) { entity = Int(slot) }
            let store = context.model.store(of: block.table)
            let found = ObjectKey(
                table: context.model.table(ofEntity: entity, store: store),
                entity: Int32(truncatingIfNeeded: entity), key: key)
            objects[toOne.relationship.name] = context.id(found)
        }
    }

    /// Returns the values of some properties.
    func only(_ names: [String]) -> MergeConflict.Values {
        var result = MergeConflict.Values()
        for name in names {
            result.attributes[name] = attributes[name]
            result.objects[name] = objects[name]
        }
        return result
    }
}

extension ManagedObjectContext {
    func id(_ key: ObjectKey) -> ManagedObjectID { coordinator.objectID(key, model.shapes[Int(key.entity)]) }
}

extension ManagedObject {
    /// Sets values as changes, for all properties of the object.
    final func take(_ values: MergeConflict.Values) throws {
        let context = try requiredContext()
        for name in values.attributes.keys {
            guard case .attribute? = shape.slot(named: name) else {
                throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
            }
        }
        for name in values.objects.keys { _ = try toOneSlot(name) }
        for (slot, attribute) in shape.attributes.enumerated()
        where attribute.position != nil && !attribute.attribute.isDerived {
            let name = attribute.attribute.name
            let value = values.attributes[name].map { StoredForm.adapted($0, to: attribute.attribute.type) }
            if let value, let refusal = StoredForm.refusal(value, as: attribute.attribute.type) {
                throw mismatch(name, refusal)
            }
            changing().attributes[slot] = .some(value)
        }
        for (slot, toOne) in shape.toOnes.enumerated() where !toOne.isOwner && toOne.position != nil {
            let destination = try values.objects[toOne.relationship.name].map { try context.object(with: $0) }
            try setToOne(slot, to: destination)
            changing().toOnes[slot] = .some(destination?.key)
        }
    }
}

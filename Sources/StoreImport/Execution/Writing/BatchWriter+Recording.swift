import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion
import SQLiteAccess

/// Recording of the values that records give to objects which may have to be restored without other records.
extension BatchWriter {
    /// Records the values that an instance gives to its object.
    func record(_ entity: EntityImport, _ instance: Int, of number: Int64, in arena: [UInt8]) throws {
        guard let unproven else { return }
        let object = entity.object
        let isMade = entity.instances.states[instance] == .inserted
        try unproven.said.append(
            RecordedObject(
                record: number, source: entity.source.index, mapping: entity.index, policy: object.onMatch,
                outcome: isMade ? nil : countKind(entity, instance),
                isWhole: isMade || !lacksSomething(entity, instance),
                cells: cells(of: instance, entity.instances, object, arena)),
            of: entity.instances.primaryKeys[instance], root: object.table.root)
    }

    /// Returns whether an instance cannot create a new object.
    func lacksSomething(_ entity: EntityImport, _ instance: Int) -> Bool {
        entity.object.onMissing != .create || !entity.object.unfilled.isEmpty
            || entity.instances.unfilledName(instance, entity.object) != nil
    }

    /// Returns the values that an instance gives to its object, and the other values that a new object has.
    func cells(
        of instance: Int, _ instances: ObjectInstances, _ object: CompiledObject, _ arena: [UInt8]
    ) -> [RecordedObject.Cell] {
        let skips = object.onMatch == .skip || object.onMatch == .error
        var cells: [RecordedObject.Cell] = []
        for (position, attribute) in object.attributes.enumerated()
        where !isInFile(position, instance, instances, arena) {
            cells.append(
                RecordedObject.Cell(
                    column: SQLiteIdentifier.quoted(attribute.column),
                    value: Self.storedValue(instances.cell(instance, position), attribute, arena),
                    isSaid: !skips && instances.isPresent(instance, position)))
        }
        for (position, relationship) in object.toOnes.enumerated() {
            guard let column = relationship.column else { continue }
            let place = instance * object.toOnes.count + position
            let key = instances.toOneKeys[place]
            let isSaid = !skips && instances.toOnePresent[place]
            cells.append(
                RecordedObject.Cell(
                    column: SQLiteIdentifier.quoted(column), value: key > 0 ? .integer(key) : .null, isSaid: isSaid))
            if let column = relationship.entityColumn {
                cells.append(
                    RecordedObject.Cell(
                        column: SQLiteIdentifier.quoted(column),
                        value: key > 0 ? .integer(instances.toOneEntities[place]) : .null, isSaid: isSaid))
            }
        }
        for other in object.defaults {
            cells.append(
                RecordedObject.Cell(
                    column: SQLiteIdentifier.quoted(other.column), value: other.value.sqliteValue, isSaid: false))
        }
        return cells
    }

    /// Returns whether the bytes of a value are no longer in memory.
    private func isInFile(_ position: Int, _ instance: Int, _ instances: ObjectInstances, _ arena: [UInt8]) -> Bool {
        if instances.file(instance, position) != nil { return true }
        switch instances.cell(instance, position) {
        case .text(let range), .blob(let range): return range.range.upperBound > arena.count
        default: return false
        }
    }

    private static func storedValue(
        _ value: ConvertedValue, _ attribute: CompiledAttribute, _ arena: [UInt8]
    ) -> SQLiteValue {
        if attribute.conversion.target == .decimal, case .text(let range) = value,
            let stored = DecimalConversion.storedNumber(arena.span.extracting(range.range))
        {
            return stored.value.sqliteValue(in: arena)
        }
        return value.sqliteValue(in: arena)
    }
}

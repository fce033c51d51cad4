import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Finds objects that have been changed elsewhere since they were read, and applies the merge policy to them.
final class ConflictSettlement {
    private(set) var conflicts: [MergeConflict] = []
    /// Whether objects have new values, so that they must be validated again.
    var hasChangedObjects = false

    private let context: ManagedObjectContext
    private var checked: Set<ObjectIdentifier> = []
    /// The resolutions of objects that do not follow the context's policy.
    private var resolutions: [ManagedObjectID: MergeResolution] = [:]
    /// A survey of the conflicts for the program to resolve; nil if it does not.
    private let survey: ConflictSettlement?
    /// Whether conflicts are only collected.
    private let isSurvey: Bool

    init(_ context: ManagedObjectContext, isSurvey: Bool = false) {
        self.context = context
        self.isSurvey = isSurvey
        let isAsked = !isSurvey && context.resolvesConflicts != nil
        survey = isAsked ? ConflictSettlement(context, isSurvey: true) : nil
    }

    private func resolution(of object: ManagedObject) -> MergeResolution {
        isSurvey ? .policy(.error) : resolutions[object.objectID] ?? .policy(context.mergePolicy)
    }

    /// Checks the changed and deleted objects of all stores that have not been checked yet.
    func settle(_ stores: [(number: Int, connection: StoreConnection)]) throws {
        if let survey {
            for store in stores { try survey.settle(store.connection, store.number) }
            let found = survey.conflicts
            survey.conflicts = []
            if !found.isEmpty, let answer = try context.resolvesConflicts?(found) {
                resolutions.merge(answer) { $1 }
            }
        }
        for store in stores { try settle(store.connection, store.number) }
    }

    /// Checks the changed and deleted objects of a store that have not been checked yet.
    private func settle(_ connection: StoreConnection, _ store: Int) throws {
        var groups: [Int32: [ManagedObject]] = [:]
        for object in context.updated.objects + context.deleted.objects
        where context.model.store(of: object.key.table) == store && checked.insert(ObjectIdentifier(object)).inserted {
            groups[object.key.table, default: []].append(object)
        }
        for (_, objects) in groups.sorted(by: { $0.key < $1.key }) {
            try source(connection) { try settle(objects, connection) }
        }
    }

    private func source(_ connection: StoreConnection, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SQLiteError {
            throw StoreError(error, path: connection.store.path)
        }
    }

    private func settle(_ objects: [ManagedObject], _ connection: StoreConnection) throws {
        guard let first = objects.first else { return }
        let table = connection.tables[first.shape.rootNumber].table
        var versions: [Int64: Int64] = [:]
        let size = max(1, context.limits.keysPerStatement)
        let marks = repeatElement("?", count: size).joined(separator: ", ")
        for start in stride(from: 0, to: objects.count, by: size) {
            let part = objects[start..<min(start + size, objects.count)]
            let statement = try connection.statement("SELECT Z_PK, Z_OPT FROM \(table) WHERE Z_PK IN (\(marks))")
            defer { statement.reset() }
            for index in 0..<size {
                let object = part[min(part.startIndex + index, part.endIndex - 1)]
                try statement.bindInteger(object.key.key, at: Int32(index + 1))
            }
            while try statement.step() { versions[statement.integer(0)] = statement.integer(1) }
        }
        for object in objects where object.hasChanges {
            // Columns that have not been read must be known from here on.
            if let block = object.block, !block.isLoaded, block.hasRows { try context.source.load(block) }
            // An object whose changes have been undone is as it was read: nothing of it is written.
            guard object.isDeleted || object.state?.isChanged(of: object.shape) ?? false else { continue }
            guard let version = versions[object.key.key] else {
                try settleMissing(object)
                continue
            }
            guard let block = object.block, block.isLoaded, block.has(Int(object.row)),
                block.version(Int(object.row)) != version
            else { continue }
            try settle(object, block, connection)
        }
    }

    // MARK: - Changed elsewhere

    private func settle(_ object: ManagedObject, _ old: SnapshotBlock, _ connection: StoreConnection) throws {
        let new = SnapshotBlock(table: object.key.table, width: object.shape.table.width, awaiting: [object.key.key])
        try connection.load(new, nil)
        let oldRow = Int(object.row)
        let differing = positions(of: object.shape).filter { position in
            old.sqliteValue(oldRow, position) != new.sqliteValue(0, position)
        }
        guard !differing.isEmpty else {
            // The same values were written elsewhere, or only links that are stored in other rows.
            object.block = new
            object.row = 0
            return
        }
        let resolution = resolution(of: object)
        if object.isDeleted {
            guard case .policy(let policy) = resolution else {
                throw ManagedObjectError(
                    .unsupported("\(object.objectID.uri) is deleted here: it cannot be saved with values"))
            }
            switch policy {
            case .error: conflicts.append(conflict(object, old, oldRow, new))
            case .mergeByPropertyObjectTrump, .overwrite: break
            case .mergeByPropertyStoreTrump, .rollback:
                context.turnIntoFault(object)
                hasChangedObjects = true
            }
            return
        }
        switch resolution {
        case .values(let values):
            try object.take(values)
            replace(object, new)
        case .policy(.error):
            conflicts.append(conflict(object, old, oldRow, new))
            return
        case .policy(.mergeByPropertyStoreTrump):
            try take(Set(differing), of: object, from: new)
            replace(object, new)
        case .policy(.mergeByPropertyObjectTrump): replace(object, new)
        case .policy(.overwrite):
            try keepAll(object)
            replace(object, new)
        case .policy(.rollback):
            try context.dropChanges(of: object) { replace(object, new) }
        }
        context.wake(object, .mergePolicy)
        hasChangedObjects = true
    }

    /// Returns the positions of the object's own values.
    private func positions(of shape: EntityShape) -> [Int] {
        shape.attributes.filter { !$0.attribute.isDerived }.compactMap(\.position) + shape.toOnes.compactMap(\.position)
    }

    /// Drops changes of properties that have also changed in the store.
    private func take(_ positions: Set<Int>, of object: ManagedObject, from new: SnapshotBlock) throws {
        guard let state = object.state else { return }
        for (slot, _) in state.attributes.entries {
            if let position = object.shape.attributes[slot].position, positions.contains(position) {
                state.attributes[slot] = nil
            }
        }
        for (slot, _) in state.toOnes.entries {
            guard let position = object.shape.toOnes[slot].position, positions.contains(position) else { continue }
            let key = self.key(new, position, object.shape.toOnes[slot])
            try context.setToOne(object, slot, to: key.map { context.object($0) })
            object.state?.toOnes[slot] = nil
        }
    }

    private func key(_ block: SnapshotBlock, _ position: Int, _ toOne: EntityShape.ToOne) -> ObjectKey? {
        guard case .integer(let key) = block.value(0, position) else { return nil }
        var entity = toOne.destination
        if case .integer(let slot) = block.value(0, position + 1) { entity = Int(slot) }
        let store = context.model.store(of: block.table)
        return ObjectKey(
            table: context.model.table(ofEntity: entity, store: store), entity: Int32(truncatingIfNeeded: entity),
            key: key)
    }

    /// Gives an object the row that the store now has, and keeps its changes.
    private func replace(_ object: ManagedObject, _ new: SnapshotBlock) {
        for (slot, toOne) in object.shape.toOnes.enumerated() where object.state?.toOnes[slot] == nil {
            guard let position = toOne.position else { continue }
            // Both ends of a link that has moved in the store must be read again.
            for key in [object.storedToOne(slot), key(new, position, toOne)] {
                guard let key, let other = context.registry[key],
                    case .toMany(let inverse) = other.shape.slot(of: toOne.inverse),
                    var links = other.state?.toManys[inverse], links.order == nil
                else { continue }
                links.base = nil
                other.state?.toManys[inverse] = links
            }
        }
        object.block = new
        object.row = 0
        guard let state = object.state else { return }
        for (slot, value) in state.attributes.entries where object.shape.attributes[slot].position != nil {
            object.write(slot, value)
        }
        for (slot, key) in state.toOnes.entries { object.write(toOne: slot, key) }
    }

    /// Turns all values of an object into changes, so that they are written whatever the store has.
    private func keepAll(_ object: ManagedObject) throws {
        for (slot, attribute) in object.shape.attributes.enumerated()
        where attribute.position != nil && !attribute.attribute.isDerived {
            let value = try object.currentValue(slot)
            object.changing().attributes[slot] = .some(value)
        }
        for (slot, toOne) in object.shape.toOnes.enumerated() where toOne.position != nil {
            let key = try object.toOneKey(slot)
            object.changing().toOnes[slot] = .some(key)
        }
    }

    // MARK: - Deleted elsewhere

    private func settleMissing(_ object: ManagedObject) throws {
        // Deleted here as well: there is no conflict.
        guard !object.isDeleted else { return }
        guard hasOwnChanges(object) else {
            // The deletion in the store is accepted.
            context.drop(object)
            context.unregister(object)
            return
        }
        let resolution = resolution(of: object)
        switch resolution {
        case .policy(.error):
            let block = object.block.flatMap { $0.isLoaded && $0.has(Int(object.row)) ? $0 : nil }
            conflicts.append(conflict(object, block, Int(object.row), nil))
        case .policy(.mergeByPropertyObjectTrump), .policy(.overwrite), .values:
            // A save that failed later has already done this.
            guard !object.flags.contains(.restored) else { return }
            guard let block = object.block, block.isLoaded, block.has(Int(object.row)) else {
                conflicts.append(conflict(object, nil, 0, nil))
                return
            }
            try keepAll(object)
            if case .values(let values) = resolution { try object.take(values) }
            object.block = nil
            object.flags.insert(.restored)
            hasChangedObjects = true
        case .policy(.mergeByPropertyStoreTrump), .policy(.rollback):
            try context.delete(object)
            hasChangedObjects = true
        }
    }

    private func hasOwnChanges(_ object: ManagedObject) -> Bool {
        guard let state = object.state else { return false }
        return state.attributes.entries.contains { object.shape.attributes[$0.slot].position != nil }
            || !state.toOnes.isEmpty || state.toManys.entries.contains { !$0.value.added.isEmpty }
    }

    // MARK: - Reporting

    private func conflict(
        _ object: ManagedObject, _ old: SnapshotBlock?, _ row: Int, _ new: SnapshotBlock?
    ) -> MergeConflict {
        MergeConflict(
            objectID: object.objectID, oldVersion: old?.version(row) ?? 0, newVersion: new?.version(0) ?? 0,
            objectValues: object.isDeleted ? nil : MergeConflict.Values(object),
            snapshot: old.map { MergeConflict.Values(object, $0, row, in: context) } ?? .init(),
            storeValues: new.map { MergeConflict.Values(object, $0, 0, in: context) })
    }
}

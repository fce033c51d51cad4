import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Objects that will have equal values under a uniqueness constraint after a save.
struct EqualObjects {
    /// The values that a constraint compares.
    struct Key: Hashable {
        enum Part: Hashable {
            case value(SQLiteValue)
            case object(ObjectKey)
        }

        let entity: Int
        let names: [String]
        let parts: [Part]

        /// Returns nil if one of the values is missing, since NULL is not equal to anything.
        init?(_ object: ManagedObject, _ constraint: UniquenessConstraint) throws {
            entity = constraint.entity
            names = constraint.names
            var parts: [Part] = []
            for slot in constraint.slots {
                switch slot {
                case .attribute(let slot):
                    let value = StoredForm.stored(try object.currentValue(slot), of: object.shape.attributes[slot])
                    guard value != .null else { return nil }
                    parts.append(.value(value))
                case .toOne(let slot):
                    guard let key = try object.toOneKey(slot) else { return nil }
                    parts.append(.object(key))
                case .toMany, .fetched: return nil
                }
            }
            self.parts = parts
        }

        /// The values of the columns of an equal stored object; nil if no stored object can be equal.
        var columns: [SQLiteValue]? {
            var values: [SQLiteValue] = []
            for part in parts {
                switch part {
                case .value(let value): values.append(value)
                case .object(let key):
                    guard !key.isTemporary else { return nil }
                    values.append(.integer(key.key))
                }
            }
            return values
        }
    }

    let constraint: UniquenessConstraint
    /// The object that has the values in the store, and keeps them.
    var holder: ManagedObject?
    /// The new objects and those whose values have changed, in this order.
    var changed: [ManagedObject]

    /// Returns the groups of a store, in the order of their first objects.
    ///
    /// - Parameter isHere: returns whether an object is in the store, or will be.
    static func all(
        in context: ManagedObjectContext, _ connection: StoreConnection, where isHere: (ManagedObject) -> Bool
    ) throws -> [EqualObjects] {
        var places: [Key: Int] = [:]
        var keys: [Key] = []
        var groups: [EqualObjects] = []
        for object in context.inserted.objects + context.updated.objects where isHere(object) {
            for constraint in object.shape.constraints where object.sets(constraint) {
                guard let key = try Key(object, constraint) else { continue }
                if let place = places[key] {
                    groups[place].changed.append(object)
                } else {
                    places[key] = groups.count
                    keys.append(key)
                    groups.append(EqualObjects(constraint: constraint, changed: [object]))
                }
            }
        }
        for (index, key) in keys.enumerated() {
            groups[index].holder = try holder(of: key, groups[index], context, connection)
        }
        return groups.filter { $0.changed.count + ($0.holder == nil ? 0 : 1) > 1 }
    }

    private static func holder(
        of key: Key, _ group: EqualObjects, _ context: ManagedObjectContext, _ connection: StoreConnection
    ) throws -> ManagedObject? {
        guard let shape = group.changed.first?.shape, let values = key.columns else { return nil }
        let table = connection.tables[shape.rootNumber]
        var columns: [String] = []
        for slot in group.constraint.slots {
            guard let position = shape.position(of: slot), let column = table.columns[position] else { return nil }
            columns.append("\(column) = ?")
        }
        let statement = try connection.statement(
            "SELECT Z_PK, Z_ENT FROM \(table.table) WHERE " + columns.joined(separator: " AND "))
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            guard let slot = connection.slot(ofNumber: statement.integer(1)) else { continue }
            let found = ObjectKey(
                table: context.model.table(ofEntity: slot, store: connection.store.number),
                entity: Int32(truncatingIfNeeded: slot), key: statement.integer(0))
            if let known = context.registry[found], known.isDeleted || known.sets(group.constraint) { continue }
            return context.object(found)
        }
        return nil
    }
}

extension EntityShape {
    func position(of slot: PropertySlot) -> Int? {
        switch slot {
        case .attribute(let slot): attributes[slot].position
        case .toOne(let slot): toOnes[slot].position
        case .toMany, .fetched: nil
        }
    }
}

extension ManagedObject {
    /// Returns whether the next save sets a value that a constraint compares.
    final func sets(_ constraint: UniquenessConstraint) -> Bool {
        guard !isInserted, !flags.contains(.restored) else { return true }
        return constraint.slots.contains { slot in
            switch slot {
            case .attribute(let slot): state?.attributes[slot] != nil
            case .toOne(let slot): state?.toOnes[slot] != nil
            case .toMany, .fetched: false
            }
        }
    }
}

import ManagedObjectModels

/// One change that can be undone.
enum ChangeAction {
    case insertion(ManagedObject)
    case deletion(ManagedObject, wasInserted: Bool)
    case attribute(ManagedObject, Int, old: AttributeValue?, new: AttributeValue?)
    case toOne(ManagedObject, Int, old: ObjectKey?, new: ObjectKey?)
    case addition(ManagedObject, Int, ObjectKey)
    /// With the objects before the removal, if their order matters.
    case removal(ManagedObject, Int, ObjectKey, from: [ObjectKey])
    case order(ManagedObject, Int, old: [ObjectKey], new: [ObjectKey])

    /// The object that has changed.
    var object: ManagedObject {
        switch self {
        case .insertion(let object), .deletion(let object, _), .attribute(let object, _, _, _),
            .toOne(let object, _, _, _), .addition(let object, _, _), .removal(let object, _, _, _),
            .order(let object, _, _, _):
            object
        }
    }

    /// Returns the change with the new keys of objects that have been saved.
    func replacingKeys(_ keys: [ObjectKey: ObjectKey]) -> ChangeAction {
        func new(_ key: ObjectKey) -> ObjectKey { keys[key] ?? key }
        switch self {
        case .insertion, .deletion, .attribute: return self
        case .toOne(let object, let slot, let old, let value):
            return .toOne(object, slot, old: old.map(new), new: value.map(new))
        case .addition(let object, let slot, let key): return .addition(object, slot, new(key))
        case .removal(let object, let slot, let key, let keys):
            return .removal(object, slot, new(key), from: keys.map(new))
        case .order(let object, let slot, let old, let order):
            return .order(object, slot, old: old.map(new), new: order.map(new))
        }
    }
}

import ManagedObjectModels
import PersistentStores
import PredicateExpressions

/// Resolves the names in an expression over objects of a context; a slot is the index of a property's name in a list.
struct LiveNames: NameResolver {
    private let coordinator: PersistentStoreCoordinator
    private let shape: EntityShape
    /// The names; the first one stands for the object itself.
    private(set) var names = [""]

    init(_ coordinator: PersistentStoreCoordinator, _ shape: EntityShape) {
        self.coordinator = coordinator
        self.shape = shape
    }

    mutating func slot(of path: ArraySlice<String>, from start: NameStart) throws -> ResolvedName? {
        switch start {
        case .evaluatedObject:
            guard let first = path.first else { return ResolvedName(slot: 0, keyCount: 0) }
            guard shape.slot(named: first) != nil else {
                throw ManagedObjectError(.propertyUnknown(first, entity: shape.name))
            }
            return ResolvedName(slot: slot(first))
        case .object:
            guard let key = path.first, coordinator.model.hasProperty(named: key) else { return nil }
            return ResolvedName(slot: slot(key))
        case .variable: return nil
        }
    }

    private mutating func slot(_ name: String) -> Int {
        if let known = names.firstIndex(of: name) { return known }
        names.append(name)
        return names.count - 1
    }

    func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        guard let id = ManagedObjectID(temporaryURI: uri) ?? ManagedObjectID(uri: uri),
            let key = coordinator.key(of: id)
        else { return .failure(EvaluationFault(.objectIDInvalid, "\(uri) is not the ID of an object of these stores")) }
        return .success(ObjectReference(entity: key.table, key: key.key))
    }
}

import PersistentStores
import PredicateExpressions

/// Object IDs in a predicate, as one store understands them: an object that is not saved, or is another store's, is one
/// that the store does not have.
struct StoreObjects {
    private let store: PersistentStore
    private let coordinator: PersistentStoreCoordinator

    init(_ store: PersistentStore, _ coordinator: PersistentStoreCoordinator) {
        self.store = store
        self.coordinator = coordinator
    }

    func translated(_ predicate: Predicate) -> Predicate {
        predicate.replacing { expression, _ in
            guard case .constant(let value) = expression, let other = translated(value) else { return nil }
            return .constant(other)
        }
    }

    /// nil for what stays as it is.
    private func translated(_ value: ConstantValue) -> ConstantValue? {
        switch value {
        case .string(let text): return id(text).map { .string($0) }
        case .array(let values): return .array(values.map { translated($0) ?? $0 })
        case .set(let values): return .set(values.map { translated($0) ?? $0 })
        default: return nil
        }
    }

    private func id(_ text: String) -> String? {
        guard text.hasPrefix("x-coredata://") else { return nil }
        if let unsaved = ManagedObjectID(temporaryURI: text) {
            return "x-coredata://\(store.uuid)/\(unsaved.entityName)/p\(unsaved.primaryKey)"
        }
        guard let id = ManagedObjectID(uri: text), id.storeUUID.uppercased() != store.uuid.uppercased(),
            coordinator.store(withUUID: id.storeUUID) != nil
        else { return nil }
        // No row has the key 0.
        return "x-coredata://\(store.uuid)/\(id.entityName)/p0"
    }
}

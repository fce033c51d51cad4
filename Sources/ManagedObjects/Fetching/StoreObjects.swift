import PersistentStores
import PredicateExpressions

/// Translates object IDs in a predicate for one store: an object that is unsaved, or in another store, becomes one that
/// the store does not have.
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

    /// Returns nil for a value that is not changed.
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
        let entity: String
        if let unsaved = ManagedObjectID(temporaryURI: text) {
            entity = unsaved.entityName
        } else {
            guard let id = ManagedObjectID(uri: text), id.storeUUID.uppercased() != store.uuid.uppercased(),
                coordinator.store(withUUID: id.storeUUID) != nil
            else { return nil }
            entity = id.entityName
        }
        return ManagedObjectID(storeUUID: store.uuid, entityName: entity, primaryKey: Self.absentKey).uri
    }

    /// A key that neither a row nor a link has. Stores assign keys from 1 on, and other writers cannot know this
    /// process's number.
    private static let absentKey = -Int64.random(in: (1 << 40)...Int64.max)
}

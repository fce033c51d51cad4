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

    /// A key that no row has, and no column of a link. Stores count from 1, and whoever writes others by hand does not
    /// know the number of this process.
    private static let absentKey = -Int64.random(in: (1 << 40)...Int64.max)
}

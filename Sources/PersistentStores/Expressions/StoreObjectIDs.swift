public import ManagedObjectModels
public import PredicateExpressions

/// Finds the objects of a store by the IDs that occur in expressions, `x-coredata://STORE/Entity/p1`.
public struct StoreObjectIDs: Sendable {
    private let model: ResolvedModel
    private let storeUUID: String?
    private let siblingUUIDs: Set<String>

    /// Prepares to find the objects of a store.
    /// - Parameters:
    ///   - model: the model of the store.
    ///   - storeUUID: the UUID of the store; nil if IDs cannot be resolved.
    ///   - siblingUUIDs: the UUIDs of stores that are fetched from together with this one: the IDs of their objects are
    ///     accepted, and match no object of this store.
    public init(model: ResolvedModel, storeUUID: String?, siblingUUIDs: Set<String> = []) {
        self.model = model
        self.storeUUID = storeUUID
        self.siblingUUIDs = Set(siblingUUIDs.map { $0.uppercased() })
    }

    /// The key that stands for objects of other stores; no row has it.
    private static let foreignKey: Int64 = -1

    /// Returns the object with its root entity's slot, which is shared by all objects of a table; whether the row
    /// exists is not checked.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        guard let storeUUID else { return failure("objects are not known by their IDs here") }
        guard let id = ManagedObjectID(uri: uri) else {
            return failure("\(uri) is not the ID of a saved object, x-coredata://\(storeUUID)/Entity/p1")
        }
        let isOwn = id.storeUUID.uppercased() == storeUUID.uppercased()
        guard isOwn || siblingUUIDs.contains(id.storeUUID.uppercased()) else {
            return failure(
                siblingUUIDs.isEmpty
                    ? "\(uri) is an object of another store; this one is \(storeUUID)"
                    : "\(uri) is not an object of one of the stores")
        }
        guard let entity = model.entity(named: id.entityName) else {
            return failure("\(uri) is an object of \(id.entityName), and the model has no such entity")
        }
        return .success(ObjectReference(entity: Int32(entity.root), key: isOwn ? id.primaryKey : Self.foreignKey))
    }

    private func failure(_ detail: String) -> Result<ObjectReference, EvaluationFault> {
        .failure(EvaluationFault(.objectIDInvalid, detail))
    }
}

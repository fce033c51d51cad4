public import ManagedObjectModels
public import PredicateExpressions

/// Finds the objects of a store by the IDs that stand in expressions, `x-coredata://STORE/Entity/p1`.
public struct StoreObjectIDs: Sendable {
    private let model: ResolvedModel
    private let storeUUID: String?
    private let siblingUUIDs: Set<String>

    /// Prepares to find the objects of a store.
    /// - Parameters:
    ///   - model: the model of the store.
    ///   - storeUUID: the store whose objects are meant; nil if IDs have no meaning.
    ///   - siblingUUIDs: other stores that are asked together with it: the IDs of their objects are
    ///     understood, and name no object of this one.
    public init(model: ResolvedModel, storeUUID: String?, siblingUUIDs: Set<String> = []) {
        self.model = model
        self.storeUUID = storeUUID
        self.siblingUUIDs = Set(siblingUUIDs.map { $0.uppercased() })
    }

    /// The key of objects of other stores, which no row has.
    private static let foreignKey: Int64 = -1

    /// The object with its root entity's slot, as all of a table have; whether there is such a row is not asked.
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

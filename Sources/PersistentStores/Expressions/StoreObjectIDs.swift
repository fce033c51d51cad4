public import ManagedObjectModels
public import PredicateExpressions

/// Finds the objects of a store by the IDs that stand in expressions, `x-coredata://STORE/Entity/p1`.
public struct StoreObjectIDs: Sendable {
    private let model: ResolvedModel
    private let storeUUID: String?

    /// Prepares to find the objects of a store.
    /// - Parameters:
    ///   - model: the model of the store.
    ///   - storeUUID: the store whose objects are meant; nil if IDs have no meaning.
    public init(model: ResolvedModel, storeUUID: String?) {
        self.model = model
        self.storeUUID = storeUUID
    }

    /// The object with its root entity's slot, as all of a table have; whether there is such a row is not asked.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        guard let storeUUID else { return failure("objects are not known by their IDs here") }
        guard let id = ManagedObjectID(uri: uri) else {
            return failure("\(uri) is not the ID of a saved object, x-coredata://\(storeUUID)/Entity/p1")
        }
        guard id.storeUUID.uppercased() == storeUUID.uppercased() else {
            return failure("\(uri) is an object of another store; this one is \(storeUUID)")
        }
        guard let entity = model.entity(named: id.entityName) else {
            return failure("\(uri) is an object of \(id.entityName), and the model has no such entity")
        }
        return .success(ObjectReference(entity: Int32(entity.root), key: id.primaryKey))
    }

    private func failure(_ detail: String) -> Result<ObjectReference, EvaluationFault> {
        .failure(EvaluationFault(.objectIDInvalid, detail))
    }
}

/// The tables and columns of entities and properties. The schema defines the numbers of entities.
public protocol SQLSchema: Sendable {
    /// Returns the table with the rows of an entity.
    func table(of entity: Int) -> SQLTable
    /// Returns the property; nil if the entity has no property of this name.
    func property(_ name: String, of entity: Int) -> SQLProperty?
    /// Returns the entity and the primary key of the object with an ID, `x-coredata://STORE/Entity/p1`; otherwise the
    /// reason for the failure.
    func object(at uri: String) -> Result<ObjectReference, EvaluationFault>
}

extension SQLSchema {
    /// Returns a failure, since IDs are not supported by default.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        .failure(.objectIDsUnknown)
    }
}

/// Where entities and properties lie in a database. Entities are numbers of the schema's own.
public protocol SQLSchema: Sendable {
    /// The table that has the rows of an entity.
    func table(of entity: Int) -> SQLTable
    /// The property; nil if the entity has no property of this name.
    func property(_ name: String, of entity: Int) -> SQLProperty?
    /// The entity and the primary key of the object with an ID, `x-coredata://STORE/Entity/p1`; else why there is none.
    func object(at uri: String) -> Result<ObjectReference, EvaluationFault>
}

extension SQLSchema {
    /// No object: IDs have no meaning unless the schema says otherwise.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> {
        .failure(.objectIDsUnknown)
    }
}

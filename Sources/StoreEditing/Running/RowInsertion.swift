package import ManagedObjectModels
package import SQLiteAccess

/// New objects of an entity, inserted as one edit; their values are requested one after the other.
package struct RowInsertion: EditWork {
    let entity: ResolvedEntity
    let count: Int
    let value: (_ row: Int, _ attribute: ResolvedAttribute) throws -> SQLiteValue?

    /// - Parameter value: returns the value of an object's column; nil for the default of the model.
    package init(
        of entity: ResolvedEntity, count: Int,
        value: @escaping (_ row: Int, _ attribute: ResolvedAttribute) throws -> SQLiteValue?
    ) {
        self.entity = entity
        self.count = count
        self.value = value
    }

    func run(_ transaction: EditTransaction) throws {
        guard count > 0 else { return }
        guard try transaction.insert(self) != nil else {
            throw EditError(.insert(entity.name, set: [], link: []), "there are no more keys for its objects")
        }
    }
}

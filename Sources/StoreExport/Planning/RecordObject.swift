import ManagedObjectModels
import PredicateExpressions
import StoreFetching
import StoreImport

/// One of the objects that a whole record makes, and how it is reached from the one that has the record.
struct RecordObject {
    let mapping: ObjectMapping
    let entity: ResolvedEntity
    /// The to-one relationships that lead to it, each with a point behind it.
    var path = ""
    /// Whether the way begins at the related object of a pair.
    var isRelated = false
    /// The relationship that leads to it, and the entity that has it; nil for the record's own object.
    var relationship: ResolvedRelationship?
    var owner: ResolvedEntity?

    /// A property of the object.
    func content(_ name: String) -> FetchedProperty.Content {
        let value = Expression.keyPath(path + name)
        return isRelated ? .related(value) : .expression(value)
    }

    /// The object itself, where it may be missing.
    var presence: FetchedProperty.Content? {
        guard !path.isEmpty else { return nil }
        let value = Expression.keyPath(String(path.dropLast()))
        return isRelated ? .related(value) : .expression(value)
    }
}

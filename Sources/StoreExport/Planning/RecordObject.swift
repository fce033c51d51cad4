import ImportMappings
import ManagedObjectModels
import PredicateExpressions
import StoreFetching

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
    func content(_ name: String) -> FetchedProperty.Content { content(at: path + name) }

    /// The object itself, where it may be missing.
    var presence: FetchedProperty.Content? { path.isEmpty ? nil : content(at: String(path.dropLast())) }

    private func content(at path: String) -> FetchedProperty.Content {
        isRelated ? .related(.keyPath(path)) : .expression(.keyPath(path))
    }
}

import ImportMappings
import ManagedObjectModels
import PredicateExpressions
import StoreFetching

/// One of the objects that a complete record creates, and the way from the record's own object to it.
struct RecordObject {
    let mapping: ObjectMapping
    let entity: ResolvedEntity
    /// The to-one relationships that lead to it, each followed by a period.
    var path = ""
    /// Whether the way begins at the related object of a pair.
    var isRelated = false
    /// The relationship that leads to it, with its entity; nil for the record's own object.
    var relationship: ResolvedRelationship?
    var owner: ResolvedEntity?

    /// Returns a property of the object.
    func content(_ name: String) -> FetchedProperty.Content { content(at: path + name) }

    /// The object itself, if it may be missing.
    var presence: FetchedProperty.Content? { path.isEmpty ? nil : content(at: String(path.dropLast())) }

    private func content(at path: String) -> FetchedProperty.Content {
        isRelated ? .related(.keyPath(path)) : .expression(.keyPath(path))
    }
}

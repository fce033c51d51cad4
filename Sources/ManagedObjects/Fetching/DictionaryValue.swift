public import ManagedObjectModels
public import PersistentStores

/// A value of a dictionary result.
public enum DictionaryValue: Sendable, Hashable {
    /// The value of an attribute, an expression or an aggregate.
    case attribute(AttributeValue)
    /// The destination of a to-one relationship, or the object itself.
    case objectID(ManagedObjectID)
    /// The values at the end of a path through a to-many relationship.
    case list([DictionaryValue])
}

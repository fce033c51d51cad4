public import ManagedObjectModels
public import PersistentStores

/// A value of a dictionary result.
public enum DictionaryValue: Sendable, Hashable {
    case attribute(AttributeValue)
    /// Of a to-one relationship, or the object itself.
    case objectID(ManagedObjectID)
    /// Of a path through a to-many relationship.
    case list([DictionaryValue])
}

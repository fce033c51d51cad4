public import ManagedObjectModels

/// A change of many objects in the stores at once, without loading them into a context. Predicates and expressions are
/// texts of the predicate format language.
public enum BatchRequest: Sendable, Hashable {
    /// Inserts objects with these values; other properties get the defaults of the model. No objects are made in a
    /// context, so hooks of classes and `ObjectValidators` are not called.
    case insert(String, objects: [[String: AttributeValue]])
    /// Sets attributes of the objects that satisfy a predicate to the values of expressions over the objects.
    case update(String, where: String, set: [String: String])
    /// Deletes objects by the delete rules of their relationships.
    case delete(String, where: String)

    /// The name of the entity whose objects are changed.
    public var entityName: String {
        switch self {
        case .insert(let name, _), .update(let name, _, _), .delete(let name, _): name
        }
    }
}

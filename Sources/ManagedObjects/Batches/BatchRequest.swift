public import ManagedObjectModels

/// A change of many objects of the stores at once, without objects in a context. Predicates and expressions are texts
/// of the format language.
public enum BatchRequest: Sendable, Hashable {
    /// Makes objects with these values; what is not named has the default of the model. There are no objects of a
    /// context, so that hooks of classes and `ObjectValidators` play no part.
    case insert(String, objects: [[String: AttributeValue]])
    /// Sets attributes of the objects that satisfy a predicate to the values of expressions over what they hold.
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

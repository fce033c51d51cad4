public import PersistentStores

/// One change to the objects of a store. Predicates and expressions are texts in the predicate format language.
public enum EditStep: Sendable, Hashable {
    /// Sets attributes of the objects that satisfy a predicate to the values of expressions over the objects, or to
    /// values in JSON.
    case update(String, where: String, set: [EditAssignment])
    /// Deletes objects by the delete rules of their relationships; links that no rule reaches are kept or removed.
    case delete(String, where: String, unlinking: LinkRemoval = .byDeleteRules)
    /// Inserts one object: with the defaults of the model, then assignments over these, then links.
    case insert(String, set: [EditAssignment], link: [EditLink])
    /// Links the objects that satisfy `where` with the destination objects that satisfy `to`.
    case relate(String, relationship: String, where: String, to: String)
    /// Removes links between such objects; if `to` is nil, all links of the relationship.
    case unrelate(String, relationship: String, where: String, to: String?)

    /// The predicate that all objects satisfy.
    public static let all = "TRUEPREDICATE"

    /// The name of the entity whose objects the step changes.
    public var entityName: String {
        switch self {
        case .update(let name, _, _), .delete(let name, _, _), .insert(let name, _, _), .relate(let name, _, _, _),
            .unrelate(let name, _, _, _):
            name
        }
    }
}

extension EditStep: CustomStringConvertible {
    public var description: String {
        func list(_ parts: [String]) -> String { parts.isEmpty ? "" : ", set " + parts.joined(separator: ", ") }
        func those(_ filter: String) -> String { filter == Self.all ? "" : " where \(filter)" }
        switch self {
        case .update(let entity, let filter, let values):
            return "update \(entity)" + those(filter) + list(values.map(\.text))
        case .delete(let entity, let filter, let links):
            return "delete \(entity)" + those(filter) + (links == .all ? ", unlink" : "")
        case .insert(let entity, let values, let links):
            return "insert \(entity)" + list(values.map(\.text))
                + links.map { ", link \($0.relationship) to \($0.destinations)" }.joined()
        case .relate(let entity, let relationship, let filter, let destinations):
            return "relate \(entity).\(relationship)" + those(filter) + " to \(destinations)"
        case .unrelate(let entity, let relationship, let filter, let destinations):
            return "unrelate \(entity).\(relationship)" + those(filter) + (destinations.map { " to \($0)" } ?? "")
        }
    }
}

/// A relationship of a new object, and a predicate that selects its destinations.
public struct EditLink: Sendable, Hashable {
    /// The relationship's name.
    public let relationship: String
    /// The predicate that selects the destinations, in the predicate format language.
    public let destinations: String

    /// Makes a link from a relationship and a predicate.
    public init(_ relationship: String, to destinations: String) {
        self.relationship = relationship
        self.destinations = destinations
    }
}

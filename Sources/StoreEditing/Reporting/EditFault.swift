import PersistentStores

/// A rule of the model that the edited objects break: nothing is committed then.
public struct EditFault: Codable, Hashable, Sendable {
    /// Cocoa's error number (docs/format/errors.md).
    public let code: Int
    /// The entity whose objects break the rule; several have commas between.
    public let entity: String
    /// The property whose rule they break; empty if there is none.
    public let property: String
    /// What is wrong.
    public let message: String
    /// How many objects break the rule.
    public let count: Int64
    /// The URIs of the first of them.
    public let objects: [String]

    /// The fault in one sentence.
    var reason: String {
        "\(entity).\(property): \(message) (error \(code); \(Quantity.count(count, "object"))"
            + (objects.first.map { ", the first is \($0)" } ?? "") + ")"
    }
}

import PersistentStores

/// A rule of the model that edited objects violate, because of which nothing is committed.
public struct EditFault: Codable, Hashable, Sendable {
    /// Cocoa's error number (docs/format/errors.md).
    public let code: Int
    /// The entity whose objects violate the rule; several are separated by commas.
    public let entity: String
    /// The property that the rule belongs to; empty if there is none.
    public let property: String
    /// The problem, as text.
    public let message: String
    /// The number of objects that violate the rule.
    public let count: Int64
    /// The URIs of the first of them.
    public let objects: [String]

    /// The fault in one sentence.
    var reason: String {
        "\(entity).\(property): \(message) (error \(code); \(Quantity.count(count, "object"))"
            + (objects.first.map { ", the first is \($0)" } ?? "") + ")"
    }
}

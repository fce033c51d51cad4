public import ManagedObjectModels

/// What a value that Swift computes is for.
public struct ValueUse: Sendable {
    /// The type of the attribute that takes it.
    public let type: AttributeType
    /// The mapping or edit and the property, for errors.
    public let subject: String
    /// The mapping or edit, whose reasons are collected.
    public let group: String
    /// Why SQL cannot compute it.
    public let reason: String

    /// Describes a value that Swift computes.
    public init(type: AttributeType, subject: String, group: String, reason: String) {
        self.type = type
        self.subject = subject
        self.group = group
        self.reason = reason
    }
}

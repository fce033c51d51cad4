public import ManagedObjectModels

/// The purpose of a value that Swift computes.
public struct ValueUse: Sendable {
    /// The type of the attribute that the value is stored in.
    public let type: AttributeType
    /// The mapping or edit and the property, for error messages.
    public let subject: String
    /// The mapping or edit for which reasons are collected.
    public let group: String
    /// Why SQL cannot compute the value.
    public let reason: String

    /// Describes a value that Swift computes.
    public init(type: AttributeType, subject: String, group: String, reason: String) {
        self.type = type
        self.subject = subject
        self.group = group
        self.reason = reason
    }
}

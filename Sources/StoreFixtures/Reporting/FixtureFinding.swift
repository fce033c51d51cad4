/// A deviation from the request, or other information.
public struct FixtureFinding: Sendable, Hashable, Encodable {
    /// What the finding is about.
    public enum Code: String, Sendable, Hashable, Encodable, CaseIterable {
        /// An entity has no objects, since none could satisfy the model's rules.
        case noObjects = "no-objects"
        /// An attribute has no values.
        case noValues = "no-values"
        /// A relationship has no links, since they would have no counterpart in the inverse.
        case noLinks = "no-links"
        /// A derived attribute has no values, since its derivation cannot be computed.
        case notDerived = "not-derived"
        /// A derived attribute has values, but no trigger that updates them.
        case noTrigger = "no-trigger"
        /// A validation predicate is not considered.
        case predicateUnchecked = "predicate-unchecked"
        /// A transformable attribute has a value transformer of the app's own.
        case unknownTransformer = "unknown-transformer"
        /// The number of an entity's objects differs from the requested one.
        case otherCount = "other-count"
        /// The folder of the new store could not be synchronized.
        case notDurable = "not-durable"
    }

    /// The kind of the finding.
    public let code: Code
    /// The subject of the finding: `Entity` or `Entity.property`.
    public let subject: String
    /// The message, as a sentence without a capital letter and a full stop.
    public let message: String

    /// Whether the finding needs attention; otherwise it is a note.
    public var isWarning: Bool { ![.noTrigger, .otherCount, .unknownTransformer].contains(code) }
}

extension FixtureFinding: CustomStringConvertible {
    public var description: String {
        "\(isWarning ? "warning" : "note"): \(subject): \(message) [\(code.rawValue)]"
    }
}

/// What is not as it was asked for, or worth knowing.
public struct FixtureFinding: Sendable, Hashable, Encodable {
    /// What the finding is about.
    public enum Code: String, Sendable, Hashable, Encodable, CaseIterable {
        /// An entity gets no objects, since none could keep the model's rules.
        case noObjects = "no-objects"
        /// An attribute has no values.
        case noValues = "no-values"
        /// A relationship has no links, since none would lead back.
        case noLinks = "no-links"
        /// A derived attribute has no values, since its derivation cannot be computed.
        case notDerived = "not-derived"
        /// A derived attribute has its values, and no trigger that keeps them.
        case noTrigger = "no-trigger"
        /// A validation predicate plays no part.
        case predicateUnchecked = "predicate-unchecked"
        /// A transformable attribute has a value transformer of the app's own.
        case unknownTransformer = "unknown-transformer"
        /// An entity gets another number of objects.
        case otherCount = "other-count"
        /// The folder of the new store could not be synchronized.
        case notDurable = "not-durable"
    }

    /// What the finding is about.
    public let code: Code
    /// What the finding is about: `Entity` or `Entity.property`.
    public let subject: String
    /// What is to be known, as a sentence without a capital and a full stop.
    public let message: String

    /// Whether somebody should look; a note where not.
    public var isWarning: Bool { ![.noTrigger, .otherCount, .unknownTransformer].contains(code) }
}

extension FixtureFinding: CustomStringConvertible {
    public var description: String {
        "\(isWarning ? "warning" : "note"): \(subject): \(message) [\(code.rawValue)]"
    }
}

/// The difference of one property between two versions.
public struct PropertyDifference: Sendable, Hashable, Codable {
    /// The kinds of properties.
    public enum PropertyKind: String, Sendable, Hashable, Codable {
        /// An attribute.
        case attribute
        /// A relationship.
        case relationship
        /// A fetched property.
        case fetchedProperty = "fetched property"
    }

    /// The kind of the property.
    public let property: PropertyKind
    /// The kind of the difference.
    public let kind: DifferenceKind

    /// The destination's name; the source's if the property is removed.
    public let name: String

    /// The source's name; nil if it is the same.
    public let formerName: String?

    /// A short description of an added or removed property; nil for a changed one.
    public let summary: String?

    /// The greatest risk of all its changes.
    public let risk: ChangeRisk

    /// The risk of the addition, removal or renaming alone.
    public let ownRisk: ChangeRisk

    /// Whether it changes the entity's hash.
    public let changesVersionHash: Bool

    /// The effect of the addition, removal or renaming on the data; nil if there is none to mention.
    public let explanation: String?

    /// The changes of the property.
    public let changes: [FacetChange]

    init(
        _ property: PropertyKind, _ kind: DifferenceKind, name: String, formerName: String? = nil,
        summary: String? = nil, changesVersionHash: Bool, _ consequence: ChangeConsequence = .harmless,
        changes: [FacetChange] = []
    ) {
        self.property = property
        self.kind = kind
        self.name = name
        self.formerName = formerName
        self.summary = summary
        self.changes = changes
        ownRisk = consequence.risk
        risk = changes.map(\.risk).reduce(consequence.risk, max)
        explanation = consequence.explanation
        self.changesVersionHash = changesVersionHash || changes.contains(where: \.changesVersionHash)
    }
}

/// What became of one property between two versions.
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

    /// What kind of property it is.
    public let property: PropertyKind
    /// What became of the property.
    public let kind: DifferenceKind

    /// The destination's name; the source's where it is removed.
    public let name: String

    /// The source's name; nil if it is the same.
    public let formerName: String?

    /// What an added or removed property is, in a few words; nil for a changed one.
    public let summary: String?

    /// The greatest risk of all that happens to it.
    public let risk: ChangeRisk

    /// The risk of the addition, removal or renaming alone.
    public let ownRisk: ChangeRisk

    /// Whether it makes the entity's hash another one.
    public let changesVersionHash: Bool

    /// What the addition, removal or renaming means for the data; nil if there is nothing to say.
    public let explanation: String?

    /// What differs in the property.
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

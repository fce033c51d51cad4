/// What became of one entity between two versions; properties stand with the entity that declares them.
public struct EntityDifference: Sendable, Hashable, Codable {
    /// What became of the entity.
    public let kind: DifferenceKind

    /// The destination's name; the source's where it is removed.
    public let name: String

    /// The source's name; nil if it is the same.
    public let formerName: String?

    /// Whether its version hash is another one, be it by a change of an entity that it inherits from.
    public let changesVersionHash: Bool

    /// What the addition, removal or renaming means for the data; nil if there is nothing to say.
    public let explanation: String?

    /// The greatest risk of all that happens to it.
    public let risk: ChangeRisk

    /// The risk of the addition, removal or renaming alone.
    public let ownRisk: ChangeRisk

    /// What differs in the entity itself.
    public let changes: [FacetChange]

    /// The declared properties that differ, by name.
    public let properties: [PropertyDifference]

    init(
        _ kind: DifferenceKind, name: String, formerName: String? = nil, changesVersionHash: Bool,
        _ consequence: ChangeConsequence = .harmless, changes: [FacetChange] = [],
        properties: [PropertyDifference] = []
    ) {
        self.kind = kind
        self.name = name
        self.formerName = formerName
        self.changesVersionHash = changesVersionHash
        self.changes = changes
        self.properties = properties
        explanation = consequence.explanation
        ownRisk = consequence.risk
        risk = properties.map(\.risk).reduce(changes.map(\.risk).reduce(consequence.risk, max), max)
    }
}

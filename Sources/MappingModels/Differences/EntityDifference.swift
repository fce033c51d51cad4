/// The difference of one entity between two versions; properties are listed with the entity that declares them.
public struct EntityDifference: Sendable, Hashable, Codable {
    /// The kind of the difference.
    public let kind: DifferenceKind

    /// The destination's name; the source's if the entity is removed.
    public let name: String

    /// The source's name; nil if it is the same.
    public let formerName: String?

    /// Whether its version hash differs, possibly because of a change of a superentity.
    public let changesVersionHash: Bool

    /// The effect of the addition, removal or renaming on the data; nil if there is none to mention.
    public let explanation: String?

    /// The greatest risk of all its changes.
    public let risk: ChangeRisk

    /// The risk of the addition, removal or renaming alone.
    public let ownRisk: ChangeRisk

    /// The changes of the entity itself.
    public let changes: [FacetChange]

    /// The changes of declared properties, by name.
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

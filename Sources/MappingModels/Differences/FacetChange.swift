/// One facet that differs between two versions.
public struct FacetChange: Sendable, Hashable, Codable {
    /// The facet that differs.
    public let facet: ModelFacet

    /// Which one of several: the key in the user info, the name of an index, a configuration or a template; nil if
    /// there is only one.
    public let detail: String?

    /// The value in the source model; nil if it has none.
    public let old: String?

    /// The value in the destination model; nil if it has none.
    public let new: String?

    /// Whether this change alone makes the version hashes differ.
    public let changesVersionHash: Bool

    /// The risk of the change for the data of a store.
    public let risk: ChangeRisk

    /// The effect on the data, as a clause without a full stop; nil if there is none to mention.
    public let explanation: String?

    init(
        _ facet: ModelFacet, detail: String? = nil, old: String?, new: String?, changesVersionHash: Bool = false,
        _ consequence: ChangeConsequence = .harmless
    ) {
        self.facet = facet
        self.detail = detail
        self.old = old
        self.new = new
        self.changesVersionHash = changesVersionHash
        risk = consequence.risk
        explanation = consequence.explanation
    }
}

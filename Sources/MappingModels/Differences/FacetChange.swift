/// One facet that differs between two versions.
public struct FacetChange: Sendable, Hashable, Codable {
    /// What differs.
    public let facet: ModelFacet

    /// Which of several: the key in the user info, the name of an index, a configuration or a template; nil if there is
    /// only one.
    public let detail: String?

    /// What the source model says; nil if it is silent.
    public let old: String?

    /// What the destination model says; nil if it is silent.
    public let new: String?

    /// Whether stores of the two versions have different hashes by this change alone.
    public let changesVersionHash: Bool

    /// What the change means for the data of a store.
    public let risk: ChangeRisk

    /// What it means for the data, as a clause without a full stop; nil if nothing needs to be said.
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

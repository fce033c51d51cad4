/// The risk of a change, with a clause that explains it.
struct ChangeConsequence {
    let risk: ChangeRisk
    let explanation: String?

    static let harmless = ChangeConsequence(risk: .none, explanation: nil)

    static func none(_ explanation: String) -> Self { Self(risk: .none, explanation: explanation) }
    static func rename(_ explanation: String) -> Self { Self(risk: .rename, explanation: explanation) }
    static func dataDependent(_ explanation: String) -> Self { Self(risk: .dataDependent, explanation: explanation) }
    static func destructive(_ explanation: String) -> Self { Self(risk: .destructive, explanation: explanation) }
}

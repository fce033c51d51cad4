/// The declaration of a relationship, with the data for pairing.
struct RelationshipDerivation {
    let entity: String
    let name: String
    let destination: String
    let place: SwiftPlace

    /// Whether it has `@Relationship`.
    let isAnnotated: Bool

    /// The property given by `inverse:`.
    let namedInverse: String?
}

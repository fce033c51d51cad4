/// A relationship as declared, with what pairing needs to know.
struct RelationshipDerivation {
    let entity: String
    let name: String
    let destination: String
    let place: SwiftPlace

    /// Whether `@Relationship` is written.
    let isAnnotated: Bool

    /// The property that `inverse:` names.
    let namedInverse: String?
}

/// A feature of an entity whose effect on the version hash is not confirmed by any real store.
public enum HashDoubt: Sendable, Hashable {
    /// External storage together with preservation after deletion.
    case externalAndPreserved(attribute: String)
    /// A derivation other than `now()`, a key path, and `relationship.@count`.
    case derivation(attribute: String, expression: String)
    /// An attribute without a type.
    case undefinedType(attribute: String)
    /// A relationship that is its own inverse, in a subentity of its declaring entity.
    case inheritedSelfInverse(relationship: String)
    /// A composite in a composite.
    case nestedComposite(attribute: String)
    /// A name with characters outside ASCII.
    case name(String)
    /// Several uniqueness constraints whose order depends on case.
    case constraintOrder
}

extension HashDoubt: CustomStringConvertible {
    public var description: String {
        switch self {
        case .externalAndPreserved(let name):
            "attribute \(name) allows external storage and is preserved after deletion"
        case .derivation(let name, let expression): "attribute \(name) is derived as \"\(expression)\""
        case .undefinedType(let name): "attribute \(name) is stored, but its type is undefined"
        case .inheritedSelfInverse(let name): "the inherited relationship \(name) is its own inverse"
        case .nestedComposite(let name): "attribute \(name) is a composite that holds a composite"
        case .name(let name): "the name \"\(name)\" is not ASCII"
        case .constraintOrder: "the order of its uniqueness constraints depends on upper and lower case"
        }
    }
}

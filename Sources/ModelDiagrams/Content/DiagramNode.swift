/// A box of a diagram: an entity.
struct DiagramNode: Sendable {
    var name: String

    /// The text in small letters below the name.
    var subtitle: String
    var isAbstract: Bool
    var change = DiagramChange.unchanged
    var rows: [DiagramRow] = []
}

/// A row of a box: a property, or a replacement for several.
struct DiagramRow: Sendable {
    var name: String

    /// The text at the right end: a type, or a destination.
    var detail: String

    var isRelationship = false
    var isOptional = false
    var change = DiagramChange.unchanged

    /// The change, in words.
    var explanation: String?
}

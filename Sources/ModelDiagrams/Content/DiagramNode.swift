/// A box of a diagram: an entity.
struct DiagramNode: Sendable {
    var name: String

    /// What stands below the name in small letters.
    var subtitle: String
    var isAbstract: Bool
    var change = DiagramChange.unchanged
    var rows: [DiagramRow] = []
}

/// A line of a box: a property, or what takes the place of several.
struct DiagramRow: Sendable {
    var name: String

    /// At the right end: a type, or a destination.
    var detail: String

    var isRelationship = false
    var isOptional = false
    var change = DiagramChange.unchanged

    /// What changed, in words.
    var explanation: String?
}

/// A line of a diagram, from one box to another or to itself.
struct DiagramEdge: Sendable {
    enum Kind: Sendable, Hashable {
        /// From a subentity to its superentity.
        case inheritance
        /// A relationship, with its inverse if it has one.
        case relationship
    }

    /// The point at which it meets a box.
    struct End: Sendable, Hashable {
        let node: Int

        /// The row of the property; nil for the title.
        var row: Int?

        /// The number of objects at this end; nil if the other side has no relationship to it.
        var multiplicity: Multiplicity?
    }

    struct Multiplicity: Sendable, Hashable {
        let isMany: Bool
        let isOptional: Bool
        let text: String
    }

    let kind: Kind
    var from: End
    var to: End
    var change = DiagramChange.unchanged

    /// The names of the relationship and of its inverse; empty for inheritance.
    var names: [String] = []
}

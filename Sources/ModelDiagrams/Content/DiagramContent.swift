/// What a diagram shows, before anything is placed.
struct DiagramContent: Sendable {
    var title: String

    /// A sentence with the counts, and what is left out.
    var summary: String

    var nodes: [DiagramNode] = []
    var edges: [DiagramEdge] = []

    /// Whether it compares two versions, so that colours need a legend.
    var isComparison = false

    /// One line without signs for all unchanged relationships between two boxes that do not show them: at the title
    /// they would lie on each other.
    mutating func joinHiddenRelationships() {
        var places: [[Int]: Int] = [:]
        var joined: [DiagramEdge] = []
        for edge in edges {
            guard edge.kind == .relationship, edge.change == .unchanged, edge.from.row == nil, edge.to.row == nil else {
                joined.append(edge)
                continue
            }
            // A box shows nothing of what leads from itself to itself.
            if edge.from.node == edge.to.node { continue }
            let pair = [edge.from.node, edge.to.node].sorted()
            if let place = places[pair] {
                joined[place].names += edge.names
            } else {
                places[pair] = joined.count
                var line = edge
                line.from.multiplicity = nil
                line.to.multiplicity = nil
                joined.append(line)
            }
        }
        edges = joined
    }
}

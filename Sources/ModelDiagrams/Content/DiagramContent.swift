/// The content of a diagram, before its layout.
struct DiagramContent: Sendable {
    var title: String

    /// A sentence with the counts, and a note about omissions.
    var summary: String

    var nodes: [DiagramNode] = []
    var edges: [DiagramEdge] = []

    /// Whether it compares two versions, so that a legend of colors is needed.
    var isComparison = false

    /// Joins all unchanged relationships between two boxes that do not show them into one line without signs; at the
    /// title they would overlap.
    mutating func joinHiddenRelationships() {
        var places: [[Int]: Int] = [:]
        var joined: [DiagramEdge] = []
        for edge in edges {
            guard edge.kind == .relationship, edge.change == .unchanged, edge.from.row == nil, edge.to.row == nil else {
                joined.append(edge)
                continue
            }
            // A box without rows does not show relationships with itself.
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

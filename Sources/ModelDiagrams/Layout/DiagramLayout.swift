/// The layout of a diagram: boxes in columns, and lines in the channels between them.
///
/// It is made by the steps of a layered layout: boxes are assigned to columns, ordered within them so that few lines
/// cross, placed vertically so that lines are short, and lines get their own tracks. A line that passes through a
/// column has a passage between its boxes, so that lines never cross a box.
struct DiagramLayout: Sendable {
    struct Point: Sendable, Hashable {
        var x: Double
        var y: Double
    }

    struct Box: Sendable, Hashable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var maximumX: Double { x + width }
        var maximumY: Double { y + height }
    }

    /// The boxes, by node.
    let boxes: [Box]

    /// The corners of each line, by edge; a line begins and ends on the border of a box.
    let routes: [[Point]]

    let width: Double
    let height: Double

    init(_ edges: [DiagramEdge], _ measures: [BoxMeasure]) {
        let links = edges.map { edge in
            LayoutLink(
                from: edge.from.node, fromPort: BoxMeasure.port(edge.from, of: edge),
                to: edge.to.node,
                toPort: BoxMeasure.port(edge.to, of: edge),
                weight: edge.kind == .inheritance ? 2 : 1)
        }
        let heights = measures.map(\.height)
        let columns = ColumnAssignment(
            heights: heights, links: links,
            columnWidth: measures.map(\.width).reduce(0, +) / Double(max(1, measures.count)) * 1.2
        ).columns
        var order = ColumnOrder(heights: heights, columns: columns, links: links)
        order.improve()
        let routing = ChannelRouting(order, widths: measures.map(\.width))
        boxes = routing.boxes
        routes = routing.routes
        width = routing.width
        height = routing.height
    }
}

/// An edge in the form for the layout: two nodes, and the distances below their tops at which it meets them.
struct LayoutLink: Sendable {
    let from: Int
    let fromPort: Double
    let to: Int
    let toPort: Double

    /// The weight of its length relative to others.
    let weight: Double
}

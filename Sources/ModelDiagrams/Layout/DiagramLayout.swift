/// Where everything of a diagram is: boxes in columns, lines in the channels between them.
///
/// The steps of a layered layout: boxes are assigned to columns, ordered within them so that few lines cross, placed
/// vertically so that lines are short, and lines get tracks of their own. A line that passes a column has a place
/// between its boxes, so that none runs through a box.
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

    /// By node.
    let boxes: [Box]

    /// By edge: the corners of a line, which begins and ends on the border of a box.
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

/// An edge as the layout sees it: two nodes, and how far below their tops it meets them.
struct LayoutLink: Sendable {
    let from: Int
    let fromPort: Double
    let to: Int
    let toPort: Double

    /// How much shorter it should be than others.
    let weight: Double
}

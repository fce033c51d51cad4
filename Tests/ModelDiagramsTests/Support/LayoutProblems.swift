@testable import ModelDiagrams

/// What may not be in a drawing: boxes on each other, lines through boxes or ending beside them, text out of its box.
struct LayoutProblems {
    private(set) var found: [String] = []

    init(_ diagram: EntityDiagram) {
        let renderer = SVGRenderer(diagram.content)
        let layout = renderer.layout
        let names = diagram.content.nodes.map(\.name)
        for (index, box) in layout.boxes.enumerated() {
            if box.x < 0 || box.y < 0 || box.maximumX > layout.width || box.maximumY > layout.height {
                found.append("\(names[index]) is outside")
            }
            for (other, second) in layout.boxes.enumerated().dropFirst(index + 1)
            where box.x < second.maximumX && second.x < box.maximumX && box.y < second.maximumY
                && second.y < box.maximumY
            {
                found.append("\(names[index]) and \(names[other]) overlap")
            }
            checkText(renderer.measures[index], in: box, name: names[index])
        }
        for (index, route) in layout.routes.enumerated() { check(route, diagram.content.edges[index], layout, names) }
    }

    private mutating func checkText(_ measure: BoxMeasure, in box: DiagramLayout.Box, name: String) {
        let inner = box.width - 2 * DiagramMetrics.padding
        if TextMeasure.width(measure.title, size: DiagramMetrics.titleSize, isBold: true) > inner
            || TextMeasure.width(measure.subtitle, size: DiagramMetrics.subtitleSize) > inner
        {
            found.append("the title of \(name) is too wide")
        }
        for row in measure.rows {
            let width =
                TextMeasure.width(row.name, size: DiagramMetrics.rowSize)
                + TextMeasure.width(row.detail, size: DiagramMetrics.detailSize)
            if width + DiagramMetrics.columnGap > inner { found.append("\(name): \(row.name) is too wide") }
        }
    }

    private mutating func check(
        _ route: [DiagramLayout.Point], _ edge: DiagramEdge, _ layout: DiagramLayout, _ names: [String]
    ) {
        let title = "the line from \(names[edge.from.node]) to \(names[edge.to.node])"
        for (point, end) in [(route.first, edge.from), (route.last, edge.to)] {
            let box = layout.boxes[end.node]
            guard let point, point.x == box.x || point.x == box.maximumX, point.y > box.y, point.y < box.maximumY else {
                found.append("\(title) does not end at the border of \(names[end.node])")
                continue
            }
        }
        for (start, end) in zip(route, route.dropFirst()) {
            if start.x != end.x && start.y != end.y { found.append("\(title) is oblique") }
            let (left, right) = (min(start.x, end.x), max(start.x, end.x))
            let (top, bottom) = (min(start.y, end.y), max(start.y, end.y))
            for (index, box) in layout.boxes.enumerated()
            where left < box.maximumX && right > box.x && top < box.maximumY && bottom > box.y {
                found.append("\(title) runs through \(names[index])")
            }
        }
    }
}

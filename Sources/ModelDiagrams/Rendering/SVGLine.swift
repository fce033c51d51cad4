import TextEncodings

/// Draws an edge: a line with round corners, and signs for the number of objects at its ends.
struct SVGLine {
    let lines: [String]

    init(_ edge: DiagramEdge, _ route: [DiagramLayout.Point], _ content: DiagramContent) {
        let colours = DiagramPalette.colours(edge.change, isComparison: content.isComparison)
        let dashes = edge.change == .removed ? " stroke-dasharray=\"6 4\"" : ""
        let width = edge.change == .unchanged ? "1.3" : "2"
        var lines = [
            "<g class=\"\(edge.kind == .inheritance ? "inheritance" : "relationship") \(edge.change.rawValue)\" "
                + "stroke=\"\(colours.line)\" stroke-width=\"\(width)\" fill=\"none\">",
            "<title>\(XMLText.escaped(Self.tooltip(edge, content)))</title>",
            "<path d=\"\(Self.path(route))\"\(dashes)/>",
        ]
        if route.count > 1 {
            let (first, last) = (route[0], route[route.count - 1])
            let outFirst = route[1].x < first.x ? -1.0 : 1.0
            let outLast = route[route.count - 2].x < last.x ? -1.0 : 1.0
            if edge.kind == .inheritance {
                lines.append(SVGSign.triangle(at: last, towards: outLast))
            } else {
                lines += SVGSign.end(edge.from.multiplicity, at: first, towards: outFirst)
                lines += SVGSign.end(edge.to.multiplicity, at: last, towards: outLast)
            }
        }
        lines.append("</g>")
        self.lines = lines
    }

    private static func tooltip(_ edge: DiagramEdge, _ content: DiagramContent) -> String {
        let (from, to) = (content.nodes[edge.from.node].name, content.nodes[edge.to.node].name)
        let change = edge.change == .unchanged ? "" : ": \(edge.change.rawValue)"
        if edge.kind == .inheritance { return "\(from) inherits from \(to)\(change)" }
        let names = edge.names
        if names.count > 2 { return "\(from) and \(to): \(names.joined(separator: ", "))" }
        let inverse = names.count > 1 ? ", inverse \(to).\(names[1])" : ", no inverse"
        return "\(from).\(names.first ?? "") to \(to)\(inverse)\(change)"
    }

    /// Returns a path whose corners are rounded as far as the adjacent segments allow.
    private static func path(_ points: [DiagramLayout.Point]) -> String {
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        guard let first = points.first, let last = points.last else { return "" }
        var text = "M\(n(first.x)) \(n(first.y))"
        for index in points.indices.dropFirst().dropLast() {
            let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
            let lengths = [length(before, corner), length(corner, after)]
            let radius = min(5, (lengths.min() ?? 0) / 2)
            let start = point(from: corner, towards: before, by: radius)
            let end = point(from: corner, towards: after, by: radius)
            text += "L\(n(start.x)) \(n(start.y))Q\(n(corner.x)) \(n(corner.y)) \(n(end.x)) \(n(end.y))"
        }
        return text + "L\(n(last.x)) \(n(last.y))"
    }

    private static func length(_ first: DiagramLayout.Point, _ second: DiagramLayout.Point) -> Double {
        abs(first.x - second.x) + abs(first.y - second.y)
    }

    private static func point(
        from start: DiagramLayout.Point, towards end: DiagramLayout.Point, by distance: Double
    ) -> DiagramLayout.Point {
        let length = length(start, end)
        guard length > 0 else { return start }
        return .init(
            x: start.x + (end.x - start.x) / length * distance, y: start.y + (end.y - start.y) / length * distance)
    }
}

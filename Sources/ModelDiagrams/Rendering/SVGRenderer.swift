import TextEncodings

/// Draws a diagram as SVG: lines first, boxes over them, the title and the legend above both.
struct SVGRenderer {
    let content: DiagramContent
    let measures: [BoxMeasure]
    let layout: DiagramLayout

    init(_ content: DiagramContent) {
        self.content = content
        measures = content.nodes.map { BoxMeasure($0) }
        layout = DiagramLayout(content.edges, measures)
    }

    func text() -> String {
        let head = SVGHead(content)
        let margin = DiagramMetrics.margin
        let width = max(layout.width, head.width) + 2 * margin
        let height = layout.height + head.height + 3 * margin
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(SVGNumber.text(width))\" "
                + "height=\"\(SVGNumber.text(height))\" viewBox=\"0 0 \(SVGNumber.text(width)) \(SVGNumber.text(height))\" "
                + "role=\"img\" aria-labelledby=\"title desc\" "
                + "font-family=\"Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif\">",
            "<title id=\"title\">\(XMLText.escaped(content.title))</title>",
            "<desc id=\"desc\">\(XMLText.escaped(content.summary))</desc>",
            "<g transform=\"translate(\(SVGNumber.text(margin)) \(SVGNumber.text(margin)))\">",
        ]
        lines += head.lines
        lines.append("</g>")
        let top = head.height + 2 * margin
        lines.append("<g transform=\"translate(\(SVGNumber.text(margin)) \(SVGNumber.text(top)))\">")
        for (index, edge) in content.edges.enumerated() { lines += SVGLine(edge, layout.routes[index], content).lines }
        for (index, node) in content.nodes.enumerated() {
            lines += SVGBox(node, measures[index], layout.boxes[index], isComparison: content.isComparison).lines
        }
        lines += ["</g>", "</svg>"]
        return lines.joined(separator: "\n") + "\n"
    }
}

enum SVGNumber {
    /// Returns a number with at most one decimal place, and none if it is zero.
    static func text(_ number: Double) -> String {
        let tenths = Int((number * 10) + (number < 0 ? -0.5 : 0.5))
        let sign = tenths < 0 ? "-" : ""
        let rest = abs(tenths) % 10
        return sign + "\(abs(tenths) / 10)" + (rest == 0 ? "" : ".\(rest)")
    }
}

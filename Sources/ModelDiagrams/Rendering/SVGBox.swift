import TextEncodings

/// Draws an entity.
struct SVGBox {
    let lines: [String]

    init(_ node: DiagramNode, _ measure: BoxMeasure, _ box: DiagramLayout.Box, isComparison: Bool) {
        typealias Metrics = DiagramMetrics
        let colours = DiagramPalette.colours(node.change, isComparison: isComparison)
        let (x, y) = (SVGNumber.text(box.x), SVGNumber.text(box.y))
        let size = "width=\"\(SVGNumber.text(box.width))\" height=\"\(SVGNumber.text(box.height))\""
        let dashes = node.isAbstract ? " stroke-dasharray=\"5 3\"" : ""
        var lines = [
            "<g class=\"entity \(node.change.rawValue)\">", "<title>\(XMLText.escaped(Self.tooltip(node)))</title>",
        ]
        lines.append("<rect x=\"\(x)\" y=\"\(y)\" \(size) rx=\"5\" fill=\"\(DiagramPalette.body)\"/>")
        lines += Self.title(node, measure, box, colours)
        for (index, row) in node.rows.enumerated() {
            let top = box.y + Metrics.titleHeight + Double(index) * Metrics.rowHeight
            lines += Self.row(
                row, measure.rows[index], box, top: top, isPlain: node.change == .added || node.change == .removed)
        }
        // Drawn over the title's fill, so that the border is complete.
        lines.append(
            "<rect x=\"\(x)\" y=\"\(y)\" \(size) rx=\"5\" fill=\"none\" stroke=\"\(colours.border)\" "
                + "stroke-width=\"1.5\"\(dashes)/>")
        lines.append("</g>")
        self.lines = lines
    }

    private static func title(
        _ node: DiagramNode, _ measure: BoxMeasure, _ box: DiagramLayout.Box, _ colours: DiagramPalette.Colours
    ) -> [String] {
        typealias Metrics = DiagramMetrics
        let (x, y, right) = (box.x, box.y, box.maximumX)
        let bottom = y + Metrics.titleHeight
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        // Round corners at the top only, unless the box is only a title.
        let shape =
            node.rows.isEmpty
            ? "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(box.width))\" height=\"\(n(box.height))\" rx=\"5\" "
            : "<path d=\"M\(n(x)) \(n(bottom))V\(n(y + 5))a5 5 0 0 1 5 -5H\(n(right - 5))a5 5 0 0 1 5 5V\(n(bottom))Z\" "
        var lines = [shape + "fill=\"\(colours.title)\"/>"]
        let hasSubtitle = !measure.subtitle.isEmpty
        let middle = n(x + box.width / 2)
        lines.append(
            "<text x=\"\(middle)\" y=\"\(n(y + (hasSubtitle ? 16 : 23)))\" text-anchor=\"middle\" "
                + "font-size=\"\(n(Metrics.titleSize))\" font-weight=\"bold\" fill=\"\(colours.titleText)\""
                + (node.isAbstract ? " font-style=\"italic\"" : "") + ">\(XMLText.escaped(measure.title))</text>")
        if hasSubtitle {
            lines.append(
                "<text x=\"\(middle)\" y=\"\(n(y + 29))\" text-anchor=\"middle\" font-size=\"\(n(Metrics.subtitleSize))\" "
                    + "fill=\"\(colours.titleText)\">\(XMLText.escaped(measure.subtitle))</text>")
        }
        return lines
    }

    private static func row(
        _ row: DiagramRow, _ fitted: BoxMeasure.Row, _ box: DiagramLayout.Box, top: Double, isPlain: Bool
    ) -> [String] {
        typealias Metrics = DiagramMetrics
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        var lines: [String] = []
        let tooltip = row.explanation ?? (fitted.isCut ? "\(row.name): \(row.detail)" : nil)
        if let tooltip { lines.append("<g><title>\(XMLText.escaped(tooltip))</title>") }
        if row.change != .unchanged, !isPlain {
            let colours = DiagramPalette.colours(row.change, isComparison: true)
            lines.append(
                "<rect x=\"\(n(box.x))\" y=\"\(n(top))\" width=\"\(n(box.width))\" height=\"\(n(Metrics.rowHeight))\" "
                    + "fill=\"\(colours.row)\"/>")
        }
        let strike = row.change == .removed && !isPlain ? " text-decoration=\"line-through\"" : ""
        let slant = row.isRelationship ? " font-style=\"italic\"" : ""
        let baseline = n(top + 13)
        lines.append(
            "<text x=\"\(n(box.x + Metrics.padding))\" y=\"\(baseline)\" font-size=\"\(n(Metrics.rowSize))\" "
                + "fill=\"\(DiagramPalette.text)\"\(strike)\(slant)>\(XMLText.escaped(fitted.name))</text>")
        if !fitted.detail.isEmpty {
            lines.append(
                "<text x=\"\(n(box.maximumX - Metrics.padding))\" y=\"\(baseline)\" text-anchor=\"end\" "
                    + "font-size=\"\(n(Metrics.detailSize))\" fill=\"\(DiagramPalette.detail)\">"
                    + "\(XMLText.escaped(fitted.detail))</text>")
        }
        if tooltip != nil { lines.append("</g>") }
        return lines
    }

    private static func tooltip(_ node: DiagramNode) -> String {
        node.name + (node.subtitle.isEmpty ? "" : " (\(node.subtitle))")
            + (node.change == .unchanged ? "" : ": \(node.change.rawValue)")
    }
}

import TextEncodings

/// Writes a diagram in Graphviz's language: boxes are tables, whose rows are the ports of lines.
struct DOTRenderer {
    let content: DiagramContent

    init(_ content: DiagramContent) {
        self.content = content
    }

    func text() -> String {
        var lines = [
            "digraph model {",
            "    graph [rankdir=LR, label=<\(XMLText.escaped(content.title))>, labelloc=t, bgcolor=white, ranksep=0.8]",
            "    node [shape=plain, fontname=\"Helvetica\", fontsize=11]",
            "    edge [dir=both, fontname=\"Helvetica\", fontsize=9]",
        ]
        for (index, node) in content.nodes.enumerated() { lines.append("    e\(index) [label=<\(table(node))>]") }
        for edge in content.edges {
            let colours = DiagramPalette.colours(edge.change, isComparison: content.isComparison)
            var attributes = ["color=\"\(colours.line)\""]
            if edge.change == .removed { attributes.append("style=dashed") }
            switch edge.kind {
            case .inheritance: attributes += ["arrowhead=empty", "arrowtail=none"]
            case .relationship:
                attributes.append("arrowhead=\(Self.sign(edge.to.multiplicity))")
                attributes.append("arrowtail=\(Self.sign(edge.from.multiplicity))")
                attributes.append("tooltip=<\(XMLText.escaped(edge.names.joined(separator: " / ")))>")
            }
            lines.append("    \(port(edge.from)) -> \(port(edge.to)) [\(attributes.joined(separator: ", "))]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func port(_ end: DiagramEdge.End) -> String {
        "e\(end.node):" + (end.row.map { "p\($0)" } ?? "t")
    }

    private static func sign(_ multiplicity: DiagramEdge.Multiplicity?) -> String {
        guard let multiplicity else { return "none" }
        return (multiplicity.isMany ? "crow" : "tee") + (multiplicity.isOptional ? "odot" : "tee")
    }

    private func table(_ node: DiagramNode) -> String {
        let colours = DiagramPalette.colours(node.change, isComparison: content.isComparison)
        let name = XMLText.escaped(node.change.sign + node.name)
        let subtitle =
            node.subtitle.isEmpty
            ? "" : "<br/><font point-size=\"9\">\(XMLText.escaped(node.subtitle))</font>"
        var text =
            "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"3\" color=\"\(colours.border)\" "
            + "bgcolor=\"\(DiagramPalette.body)\"><tr><td port=\"t\" bgcolor=\"\(colours.title)\">"
            + "<font color=\"\(colours.titleText)\"><b>\(name)</b>\(subtitle)</font></td></tr>"
        for (index, row) in node.rows.enumerated() {
            let colour = DiagramPalette.colours(row.change, isComparison: true).row
            let name = XMLText.escaped(row.change.sign + row.name)
            text +=
                "<tr><td port=\"p\(index)\" align=\"left\" bgcolor=\"\(colour)\">\(name)"
                + (row.detail.isEmpty
                    ? "" : " <font color=\"\(DiagramPalette.detail)\">\(XMLText.escaped(row.detail))</font>")
                + "</td></tr>"
        }
        return text + "</table>"
    }
}

import TextEncodings

/// The title of a diagram with its legend, in a separate box that is readable on any background.
struct SVGHead {
    let lines: [String]
    let width: Double
    let height: Double

    private static let inset = 12.0

    init(_ content: DiagramContent) {
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        var lines: [String] = []
        var y = 22.0
        var width = TextMeasure.width(content.title, size: 15, isBold: true)
        func write(_ text: String, x: Double, size: Double, isBold: Bool = false, colour: String) {
            lines.append(
                "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(n(size))\"" + (isBold ? " font-weight=\"bold\"" : "")
                    + " fill=\"\(colour)\">\(XMLText.escaped(text))</text>")
        }
        write(content.title, x: Self.inset, size: 15, isBold: true, colour: DiagramPalette.text)
        y += 18
        write(content.summary, x: Self.inset, size: 12, colour: DiagramPalette.detail)
        width = max(width, TextMeasure.width(content.summary, size: 12))
        y += 22
        var x = Self.inset
        for entry in Self.entries(content) {
            lines += entry.drawing(x, y - 4)
            write(entry.text, x: x + entry.width + 6, size: 11, colour: DiagramPalette.detail)
            x += entry.width + 6 + TextMeasure.width(entry.text, size: 11) + 18
        }
        width = max(width, x - 18 - Self.inset)
        self.width = width + 2 * Self.inset
        height = y + 12
        let frame =
            "<rect x=\"0\" y=\"0\" width=\"\(n(self.width))\" height=\"\(n(height))\" rx=\"5\" "
            + "fill=\"\(DiagramPalette.body)\" stroke=\"#8c959f\"/>"
        self.lines = ["<g class=\"legend\">", frame] + lines + ["</g>"]
    }

    private struct Entry {
        let text: String
        let width: Double
        /// Draws the entry at a position, given by the left end and the middle of the text.
        let drawing: (Double, Double) -> [String]
    }

    /// Returns the signs that occur and, if versions are compared, the colors.
    private static func entries(_ content: DiagramContent) -> [Entry] {
        var entries: [Entry] = []
        if content.isComparison {
            for change in DiagramChange.allCases
            where content.nodes.contains(where: { $0.change == change })
                || content.nodes.contains(where: { change != .unchanged && $0.rows.contains { $0.change == change } })
            {
                let colours = DiagramPalette.colours(change, isComparison: true)
                entries.append(
                    Entry(text: change.sign + change.rawValue, width: 16) { x, y in
                        [
                            "<rect x=\"\(SVGNumber.text(x))\" y=\"\(SVGNumber.text(y - 6))\" width=\"16\" height=\"12\" "
                                + "rx=\"2\" fill=\"\(colours.title)\" stroke=\"\(colours.border)\"/>"
                        ]
                    })
            }
        }
        let ends = content.edges.flatMap { [$0.from.multiplicity, $0.to.multiplicity] }.compactMap { $0 }
        for (isMany, isOptional, text) in [
            (false, false, "one"), (false, true, "none or one"), (true, false, "one or more"),
            (true, true, "any number"),
        ] where ends.contains(where: { $0.isMany == isMany && $0.isOptional == isOptional }) {
            let multiplicity = DiagramEdge.Multiplicity(isMany: isMany, isOptional: isOptional, text: "")
            entries.append(
                Entry(text: text, width: 26) { x, y in
                    line(x, y, SVGSign.end(multiplicity, at: .init(x: x + 26, y: y), towards: -1))
                })
        }
        if content.edges.contains(where: { $0.kind == .inheritance }) {
            entries.append(
                Entry(text: "inherits from", width: 26) { x, y in
                    line(x, y, [SVGSign.triangle(at: .init(x: x + 26, y: y), towards: -1)])
                })
        }
        return entries
    }

    private static func line(_ x: Double, _ y: Double, _ sign: [String]) -> [String] {
        [
            "<g stroke=\"#6e7781\" stroke-width=\"1.3\" fill=\"none\">",
            "<path d=\"M\(SVGNumber.text(x)) \(SVGNumber.text(y))H\(SVGNumber.text(x + 26))\"/>",
        ] + sign + ["</g>"]
    }
}

/// Writes a diagram as a `classDiagram` in Mermaid's language, which supports inheritance and multiplicities.
struct MermaidRenderer {
    let content: DiagramContent

    init(_ content: DiagramContent) {
        self.content = content
    }

    func text() -> String {
        var lines = ["---", "title: \(Self.quoted(content.title))", "---", "classDiagram", "direction LR"]
        for (index, node) in content.nodes.enumerated() {
            let head = "class e\(index)[\"\(Self.escaped(node.change.sign + node.name))\"]"
            var members = node.isAbstract ? ["    <<abstract>>"] : []
            members += node.rows.map { row in
                "    " + Self.escaped("\(row.change.sign)\(row.detail) \(row.name)")
            }
            // Empty braces are an error in some versions of Mermaid.
            lines += members.isEmpty ? [head] : [head + " {"] + members + ["}"]
        }
        for edge in content.edges {
            switch edge.kind {
            case .inheritance: lines.append("e\(edge.to.node) <|-- e\(edge.from.node)")
            case .relationship:
                let from = edge.from.multiplicity.map { " \"\($0.text)\"" } ?? ""
                let to = edge.to.multiplicity.map { "\"\($0.text)\" " } ?? ""
                let line = edge.change == .removed ? ".." : "--"
                let arrow = edge.from.multiplicity == nil ? line + ">" : line
                let names = edge.names.joined(separator: " / ")
                lines.append("e\(edge.from.node)\(from) \(arrow) \(to)e\(edge.to.node) : \(Self.escaped(names))")
            }
        }
        if content.isComparison {
            for (index, node) in content.nodes.enumerated() where node.change != .unchanged {
                let colours = DiagramPalette.colours(node.change, isComparison: true)
                lines.append(
                    "style e\(index) fill:\(colours.row),stroke:\(colours.border),color:\(DiagramPalette.text)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a text in which characters with a meaning in Mermaid are numeric entities, such as `#60;`.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || " _.,?+*→←−/".unicodeScalars.contains(scalar)
            if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
        }
        return result
    }

    /// Returns a YAML string, the form of the title.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ") + "\""
    }
}

import PersistentStores

/// Writes a page as HTML.
struct PageRenderer {
    private let page: ReportPage
    private let html = HTMLText()

    init(_ page: ReportPage) {
        self.page = page
    }

    func text() -> String {
        var lines = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\"/>",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>",
            "<meta name=\"color-scheme\" content=\"light dark\"/>",
            "<meta name=\"generator\" content=\"\(html.escaped(page.tool))\"/>",
            html.element("title", page.title), "<style>", PageStyle.text, "</style>", "</head>", "<body>", "<main>",
            html.element("h1", page.title),
            "<p id=\"verdict\" class=\"verdict \(page.outcome.rawValue)\"><strong>\(Self.word(page.outcome))</strong> "
                + html.escaped(page.verdict) + "</p>",
        ]
        lines += ["<nav aria-label=\"Contents\">", "<ul>"]
        lines += page.sections.map { "<li><a href=\"#\($0.anchor)\">\(html.escaped($0.heading))</a></li>" }
        lines += ["</ul>", "</nav>"]
        for section in page.sections {
            lines.append("<section id=\"\(section.anchor)\" aria-labelledby=\"\(section.anchor)-heading\">")
            lines.append("<h2 id=\"\(section.anchor)-heading\">\(html.escaped(section.heading))</h2>")
            lines += section.blocks.flatMap { block($0) }
            lines.append("</section>")
        }
        lines += ["</main>", "<footer>Written by \(html.escaped(page.tool))</footer>", "</body>", "</html>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func word(_ outcome: ReportPage.Outcome) -> String {
        switch outcome {
        case .done: "Done."
        case .findings: "To look at."
        case .failed: "Failed."
        }
    }

    private func block(_ block: PageSection.Block) -> [String] {
        switch block {
        case .paragraph(let text): [html.element("p", text)]
        case .facts(let facts):
            ["<dl>"] + facts.map { html.element("dt", $0.name) + html.element("dd", $0.value) } + ["</dl>"]
        case .table(let table): html.scrolling(table.caption, lines(of: table))
        case .findings(let findings): PageFinding.groups(findings).flatMap { lines(of: $0) }
        case .list(let items): ["<ul>"] + items.map { html.element("li", $0) } + ["</ul>"]
        case .chart(let chart): html.scrolling(chart.label, ChartRenderer(chart).lines(), class: "scroll chart")
        case .drawing(let svg, let label): html.scrolling(label, [svg], class: "scroll drawing")
        }
    }

    private func lines(of table: PageTable) -> [String] {
        func kind(_ column: Int) -> String? { table.numbers.contains(column) ? "number" : nil }
        var lines = ["<table>", html.element("caption", table.caption), "<thead>", "<tr>"]
        for (column, name) in table.columns.enumerated() {
            let attribute = kind(column).map { " class=\"\($0)\"" } ?? ""
            lines.append("<th scope=\"col\"\(attribute)>\(html.escaped(name))</th>")
        }
        lines += ["</tr>", "</thead>", "<tbody>"]
        for row in table.rows {
            lines.append(
                "<tr>" + row.enumerated().map { html.element("td", $1, class: kind($0)) }.joined() + "</tr>")
        }
        return lines + ["</tbody>", "</table>"]
    }

    private func lines(of group: PageFinding.Group) -> [String] {
        let name = group.findings.first?.name.map { " " + html.escaped($0) } ?? ""
        var lines = [
            "<h3><span class=\"badge \(group.severity.rawValue)\">\(group.severity.rawValue)</span> "
                + html.element("code", group.code) + name + "</h3>",
            "<ul class=\"findings\">",
        ]
        for finding in group.findings {
            let subject = finding.subject.map { html.element("strong", $0) + " " } ?? ""
            let count =
                finding.count.map { " <span class=\"count\">(\(html.escaped(Quantity.count($0))))</span>" } ?? ""
            lines.append("<li>" + subject + html.escaped(finding.message) + count)
            if let place = finding.place { lines.append("<br/>" + html.element("code", place)) }
            if !finding.examples.isEmpty {
                lines.append("<ul>")
                lines += finding.examples.map { "<li>" + html.element("code", $0) + "</li>" }
                lines.append("</ul>")
            }
            lines.append("</li>")
        }
        return lines + ["</ul>"]
    }
}

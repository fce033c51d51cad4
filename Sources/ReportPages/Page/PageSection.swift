/// A part of a page, with a heading that the table of contents leads to.
struct PageSection: Sendable {
    enum Block: Sendable {
        case paragraph(String)
        case facts([Fact])
        case table(PageTable)
        case findings([PageFinding])
        case list([String])
        case chart(PageChart)
        /// A drawing that is markup already, and what it shows.
        case drawing(svg: String, label: String)
    }

    struct Fact: Sendable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name of the anchor: letters and hyphens.
    let anchor: String
    let heading: String
    let blocks: [Block]

    init(_ anchor: String, _ heading: String, _ blocks: [Block]) {
        self.anchor = anchor
        self.heading = heading
        self.blocks = blocks
    }

    /// The findings of a report, which may have none.
    static func findings(_ findings: [PageFinding]) -> PageSection {
        PageSection("findings", "Findings", findings.isEmpty ? [.paragraph("None.")] : [.findings(findings)])
    }
}

/// A section of a page, whose heading is linked from the table of contents.
struct PageSection: Sendable {
    enum Block: Sendable {
        case paragraph(String)
        case facts([Fact])
        case table(PageTable)
        case findings([PageFinding])
        case list([String])
        case chart(PageChart)
        /// A drawing as markup, with a description.
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

    /// Returns a section for the findings of a report, which may be empty.
    static func findings(_ findings: [PageFinding]) -> PageSection {
        PageSection("findings", "Findings", findings.isEmpty ? [.paragraph("None.")] : [.findings(findings)])
    }
}

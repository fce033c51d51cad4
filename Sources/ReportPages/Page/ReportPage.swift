/// A report as one page of HTML: a value that is made from a report, and rendered apart from it.
public struct ReportPage: Sendable {
    /// What a reader wants to know first.
    public enum Outcome: String, Sendable {
        /// Everything went well.
        case done
        /// Somebody should look at the findings.
        case findings
        /// Nothing was done, or something is wrong.
        case failed
    }

    /// What the report is about, as the page's heading and title have it.
    public let title: String
    /// How the work came out, which the page shows in a colour and a word.
    public let outcome: Outcome

    /// The verdict, in a sentence.
    public let verdict: String

    /// What made the page, as in `ferry 0.1.0`.
    let tool: String
    let sections: [PageSection]

    init(_ title: String, _ outcome: Outcome, verdict: String, tool: String, sections: [PageSection?]) {
        self.title = title
        self.outcome = outcome
        self.verdict = verdict
        self.tool = tool
        self.sections = sections.compactMap(\.self)
    }

    /// The page: complete in itself, without scripts and without anything from elsewhere.
    public func html() -> String { PageRenderer(self).text() }
}

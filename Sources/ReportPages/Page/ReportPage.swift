/// A report as one HTML page: a value that is made from a report, and rendered separately.
public struct ReportPage: Sendable {
    /// The outcome of the operation.
    public enum Outcome: String, Sendable {
        /// Everything was successful.
        case done
        /// The findings need attention.
        case findings
        /// Nothing was done, or there are errors.
        case failed
    }

    /// The subject of the report, for the page's heading and title.
    public let title: String
    /// The outcome, which the page shows by a color and a word.
    public let outcome: Outcome

    /// The verdict, in a sentence.
    public let verdict: String

    /// The program that made the page, such as `ferry 0.1.0`.
    let tool: String
    let sections: [PageSection]

    init(_ title: String, _ outcome: Outcome, verdict: String, tool: String, sections: [PageSection?]) {
        self.title = title
        self.outcome = outcome
        self.verdict = verdict
        self.tool = tool
        self.sections = sections.compactMap(\.self)
    }

    /// Returns the page, which is self-contained: without scripts and external resources.
    public func html() -> String { PageRenderer(self).text() }
}

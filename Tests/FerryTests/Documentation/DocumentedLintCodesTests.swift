import Foundation
import ModelLinting
import TestSupport
import Testing

/// The table of lint codes is made from the codes themselves. `FERRY_RECORD=1` writes it again, and fails to say so.
@Suite struct DocumentedLintCodesTests {
    @Test func theTableOfCodesIsThatOfTheLinter() throws {
        let page = try Documentation.page("linting")
        let range = try #require(page.table("| Code |"), "\(page.path) has no table of codes")
        let expected = LintCode.markdownTable.split(separator: "\n").map { String($0) }
        guard Array(page.lines[range]) != expected else { return }
        guard TestSettings.records else {
            Issue.record("\(page.path) does not list the codes as they are; FERRY_RECORD=1 writes the table again")
            return
        }
        var lines = page.lines
        lines.replaceSubrange(range, with: expected)
        try lines.joined(separator: "\n").write(toFile: page.location, atomically: true, encoding: .utf8)
        Issue.record("the table in \(page.path) is written again; look at it and run without FERRY_RECORD")
    }
}

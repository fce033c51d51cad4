import Foundation
import ModelLinting
import Testing

/// The README's table of lint codes is made from the codes themselves. `FERRY_RECORD=1` writes it anew.
@Suite struct ReadmeLintTests {
    @Test func theTableOfCodesIsThatOfTheLinter() throws {
        let readme = try Readme()
        let section = try #require(readme.section("Linting models"), "README.md has no section \"Linting models\"")
        let rows = section.filter { readme.lines[$0].hasPrefix("|") }
        let (first, last) = (try #require(rows.first), try #require(rows.last))
        let expected = LintCode.markdownTable.split(separator: "\n").map { String($0) }
        guard Array(readme.lines[first...last]) != expected else { return }
        guard ProcessInfo.processInfo.environment["FERRY_RECORD"] == "1" else {
            Issue.record("README.md does not list the codes as they are; FERRY_RECORD=1 writes the table anew")
            return
        }
        var lines = readme.lines
        lines.replaceSubrange(first...last, with: expected)
        try lines.joined(separator: "\n").write(toFile: Readme.path, atomically: true, encoding: .utf8)
        Issue.record("the table of lint codes in README.md is written anew; look at it and run without FERRY_RECORD")
    }
}

import Foundation
import StoreVerification
import Testing

/// The README's table of verification rules against the rules.
@Suite struct ReadmeRulesTests {
    @Test func theTableHasEveryRuleWithItsSeverity() throws {
        var documented: [String: String] = [:]
        for line in try Readme().text(of: "Looking after stores").split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 4, "\(line)")
            documented[cells[0].replacing("`", with: "")] = cells[1]
        }
        let rules = VerificationRule.allCases.reduce(into: [String: String]()) { $0[$1.code] = $1.severity.rawValue }
        #expect(documented == rules)
    }
}

import Foundation
import StoreVerification
import Testing

/// The table of verification rules against the rules.
@Suite struct DocumentedRulesTests {
    @Test func theTableHasEveryRuleWithItsSeverity() throws {
        var documented: [String: String] = [:]
        for cells in try Documentation.page("store-care").rows(ofTable: "| Rule |") {
            try #require(cells.count == 4, "\(cells)")
            documented[cells[0].replacing("`", with: "")] = cells[1]
        }
        let rules = VerificationRule.allCases.reduce(into: [String: String]()) { $0[$1.code] = $1.severity.rawValue }
        #expect(documented == rules)
    }
}

import Testing

@testable import ModelLinting

@Suite struct LintCodeTests {
    @Test func codesAreDistinctAndOrdered() {
        let codes = LintCode.allCases.map(\.rawValue)
        #expect(codes == codes.sorted())
        #expect(codes.allSatisfy { $0.wholeMatch(of: /FM[0-9]{3}/) != nil })
        let names = LintCode.allCases.map(\.rule.name)
        #expect(Set(names).count == names.count)
    }

    @Test func everyCodeIsExplainedInSentences() {
        for code in LintCode.allCases {
            for sentence in [code.rule.meaning, code.rule.remedy] {
                #expect(sentence.hasSuffix("."), "\(code.rawValue)")
                #expect(sentence.first?.isUppercase == true, "\(code.rawValue)")
                #expect(!sentence.contains("|"), "\(code.rawValue) would break the table")
            }
        }
    }

    @Test func everyRuleIsInTheListAndNoCodeIsForgotten() {
        let found = Set((ModelRule.all + ModelRule.swiftData).flatMap(\.codes) + ChangeRule.all.flatMap(\.codes))
        // The reader finds those of the document; the comparison with what was shipped, the review of a mapping model
        // and the silences are not rules.
        let others = LintCode.allCases.filter { code in
            code.rawValue.hasPrefix("FM0") || code.scope == .shipped || code.scope == .run || code == .unsoundMapping
        }
        #expect(found.union(others) == Set(LintCode.allCases))
        #expect(found.isDisjoint(with: others))
    }
}

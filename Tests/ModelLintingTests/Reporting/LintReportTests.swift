import Foundation
import ModelLinting
import Testing

@Suite struct LintReportTests {
    private let model = """
        <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="A"/>
        <attribute name="x" attributeType="Boolean"/></entity>
        """

    @Test func theTextReadsLikeACompilersAndEndsWithCounts() throws {
        let folder = try ModelFolder(model)
        let file = folder.bundle + "/M.xcdatamodel/contents"
        let report = LintReport(try folder.findings(), silences: nil, scopes: [.version], versions: [])
        #expect(
            report.description == """
                \(file):3: warning: A.b: the relationship to A has no inverse [FM301]
                \(file):4: note: A.x: the attribute is a required Boolean and has no default [FM205]
                1 warning, 1 note

                """)
        #expect(LintReport([], silences: nil, scopes: [], versions: []).description == "no findings\n")
    }

    @Test func annotationsOfGitHubEscapeWhatDelimitsThem() {
        let finding = LintFinding(
            .shippedVersionChanged, version: "V", entity: "A", property: "b", file: "a,b:c.swift", line: 7,
            message: "100 %\nmore: text")
        let note = LintFinding(.renamed, version: "V", file: "x", message: "m")
        let report = LintReport([finding, note], silences: nil, scopes: [], versions: [])
        #expect(
            report.gitHubAnnotations == """
                ::error file=a%2Cb%3Ac.swift,line=7,title=FM701 shipped-version-changed::A.b: 100 %25%0Amore: text
                ::notice file=x,title=FM605 renamed::m

                """)
    }

    @Test func jsonHasTheCountsAndEveryFinding() throws {
        let report = LintReport(try ModelFolder(model).findings(), silences: nil, scopes: [.version], versions: [])
        let data = try JSONEncoder().encode(LintReportDocument(report))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(document["warnings"] as? Int == 1)
        #expect(document["notes"] as? Int == 1)
        let first = try #require((document["findings"] as? [[String: Any]])?.first)
        #expect(first["code"] as? String == "FM301")
        #expect(first["entity"] as? String == "A")
        #expect(first["line"] as? Int == 3)
    }
}

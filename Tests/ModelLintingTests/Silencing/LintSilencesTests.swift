import ModelLinting
import TestSupport
import Testing

@Suite struct LintSilencesTests {
    private let model = """
        <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="A"/></entity>
        <entity name="B"><relationship name="b" optional="YES" maxCount="1" destinationEntity="A"/></entity>
        """

    private func report(_ silences: String) throws -> LintReport {
        let folder = try ModelFolder(model)
        let path = try folder.directory.write(silences, to: ".ferry-lint.yaml")
        #expect(LintSilences.path(beside: folder.bundle) == path)
        #expect(LintSilences.path(beside: folder.bundle + "/M.xcdatamodel") == path)
        #expect(LintSilences.path(beside: folder.directory.path + "/") == path)
        return LintReport(
            try folder.findings(), silences: try LintSilences(path: path), scopes: [.version], versions: ["M/M"])
    }

    @Test func anEntryTakesAFindingOutAndKeepsItsReason() throws {
        let report = try report("silence:\n  - {code: FM301, entity: A, property: b, reason: Known.}\n")
        #expect(report.findings.map(\.subject) == ["B.b"])
        #expect(report.silenced.map(\.finding.subject) == ["A.b"])
        #expect(report.silenced.map(\.silence.reason) == ["Known."])
        #expect(report.severity == .warning)
    }

    @Test func anEntryWithoutEntityIsForAll() throws {
        let report = try report("silence:\n  - code: FM301\n    version: M\n    reason: No inverses here.\n")
        #expect(report.findings.isEmpty)
        #expect(report.silenced.count == 2)
        #expect(report.severity == nil)
    }

    @Test func anEntryThatFitsNothingIsReportedOnItsLine() throws {
        let report = try report(
            """
            silence:
              - {code: FM301, reason: Known.}
              - {code: FM301, entity: C, reason: Was removed.}
              - {code: FM601, reason: For another run.}
              - {code: FM206, version: Other, reason: For another version.}
            """)
        #expect(report.findings.map(\.code) == [.unusedSilence])
        #expect(report.findings.first?.line == 3)
        #expect(report.findings.first?.file.hasSuffix(".ferry-lint.yaml") == true)
    }

    /// An entry for a version that the models do not have fits nothing in any run; one for another version may.
    @Test func anEntryForAVersionThatIsNotThereIsReported() throws {
        let folder = try ModelFolder(model)
        let path = try folder.directory.write(
            """
            silence:
              - {code: FM206, version: Other, reason: For another version.}
              - {code: FM301, reason: Known.}
              - {code: FM206, version: V9, reason: For none.}
            """, to: ".ferry-lint.yaml")
        let report = LintReport(
            try folder.findings(), silences: try LintSilences(path: path), scopes: [.version], versions: ["M/M"],
            known: ["M/M", "M/Other"])
        #expect(report.findings.map(\.code) == [.unusedSilence])
        #expect(report.findings.first?.line == 4)
    }

    @Test(arguments: [
        ("- a\n", "this must be a mapping"),
        ("silences: []\n", "the key \"silence\" is missing"),
        ("silence: all\n", "must be a list"),
        ("silence:\n  - FM301\n", "an entry must be a mapping"),
        ("silence:\n  - {code: FM301}\n", "the entry has no reason"),
        ("silence:\n  - {code: FM301, reason: \" \"}\n", "\"reason\" must be a string"),
        ("silence:\n  - {reason: Why.}\n", "the entry has no code"),
        ("silence:\n  - {code: FM999, reason: Why.}\n", "there is no code \"FM999\""),
        ("silence:\n  - {code: FM301, entitty: A, reason: Why.}\n", "did you mean entity?"),
        ("silence: [\n", "not well formed"),
    ])
    func whatIsWrongIsSaidWithItsPlace(text: String, message: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(text, to: "s.yaml")
        do throws(LintSilenceErrors) {
            _ = try LintSilences(path: path)
            Issue.record("accepted")
        } catch {
            #expect(error.description.contains(message), "\(error)")
            #expect(error.messages.first?.hasPrefix(path + ":") == true)
        }
    }

    @Test func anEmptyListIsAllRight() throws {
        #expect(try report("silence: []\n").findings.count == 2)
        #expect(try report("silence:\n").findings.count == 2)
    }

    @Test func thereIsNoneWhereThereIsNone() throws {
        let folder = try ModelFolder(model)
        #expect(LintSilences.path(beside: folder.bundle) == nil)
    }
}

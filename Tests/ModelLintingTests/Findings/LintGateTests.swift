import ManagedObjectModels
import ModelLinting
import TestSupport
import Testing

/// Which findings make a run fail, and how those that lose data are told from risks.
@Suite struct LintGateTests {
    private static func entity(_ attributes: String...) -> String {
        "<entity name=\"A\">\(attributes.joined())</entity>"
    }

    private static func attribute(_ name: String, _ type: String = "String") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
    }

    private static func report(_ gates: [LintGate], _ old: String, _ new: String) throws -> LintReport {
        let folder = try ModelFolder([("One", old), ("Two", new)])
        let versions = try folder.versions().versions
        let findings = try withExtendedLifetime(folder) {
            try ModelLinter.findings(from: versions[0], to: versions[1])
        }
        return LintReport(findings.raised(by: gates), silences: nil, scopes: [.change], versions: [])
    }

    @Test func lostDataAreErrorsOfTheirOwnWhereThatIsAskedFor() throws {
        let (old, new) = (
            Self.entity(Self.attribute("a"), Self.attribute("b", "Double")), Self.entity(Self.attribute("b", "Float"))
        )
        let report = try Self.report([.destructive], old, new)
        #expect(report.findings.filter { $0.severity == .error }.map(\.code) == [.lostData])
        #expect(report.findings.contains { $0.code == .dataDependent && $0.severity < .error })
        #expect(report.isStopped(by: [.destructive]))
        let risk = try Self.report([.destructive], Self.entity(Self.attribute("b", "Double")), new)
        #expect(risk.findings.map(\.code) == [.dataDependent] && !risk.isStopped(by: [.destructive]))
        #expect(risk.isStopped(by: [.code(.dataDependent)]) && !risk.isStopped(by: [.code(.lostData)]))
        #expect(risk.isStopped(by: [.severity(.note)]))
    }

    @Test func namesOfGatesAreReadAndWritten() {
        for name in ["note", "warning", "error", "destructive", "FM601"] {
            #expect(LintGate(name: name)?.name == name)
        }
        #expect(LintGate(name: "FM000") == nil && LintGate(name: "") == nil)
    }

    @Test func theStepsFromAllOlderVersionsAreFoundOnce() throws {
        let folder = try ModelFolder([
            ("1", Self.entity(Self.attribute("a"), Self.attribute("x"))),
            ("2", Self.entity(Self.attribute("a"), Self.attribute("y"))), ("3", Self.entity(Self.attribute("a"))),
            ("4", Self.entity(Self.attribute("b"))),
        ])
        defer { withExtendedLifetime(folder) {} }
        let versions = try folder.versions()
        let third = try versions.version("3")
        let found = try ModelLinter.findings(fromAll: versions, to: third).filter { $0.code == .lostData }
        #expect(
            found.map { "\($0.subject ?? "") \($0.message.split(separator: "(").last ?? "")" } == [
                "A.x from 1)", "A.y from 2)",
            ])
        let last = try ModelLinter.findings(fromAll: versions, to: try versions.version("4"))
        #expect(last.contains { $0.subject == "A.a" && $0.message.hasSuffix("(from 1, 2, 3)") })
    }
}

import Foundation
import TestSupport
import Testing

/// Options of the commands about models that decide what is shown, and what counts.
@Suite struct ModelOptionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let words: [String]
        var status: Int32 = 0
        var shown: [String] = []
        var hidden: [String] = []

        var testDescription: String { words.joined(separator: " ") }
    }

    static let cases: [Case] = [
        Case(words: ["diagram", "--format", "mermaid"], shown: ["lastName", "department"]),
        Case(
            words: ["diagram", "--format", "mermaid", "--properties", "relationships"], shown: ["manager"],
            hidden: ["lastName"]),
        Case(words: ["diagram", "--format", "dot", "--properties", "none"], shown: ["Employee"], hidden: ["lastName"]),
        Case(words: ["diagram", "--format", "mermaid", "--version", "Company"], shown: ["ParkingPlace"]),
        Case(
            words: ["diagram", "--format", "mermaid", "--from", "Company", "--to", "Company 2"], shown: ["Employee"],
            hidden: ["class e0[\"Department\"]"]),
        Case(
            words: ["diagram", "--format", "mermaid", "--from", "Company", "--to", "Company 2", "--all"],
            shown: ["class e0[\"Department\"]"]),
        Case(words: ["lint"], status: 1, shown: ["Manager.assistant", "FM408", "4 warnings"]),
        Case(words: ["lint", "--fail-on", "error"], shown: ["FM301"]),
        Case(words: ["lint", "--version", "Company", "--fail-on", "error"], shown: ["Employee.parkingPlace"]),
        Case(
            words: ["lint", "--from", "Company 3", "--to", "Company 4", "--format", "json"], status: 1,
            shown: ["\"FM301\""]),
        Case(words: ["lint", "--silence", "known.yaml"], shown: ["no findings"], hidden: ["FM301"]),
        Case(words: ["lint", "--against", Samples.models("Company"), "--fail-on", "error"], shown: ["4 warnings"]),
    ]

    @Test func anEditedVersionIsFoundBesideTheShippedOne() throws {
        let directory = try TemporaryDirectory()
        let models = directory.file("Company.xcdatamodeld")
        try FileManager.default.copyItem(atPath: Samples.models("Company"), toPath: models)
        let path = models + "/Company 2.xcdatamodel/contents"
        let contents = try String(contentsOfFile: path, encoding: .utf8)
        try contents.replacing("lastName", with: "surname").write(toFile: path, atomically: true, encoding: .utf8)
        let run = try ToolProcess.ferry(["lint", models, "--against", Samples.models("Company"), "--fail-on", "error"])
        #expect(run.status == 1 && run.output.contains("Company 2"), "\(run.summary)")
    }

    @Test(arguments: cases)
    func optionsDecideWhatIsShown(_ test: Case) throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            "silence:\n  - {code: FM301, reason: by design}\n  - {code: FM408, reason: by design}\n",
            to: "known.yaml")
        let run = try ToolProcess.ferry(
            [test.words[0], Samples.models("Company")] + test.words.dropFirst(), in: directory.path)
        #expect(run.status == test.status, "\(run.summary)")
        for text in test.shown { #expect(run.output.contains(text), "\(run.summary)") }
        for text in test.hidden { #expect(!run.output.contains(text), "\(run.summary)") }
    }
}

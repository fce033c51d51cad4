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

    @Test func aBrokenModelIsAFindingBesideThoseOfTheOthers() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.copyItem(
            atPath: Samples.models("Company"), toPath: directory.file("Company.xcdatamodeld"))
        try FileManager.default.createDirectory(
            atPath: directory.file("Other.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write("<model>\n<<<<<<< HEAD\n", to: "Other.xcdatamodel/contents")
        let run = try ToolProcess.ferry(["lint", ".", "--fail-on", "error"], in: directory.path)
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.output.contains("Other.xcdatamodel/contents:2: error: ") && run.output.contains("[FM011]"))
        #expect(run.output.contains("[FM301]") && run.output.contains("1 error, 4 warnings"), "\(run.summary)")
    }

    @Test func whatIsWrongWithABundleIsSaidWhereItIsInspected() throws {
        let directory = try TemporaryDirectory()
        let compiled = try ToolProcess.ferry(
            ["compile", Samples.models("Company"), "-o", "Company.momd", "--module", "App"], in: directory.path)
        try #require(compiled.status == 0, "\(compiled.summary)")
        try FileManager.default.removeItem(atPath: directory.file("Company.momd/Company 2.mom"))
        let inspected = try ToolProcess.ferry(["inspect", "Company.momd"], in: directory.path)
        #expect(
            inspected.status == 0 && inspected.errors.contains("lists the version \"Company 2\""),
            "\(inspected.summary)")
        let again = try ToolProcess.ferry(["compile", "Company.momd", "-o", "Again.momd"], in: directory.path)
        #expect(again.status == 1 && again.errors.contains("lists the version \"Company 2\""), "\(again.summary)")
        try FileManager.default.removeItem(atPath: directory.file("Company.momd/VersionInfo.plist"))
        let source = try ToolProcess.ferry(
            ["decompile", "Company.momd", "-o", "Company.xcdatamodeld"], in: directory.path)
        #expect(source.status == 1 && source.errors.contains("no version is chosen"), "\(source.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("Company.xcdatamodeld/.xccurrentversion")))
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

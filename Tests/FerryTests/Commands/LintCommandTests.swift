import Foundation
import TestSupport
import Testing

/// `ferry lint` as a build server runs it.
@Suite struct LintCommandTests {
    private static let recipes = Samples.models("Recipes")

    /// A copy of the sample's models, to edit.
    private func copy(_ name: String, in directory: TemporaryDirectory) throws -> String {
        let bundle = directory.file(name + ".xcdatamodeld")
        try FileManager.default.copyItem(atPath: Samples.models(name), toPath: bundle)
        return bundle
    }

    @Test(arguments: [
        ([Samples.models("Ledger")], 0), ([recipes], 1), ([recipes, "--fail-on", "error"], 0),
        ([recipes, "--version", "Recipes 1", "--fail-on", "warning"], 1), ([recipes, "--version", "Recipes 9"], 2),
        (["missing"], 2), ([recipes, "--silence", "missing.yaml"], 2), ([recipes, "--against", "missing"], 2),
        ([recipes, "--output", "missing/report"], 2), ([recipes, "--fail-on", "none"], 64),
        ([Samples.models("Ledger"), "--from", "Ledger", "--to", "Ledger type change", "--fail-on", "error"], 1),
    ])
    func theStatusIsWhatAScriptNeeds(words: [String], status: Int) throws {
        let directory = try TemporaryDirectory()
        let run = try ToolProcess.ferry(["lint"] + words, in: directory.path)
        #expect(Int(run.status) == status, "\(run.summary)")
        #expect(run.output.isEmpty == (status > 1))
        #expect(run.errors.isEmpty == (status < 2))
    }

    @Test func whatLintCanFailOnIsListed() throws {
        let run = try ToolProcess.ferry(["lint", Self.recipes, "--fail-on", "FM999"])
        #expect(run.status == 64, "\(run.summary)")
        for known in ["note, warning, error, destructive", "FM001", "FM701"] {
            #expect(run.errors.contains(known), "\(run.errors)")
        }
    }

    @Test func aSilenceBesideTheModelIsFoundByItself() throws {
        let directory = try TemporaryDirectory()
        let bundle = try copy("Recipes", in: directory)
        try directory.write(
            "silence:\n  - {code: FM301, entity: Chef, property: favorites, reason: Nobody asks.}\n",
            to: ".ferry-lint.yaml")
        let run = try ToolProcess.ferry(["lint", bundle])
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output == "no findings, 1 silenced\n")
        try directory.write("silence:\n  - {code: FM301}\n", to: ".ferry-lint.yaml")
        let refused = try ToolProcess.ferry(["lint", bundle])
        #expect(refused.status == 2)
        #expect(refused.errors.contains(".ferry-lint.yaml:2:5: the entry has no reason"), "\(refused.errors)")
    }

    @Test func anEditOfAShippedVersionIsFound() throws {
        let directory = try TemporaryDirectory()
        let bundle = try copy("Recipes", in: directory)
        let file = bundle + "/Recipes 2.xcdatamodel/contents"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let edited = text.replacing("name=\"country\"", with: "name=\"homeland\"")
        #expect(edited != text)
        try edited.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try ToolProcess.ferry(["lint", bundle, "--against", Self.recipes, "--fail-on", "error"])
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.output.contains("error: Chef: since \(Self.recipes) the entity has another version hash"))
        #expect(run.output.contains("[FM701]"))
    }

    @Test func aRevisionThatHasNoSuchModelIsANote() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "file")
        for words in [
            ["init", "-q"], ["add", "file"],
            ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--no-gpg-sign", "-m", "one"],
        ] {
            let run = try ToolProcess.run("/usr/bin/env", ["git", "-C", directory.path] + words)
            try #require(run.status == 0, "\(run.summary)")
        }
        let bundle = try copy("Ledger", in: directory)
        let run = try ToolProcess.ferry(["lint", bundle, "--against", "HEAD"])
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.errors.contains("note: HEAD has no model"))
        let unknown = try ToolProcess.ferry(["lint", bundle, "--against", "v1"])
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("there is no revision \"v1\""))
    }

    @Test func theFileIsWhatWouldBePrinted() throws {
        let directory = try TemporaryDirectory()
        for format in ["text", "json", "sarif"] {
            let printed = try ToolProcess.ferry(["lint", Self.recipes, "--format", format])
            let file = directory.file(format)
            let written = try ToolProcess.ferry(["lint", Self.recipes, "--format", format, "--output", file])
            #expect(written.output.isEmpty)
            #expect(written.status == 1)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.output)
        }
    }

    @Test func everyKeyOfTheJSONIsDocumented() throws {
        let run = try ToolProcess.ferry(["lint", Self.recipes, "--format", "json"])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let finding = try #require((document["findings"] as? [[String: Any]])?.first)
        let documented = Documentation.words(
            in: try Documentation.page("scripting").text(of: "JSON"), like: /[a-z][A-Za-z]*/)
        #expect(Set(document.keys).union(finding.keys).subtracting(documented) == [])
    }
}

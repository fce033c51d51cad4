import Foundation
import TestSupport
import Testing

/// `ferry mapping convert` and `ferry mapping check`, over the project's own models.
@Suite struct MappingCommandTests {
    private static func run(_ words: [String], in directory: TemporaryDirectory) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private static let text = """
        mapping: 1
        entities:
          - source: Department
            destination: Department
            attributes:
              name: '"Dept. " + $source.name'
        """

    private func text(_ name: String, in directory: TemporaryDirectory) throws -> String {
        try String(contentsOfFile: directory.file(name), encoding: .utf8)
    }

    @Test func allThreeFormsLeadBackToTheFirst() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text, to: "a.yaml")
        for (from, to) in [("a.yaml", "b.xcmappingmodel"), ("b.xcmappingmodel", "c.cdm"), ("c.cdm", "d.yaml")] {
            let result = try Self.run(["mapping", "convert", from, "--output", to], in: directory)
            #expect(result.status == 0, "\(result.summary)")
        }
        let again = try Self.run(["mapping", "convert", "a.yaml", "--output", "e.yaml"], in: directory)
        #expect(again.status == 0)
        let (first, last) = (try text("e.yaml", in: directory), try text("d.yaml", in: directory))
        #expect(first.contains("name: DepartmentToDepartment") && first.contains("$source.name"))
        // Only the compiled form spells out the type.
        #expect(first == last)
    }

    /// The beginning of the file that a form has: in the folder of the source form it has a name of its own.
    private static let forms = [
        ("yaml", "", "mapping: 1"), ("xcmappingmodel", "/xcmapping.xml", "<?xml"), ("cdm", "", "bplist00"),
    ]

    @Test(arguments: forms, ["output", "output.cdm", "output.yaml"])
    func aFormThatIsAskedForCountsMoreThanTheExtension(
        form: (word: String, file: String, beginning: String), output: String
    ) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text, to: "a.yaml")
        let words = ["mapping", "convert", "a.yaml", "--output", output, "--form", form.word]
        let made = try Self.run(words, in: directory)
        #expect(made.status == 0, "\(made.summary)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file(output + form.file)))
        #expect(bytes.starts(with: form.beginning.utf8))
        // Read by its content, it says the same.
        for (from, to) in [(output, "again.yaml"), ("a.yaml", "direct.yaml")] {
            let back = try Self.run(["mapping", "convert", from, "--output", to], in: directory)
            #expect(back.status == 0, "\(back.summary)")
        }
        #expect(try text("again.yaml", in: directory) == text("direct.yaml", in: directory))
    }

    @Test(arguments: [
        ["--output", "b.yaml", "--form", "mom"], ["--output", "b.yaml", "--form", ""], ["--output", "b"],
        ["--output", "b.mom"], [],
    ])
    func anUnknownFormIsRefused(words: [String]) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text, to: "a.yaml")
        let run = try Self.run(["mapping", "convert", "a.yaml"] + words, in: directory)
        let option = words.contains("--form") ? "--form" : "--output"
        #expect(run.status == 64 && run.errors.contains(option), "\(run.summary)")
        #expect(try FolderState(of: directory.path).names == ["a.yaml"])
    }

    @Test func modelsFillInWhatIsLeftToTheCompiler() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text, to: "a.yaml")
        let models = Samples.models("Company")
        let result = try Self.run(
            [
                "mapping", "convert", "a.yaml", "-o", "c.yaml", "--models", models, "--from", "Company", "--to",
                "Company 2",
            ],
            in: directory)
        #expect(result.status == 0, "\(result.summary)")
        let text = try text("c.yaml", in: directory)
        #expect(text.contains("type: transform") && text.contains("sourceHash: sha256-"))
    }

    /// Without the models nobody could say what a property has that is left to the compiler: it would be lost.
    @Test func whatIsLeftToTheCompilerNeedsTheModels() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text + "\n      budget: !generated\n", to: "a.yaml")
        let words = ["mapping", "convert", "a.yaml", "-o", "c.cdm"]
        let refused = try Self.run(words, in: directory)
        #expect(refused.status == 2 && refused.errors.contains("DepartmentToDepartment.budget: "), "\(refused.summary)")
        #expect(refused.errors.contains("--models") && !FileManager.default.fileExists(atPath: directory.file("c.cdm")))
        let models = ["--models", Samples.models("Company"), "--from", "Company", "--to", "Company 2"]
        #expect(try Self.run(words + models, in: directory).status == 0)
        #expect(try Self.run(["mapping", "convert", "c.cdm", "-o", "d.yaml"], in: directory).status == 0)
        #expect(try text("d.yaml", in: directory).contains("budget: $source.budget"))
    }

    @Test func errorsHaveTheirPlaceAndACaret() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text.replacing("$source.name", with: "$source.nme"), to: "a.yaml")
        let words = ["mapping", "check", "a.yaml", "--models", Samples.models("Company"), "--from", "Company"]
        let result = try Self.run(words + ["--to", "Company 2"], in: directory)
        #expect(result.status == 2, "\(result.summary)")
        let json = try Self.run(words + ["--to", "Company 2", "--json"], in: directory)
        #expect(json.status == 2)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect((object?["problems"] as? [[String: Any]])?.isEmpty == false)
        let broken = try directory.write("mapping: 1\nentities:\n  - sorce: A\n", to: "b.yaml")
        let syntax = try Self.run(["mapping", "check", broken, "--models", Samples.models("Company")], in: directory)
        #expect(syntax.status == 2)
        #expect(syntax.errors.contains("b.yaml:3:5: ") && syntax.errors.contains("did you mean \"source\"?"))
        #expect(syntax.errors.contains("^"))
    }

    @Test func aVersionThatCannotBeToldIsAskedFor() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Self.text, to: "a.yaml")
        let result = try Self.run(["mapping", "check", "a.yaml", "--models", Samples.models("Company")], in: directory)
        #expect(result.status == 2)
        #expect(result.errors.contains("--from VERSION"))
    }
}

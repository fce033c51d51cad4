import Foundation
import TestSupport
import Testing

/// Mappings that say what the model does not have: all of it is told at once, before anything is touched.
@Suite struct MappingRefusalTests {
    private let directory: TemporaryDirectory
    private let store: String

    init() throws {
        directory = try TemporaryDirectory()
        store = directory.file("Company.sqlite")
    }

    private func run(_ mapping: String, _ more: [String] = []) throws -> ToolProcess.Result {
        let path = try directory.write(mapping, to: "mapping.yaml")
        let source = try directory.write("Code,Name\n1,Research\n", to: "divisions.csv")
        return try ToolProcess.ferry(
            ["import", source, "--store", store, "--models", Samples.models("Company"), "--mapping", path] + more)
    }

    @Test func everyUnknownNameIsShownAtItsPlace() throws {
        let run = try run(
            """
            import: 1
            files: divisions.csv
            entity: Division
            key: kode
            attributes:
              code: {from: Code, date: dd.MM.yyyy}
              nmae: Name
            relationships:
              employes: {by: employeeID, from: Code}
            """)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        let mapping = directory.file("mapping.yaml")
        for place in ["4:1", "6:22", "7:3", "9:3"] {
            #expect(run.errors.contains("\(mapping):\(place): "), "\(run.errors)")
        }
        // Each with the line and a caret below it, and with what may have been meant.
        #expect(run.errors.contains("nmae: Name\n"))
        #expect(run.errors.split(separator: "\n").filter { $0.hasSuffix("^") || $0.contains("^~") }.count == 4)
        #expect(run.errors.contains("did you mean \"name\"?"))
        #expect(run.errors.contains("did you mean \"employees\"?"))
        #expect(!FileManager.default.fileExists(atPath: store))
        #expect(try FolderState(of: directory.path).names == ["divisions.csv", "mapping.yaml"])
    }

    @Test func anUnknownEntityIsShownAtItsPlace() throws {
        let run = try run("import: 1\nentity: Divison\nattributes: [code]\n", ["--dry-run"])
        #expect(run.status == 2)
        #expect(run.errors.contains("mapping.yaml:2:9: "), "\(run.errors)")
        #expect(run.errors.contains("did you mean \"Division\"?"))
    }

    @Test func aConstantThatIsNoValueOfItsAttributeIsShownAtItsPlace() throws {
        let run = try run(
            "import: 1\nentity: Division\nattributes:\n  name: Name\n  code: {constant: many}\n")
        #expect(run.status == 2)
        #expect(run.errors.contains("mapping.yaml:5:10: "), "\(run.errors)")
        #expect(run.errors.contains("Division.code"))
    }

    @Test func whatRejectsEveryNewObjectIsWarnedOf() throws {
        let run = try run("import: 1\nentity: Division\nkey: code\nattributes: {code: Code}\n")
        #expect(run.errors.contains("warning: "))
        #expect(run.errors.contains("mapping.yaml:2:9: "), "\(run.errors)")
        #expect(run.errors.contains("Division requires name"))
        #expect(run.status == 1)
    }
}

import DocumentReading
import Foundation
import ImportTestSupport
import ManagedObjectModels
import TestSupport
import Testing

@testable import ImportMappings

@Suite struct MappingExamplesTests {
    private static let repository = URL(fileURLWithPath: Samples.path).deletingLastPathComponent()
    private static let folder = repository.appendingPathComponent("Mappings").path
    private static let page = repository.appendingPathComponent("docs/importing.md").path

    /// The example, its model, and the files that it is for.
    static let examples: [(mapping: String, model: String, files: [String])] = [
        ("directory", "Company", ["divisions.csv", "employees.csv", "projects.csv", "team.csv"]),
        ("recipes-json", "Recipes", ["recipes.json"]),
        ("recipes-xml", "Recipes", ["recipes.xml"]),
        ("chefs", "Recipes", ["chefs.ndjson"]),
        ("legacy", "Company", []),
    ]

    @Test(arguments: examples) func everyExampleFitsItsModelAndFiles(
        example: (mapping: String, model: String, files: [String])
    ) throws {
        let path = "\(Self.folder)/\(example.model)/\(example.mapping).yaml"
        let document = try ImportMappingReader.read(path: path)
        let model = try ResolvedModel(ModelVersions(path: Samples.models(example.model)).current().model())
        #expect(try document.review(for: model).map(\.description) == [])
        let files = example.files.map { "\(Samples.path)/\(example.model)/import/\($0)" }
        let assignment = try SourceAssignment(paths: files, mapping: document.mapping)
        #expect(example.files.isEmpty || assignment.unusedSources == [])
        // Written and read again it says the same.
        #expect(try ImportMapping(yaml: ImportMappingWriter.yaml(document.mapping)) == document.mapping)
    }

    @Test func everyExampleIsTested() throws {
        let names = Set(Self.examples.map { "\($0.model)/\($0.mapping).yaml" })
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder)
        let imports = try files.filter { $0.hasSuffix(".yaml") }.filter { file in
            try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8).contains("\nimport: 1\n")
        }
        #expect(Set(imports) == names)
    }

    @Test func thePageHasEveryKey() throws {
        let page = try String(contentsOfFile: Self.page, encoding: .utf8)
        let keys =
            MappingKeys.file + MappingKeys.source + MappingKeys.object + MappingKeys.nestedObject
            + MappingKeys.attribute + MappingKeys.keyTarget + MappingKeys.sourceKeyTarget + MappingKeys.reference
            + MappingKeys.condition + MappingKeys.filterGroups
        // `object` stands in an example of its own.
        for key in keys where key != "object" { #expect(page.contains("`\(key)`"), "\(key)") }
        #expect(page.contains("{object: origin}"))
    }

    @Test func theMappingsOnThePageAreValid() throws {
        let page = try String(contentsOfFile: Self.page, encoding: .utf8)
        let blocks = page.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count >= 5)
        for block in blocks {
            let isWhole = block.contains("import: 1\n")
            let isFilter = block.hasPrefix("where:")
            let inside = block.split(separator: "\n").map { "  \($0)\n" }.joined()
            let text =
                isWhole
                ? block : "import: 1\nentity: A\n" + (isFilter ? block : "relationships:\n" + inside)
            #expect(throws: Never.self, "\(text)") { try ImportMapping(yaml: text) }
        }
    }
}

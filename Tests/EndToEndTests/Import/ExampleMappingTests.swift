import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// The examples of import mappings, run as their comments say.
@Suite struct ExampleMappingTests {
    private let directory: TemporaryDirectory
    private static let folder = URL(fileURLWithPath: Samples.path).deletingLastPathComponent()
        .appendingPathComponent("Mappings").path

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func run(_ files: [String], _ mapping: String, _ model: String) throws -> ToolProcess.Result {
        try ToolProcess.ferry(
            ["import"] + files + [
                "--mapping", "\(Self.folder)/\(model)/\(mapping).yaml", "--models", Samples.models(model),
            ]
                + ["--store", directory.file("s.sqlite"), "--progress", "none", "--json"])
    }

    private func rows(_ query: String) throws -> [String] {
        let connection = try Connection(path: directory.file("s.sqlite"), access: .readOnly)
        defer { try? connection.close() }
        return try KnownFacts.rows(query, connection)
    }

    @Test func severalFilesOfOneExport() throws {
        let files = ["divisions", "employees", "projects", "team"].map { "\(Samples.path)/Company/import/\($0).csv" }
        let first = try run(files, "directory", "Company")
        #expect(first.status == 0, "\(first.summary)")
        #expect(try rows("SELECT count(*) FROM ZORGANIZATION") == ["3"])
        #expect(try rows("SELECT count(*) FROM ZPERSON") == ["6"])
        let second = try run(files, "directory", "Company")
        #expect(second.status == 0, "\(second.summary)")
        #expect(try ImportReading(second.output).changes == 0, "\(second.output)")
    }

    @Test func aDatabaseOfAnotherProgram() throws {
        let database = directory.file("legacy.sqlite")
        let made = try ToolProcess.run(
            "/usr/bin/env", ["sqlite3", database, ".read '\(Samples.path)/Company/import/legacy.sql'"])
        try #require(made.status == 0, "\(made.summary)")
        let first = try run([database], "legacy", "Company")
        #expect(first.status == 0, "\(first.summary)")
        #expect(try rows("SELECT count(*) FROM ZPERSON WHERE ZDEPARTMENT IS NOT NULL") != ["0"])
        #expect(try ImportReading(run([database], "legacy", "Company").output).changes == 0)
    }

    /// The second file goes into a store that is there, whose derived attribute has triggers.
    @Test func nestedJSONAndThenXMLIntoOneStore() throws {
        let json = try run(["\(Samples.path)/Recipes/import/recipes.json"], "recipes-json", "Recipes")
        #expect(json.status == 0, "\(json.summary)")
        let xml = try run(["\(Samples.path)/Recipes/import/recipes.xml"], "recipes-xml", "Recipes")
        #expect(xml.status == 0, "\(xml.summary)")
        #expect(try rows("SELECT count(*) FROM ZRECIPE") == ["4"])
    }
}

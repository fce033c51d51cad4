import TestSupport
import Testing

/// A mapping model that `ferry infer --output` wrote gives what inference gives.
@Suite struct EditedMappingTests {
    @Test(
        .long,
        arguments: [
            ("Company", "Company 2", ["ZPERSON", "ZDEPARTMENT", "ZPROJECT", "ZPARKINGPLACE", "ZSKILL"]),
            ("Company", "Company 3", ["ZPERSON", "ZORGANIZATION", "ZPROJECT"]),
            ("Recipes 1", "Recipes 2", ["ZRECIPE", "ZCHEF", "ZCATEGORY", "ZINGREDIENT"]),
        ])
    func givesWhatInferenceGives(from: String, to: String, tables: [String]) throws {
        let sample = String(from.prefix { $0 != " " })
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore(sample, in: directory)
        let mapping = directory.file("mapping.yaml")
        let models = ["--models", Samples.models(sample)]
        let written = try ToolProcess.ferry(["infer", "--from", from, "--to", to, "--output", mapping] + models)
        #expect(written.status < 2, "\(written.summary)")
        func migrate(_ name: String, _ more: [String]) throws -> String {
            let output = directory.file(name)
            let run = try ToolProcess.ferry(
                ["migrate", store, "--to", to, "--output", output, "--progress", "none"] + models + more)
            #expect(run.status < 2, "\(run.summary)")
            return output
        }
        let inferred = try migrate("inferred.sqlite", ["--chain", "direct"])
        let edited = try migrate("edited.sqlite", ["--mapping", mapping])
        try StoreRows.expectSound(edited, "\(Samples.models(sample))/\(to).xcdatamodel")
        for table in tables {
            let names = try StoreRows.of(inferred, "SELECT name FROM pragma_table_info('\(table)') ORDER BY name").map {
                $0[0]
            }
            #expect(!names.isEmpty, "\(table)")
            let columns = names.map { "quote(\"\($0)\")" }
            let query = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY Z_PK"
            #expect(try StoreRows.of(edited, query) == StoreRows.of(inferred, query), "\(table)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The sample tool with a type of store of its own.
@Suite struct CustomStoreToolTests {
    private let directory: TemporaryDirectory
    private static let models = Samples.models("Company")

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func run(_ words: [String]) throws -> ToolProcess.Result {
        let tool = TestSettings.tools + "/line-store"
        return try ToolProcess.run(tool, words, in: directory.path)
    }

    @Test func aStoreOfOnesOwnTypeIsConvertedBothWaysVerifiedAndQueried() throws {
        let store = try Samples.buildStore("Company", in: directory)
        let there = try run(["convert", store, Self.models, "a.lines"])
        #expect(there.status == 0, "\(there.summary)")
        #expect(try String(contentsOfFile: directory.file("a.lines"), encoding: .isoLatin1).hasPrefix("line-store\t"))
        let back = try run(["convert", "a.lines", Self.models, "b.sqlite"])
        #expect(back.status == 0, "\(back.summary)")
        func fetched(_ store: String, _ columns: String) throws -> String {
            let result = try ToolProcess.ferry(
                [
                    "fetch", store, "--models", Self.models, "--version", "Company", "--entity", "Employee", "--format",
                    "csv",
                ]
                    + ["--columns", columns, "--sort", "employeeID"], in: directory.path)
            #expect(result.status == 0, "\(result.summary)")
            return result.output
        }
        let columns =
            "employeeID,lastName,notes,hired,salary,rating,photo,preferences,badge,department.code,manager.employeeID"
        let (before, after) = (try fetched(store, columns), try fetched("b.sqlite", columns))
        #expect(before == after && before.count > 1000)
        let found = try run(["fetch", "a.lines", Self.models, "Employee", "ANY projects.title BEGINSWITH 'A'"])
        #expect(
            found.status == 0 && found.output.contains("Lovelace") && found.output.hasPrefix("objectID,"),
            "\(found.summary)")
        let verified = try run(["verify", "a.lines", Self.models])
        #expect(verified.status == 0 && verified.output.contains("a.lines"), "\(verified.summary)")
    }

    @Test(arguments: ["line-store\tU\tzz\n", "line-store\n", "line-store\tU\t62\nNobody\t1\n"])
    func aDamagedStoreIsAnErrorWithItsLine(text: String) throws {
        try directory.write(text, to: "a.lines")
        let result = try run(["convert", "a.lines", Self.models, "b.sqlite"])
        #expect(result.status == 2 && result.errors.contains("a.lines"), "\(result.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("b.sqlite")))
    }
}

import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Real files of other people imported whole, compared with what a script that is not ours to trust found in them.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here: real data are skipped"))
struct RealDataImportTests {
    private let directory: TemporaryDirectory
    private let store: String

    init() throws {
        directory = try TemporaryDirectory()
        store = directory.file("Store.sqlite")
    }

    private func run(_ data: RealData, _ more: [String] = []) throws -> (run: ToolProcess.Result, report: ImportReading)
    {
        let run = try ToolProcess.ferry(["import"] + data.words + ["--store", store, "--json"] + more)
        return (run, try ImportReading(run.output))
    }

    @Test(.long, arguments: RealData.all) func allOfItIsInTheStore(_ data: RealData) throws {
        let first = try run(data)
        #expect(first.run.status == data.status, "\(first.run.summary)")
        #expect(first.report.rejected == 0)
        try data.check(store)
        try checkStore(data)

        // The same files again change nothing.
        let before = try objectVersions()
        let second = try run(data)
        #expect(second.run.status == data.status)
        #expect(second.report.changes == 0, "\(second.run.output)")
        #expect(try objectVersions() == before)
        try data.check(store)
        try checkStore(data)
    }

    /// Small batches, so that what belongs together is read apart.
    @Test(.long, arguments: RealData.all) func batchesOfAFewRecordsGiveTheSame(_ data: RealData) throws {
        // Thousands of batches of cities would say nothing that these do not.
        let rows = data.name == "atlas" || data.name == "travel" ? "97" : "3"
        let first = try run(data, ["--batch-rows", rows])
        #expect(first.run.status == data.status, "\(first.run.summary)")
        try data.check(store)
        try checkStore(data)
    }

    @Test(.long, arguments: RealData.all) func aDryRunCountsTheSameAndLeavesNothing(_ data: RealData) throws {
        let dry = try run(data, ["--dry-run"])
        #expect(dry.run.status == data.status)
        #expect(!FileManager.default.fileExists(atPath: store))
        let wet = try run(data)
        #expect(dry.report.entities == wet.report.entities)
    }

    private func checkStore(_ data: RealData) throws {
        guard StoreChecker.isPresent else { return }
        for command in ["layout", "integrity"] {
            let verdict = try StoreChecker.check(command, store, data.modelPath)
            #expect(verdict.status == 0 && !verdict.text.contains("warning:"), "\(command): \(verdict.text)")
        }
    }

    /// How often each object was changed, and how many there are.
    private func objectVersions() throws -> [String] {
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%Z_OPT INTEGER%' ORDER BY 1")
        return try tables.compactMap { $0[0].string }.map { table in
            let row = try connection.rows("SELECT count(*), sum(Z_OPT) FROM \(SQLiteIdentifier.quoted(table))")
            return "\(table) \(row[0][0].integer ?? 0) \(row[0][1].integer ?? 0)"
        }
    }
}

/// The recorded facts against the script that tells them.
@Suite(
    .enabled(
        if: Corpus.isPresent && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
        "the corpus or Python is not here"))
struct KnownFactsTests {
    @Test func theRecordedFactsAreThoseOfTheScript() throws {
        let run = try ToolProcess.run("/usr/bin/python3", ["-B", KnownFacts.folder + "/facts", Corpus.path ?? ""])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try String(contentsOfFile: KnownFacts.folder + "/facts.txt", encoding: .utf8) == run.output)
    }
}

/// The mappings of the samples, whether their data are here or not.
@Suite struct SampleMappingTests {
    @Test func eachIsImportedByATest() throws {
        let folder = Samples.path + "/Mappings"
        let mappings = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        #expect(Set(mappings) == Set(RealData.all.map(\.mapping)))
    }

    /// A mapping that does not fit its model is refused before any file is looked for.
    @Test(arguments: RealData.all.filter { !$0.model.hasPrefix("/") }) func eachFitsItsModel(_ data: RealData) throws {
        let directory = try TemporaryDirectory()
        let run = try ToolProcess.ferry(
            ["import", directory.file("none"), "--store", directory.file("s.sqlite"), "--models", data.modelPath]
                + ["--mapping", "\(Samples.path)/Mappings/\(data.mapping)"])
        #expect(run.status == 2)
        #expect(run.errors.contains(directory.file("none")), "\(run.errors)")
    }
}

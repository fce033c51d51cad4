import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Drafts for real files of other people, imported as they stand; what is in the files is counted without Ferry.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here: real data are skipped"))
struct RealDraftTests {
    private let directory: TemporaryDirectory
    private let corpus = (Corpus.path ?? "") + "/7_data/"

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Imports files by their draft, twice: nothing is rejected, and what has a key is not written again.
    private func imported(_ files: [String], _ model: String, unkeyed: Set<String> = []) throws -> Connection {
        let words = files.map { corpus + $0 } + ["--models", model]
        let draft = try ToolProcess.ferry(["import"] + words + ["--draft-mapping"])
        try #require(draft.status == 0, "\(draft.summary)")
        let mapping = try directory.write(draft.output, to: "draft.yaml")
        let store = directory.file("S.sqlite")
        for round in 1...2 {
            let run = try ToolProcess.ferry(
                ["import"] + words + ["--mapping", mapping, "--store", store, "--progress", "none", "--json"])
            try #require(run.status == 0, "\(run.summary)")
            let report = try ImportReading(run.output)
            #expect(report.rejected == 0)
            for entity in report.entities where round == 2 && !unkeyed.contains(entity.entity) {
                #expect(entity.inserted + entity.updated + entity.related == 0, "\(entity.entity)")
            }
        }
        return try Connection(path: store, access: .readOnly)
    }

    private func records(in file: String) throws -> Int64 {
        let text = try String(contentsOfFile: corpus + file, encoding: .utf8)
        return Int64(text.split(whereSeparator: \.isNewline).count) - 1
    }

    @Test func aTransitFeedIsImportedByItsDraft() throws {
        let folder = "google__transit/gtfs/spec/en/examples/sample-feed-1/"
        let tables = [
            "agency": "ZAGENCY", "calendar": "ZSERVICE", "fare_attributes": "ZFARE", "routes": "ZROUTE",
            "stops": "ZSTOP",
            "trips": "ZTRIP",
        ]
        let files = tables.keys.sorted() + ["fare_rules", "frequencies", "stop_times"]
        let connection = try imported(
            files.map { "\(folder)\($0).txt" }, "\(Samples.path)/Mappings/Transit/Transit.xcdatamodel",
            unkeyed: ["Frequency", "StopTime"])
        defer { try? connection.close() }
        for (file, table) in tables {
            #expect(
                try connection.value("SELECT count(*) FROM \(table)").integer == records(in: "\(folder)\(file).txt"),
                "\(file)")
        }
        // Each line of the rules relates a fare and a route.
        #expect(
            try connection.value("SELECT count(*) FROM Z_3ROUTES").integer == records(in: folder + "fare_rules.txt"))
        #expect(
            try connection.value("SELECT count(*) FROM ZTRIP WHERE ZROUTE IS NULL OR ZSERVICE IS NULL").integer == 0)
    }

    @Test func aMapIsImportedByItsDraft() throws {
        let file = "osmcode__osm-testdata/grid/data/all.osm"
        let connection = try imported([file], "\(Samples.path)/Mappings/StreetMap/StreetMap.xcdatamodel")
        defer { try? connection.close() }
        let text = try String(contentsOfFile: corpus + file, encoding: .utf8)
        for (element, table) in [("node", "ZNODE"), ("way", "ZWAY"), ("relation", "ZRELATION")] {
            let count = Int64(text.components(separatedBy: "<\(element) ").count - 1)
            #expect(try connection.value("SELECT count(*) FROM \(table)").integer == count, "\(element)")
        }
    }
}

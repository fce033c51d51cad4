import Foundation
import TestSupport
import Testing

/// Real files of other people imported, exported with the mapping that read them, and imported again.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here: real data are skipped"))
struct RealDataExportTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func export(_ data: RealData, _ options: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(
            ["export", "a.sqlite", "--models", data.modelPath, "--mapping", data.mappingPath, "--output", "out/"]
                + options, in: directory.path)
    }

    /// What comes back, in one format of each kind; the largest files in their own only.
    private static let trips: [(RealData, String?)] = RealData.all.flatMap { data in
        let isLarge = data.name == "atlas" || data.name == "travel"
        return (isLarge ? [nil] : [nil, "json", "xml"]).map { (data, $0) }
    }

    @Test(.long, arguments: trips) func allOfItComesBackFromItsExport(data: RealData, format: String?) throws {
        let first = try ToolProcess.ferry(["import"] + data.words + ["--store", directory.file("a.sqlite")])
        #expect(first.status == data.status, "\(first.summary)")
        let options = format.map { ["--format", $0, "--write-mapping", "w.yaml"] } ?? []
        let exported = try export(data, options)
        #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported.summary)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("out"))
        let files = names.sorted().map { "out/" + $0 }
        let mapping = format == nil ? data.mappingPath : "w.yaml"
        let again = try ToolProcess.ferry(
            ["import"] + files + ["--models", data.modelPath, "--mapping", mapping, "--store", "b.sqlite"]
                + ["--progress", "none"], in: directory.path)
        #expect(again.isComplete, "\(again.summary)")
        try data.check(directory.file("b.sqlite"))
    }

    /// Records of CSV hold no parts: that is said of each relationship, and nothing is written.
    @Test(arguments: RealData.all.filter { ["gpx", "osm"].contains($0.name) })
    func partsAreNotForCSV(_ data: RealData) throws {
        _ = try ToolProcess.ferry(["import"] + data.words + ["--store", directory.file("a.sqlite")])
        let run = try export(data, ["--format", "csv", "--write-mapping", "w.yaml"])
        #expect(run.status == 2 && run.errors.contains("records of CSV have no parts such as"), "\(run.summary)")
        #expect(try FolderState(of: directory.path).names == ["a.sqlite"])
    }
}

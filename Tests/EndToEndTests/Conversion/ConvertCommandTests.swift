import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@Suite struct ConvertCommandTests {
    private static func store() throws -> (directory: TemporaryDirectory, path: String) {
        let directory = try TemporaryDirectory()
        return (directory, try Samples.buildStore("Company", in: directory))
    }

    private static let models = ["--models", Samples.models("Company"), "--progress", "none"]

    @Test func aStoreGoesThroughAllTypesAndIsStillTheSame() throws {
        let (directory, path) = try Self.store()
        defer { withExtendedLifetime(directory) {} }
        let before = try FolderState(of: FileSystem.directory(of: path))
        var previous = path
        for name in ["a.xml", "b.binary", "c.sqlite"] {
            let run = try ToolProcess.ferry(["convert", previous, "--output", directory.file(name)] + Self.models)
            #expect(run.status == 0, "\(run.summary)")
            previous = directory.file(name)
        }
        let counts = try [path, previous].map { store -> [String] in
            let run = try ToolProcess.ferry(["inspect", store, "--models", Samples.models("Company"), "--json"])
            let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            return (object?["entities"] as? [[String: Any]] ?? []).map { "\($0["name"] ?? "") \($0["rows"] ?? "")" }
        }
        #expect(counts[0] == counts[1] && !counts[0].isEmpty)
        let after = try FolderState(of: FileSystem.directory(of: path))
        #expect(after.differences(from: before).allSatisfy { ["a.xml", "b.binary", "c.sqlite"].contains($0) })
    }

    @Test func keysAreKeptOrTold() throws {
        let (directory, path) = try Self.store()
        defer { withExtendedLifetime(directory) {} }
        let keys = "SELECT Z_UUID, Z_ENT, Z_PK FROM ZPERSON, Z_METADATA ORDER BY Z_PK"
        let (kept, made, map) = (directory.file("kept.sqlite"), directory.file("made.xml"), directory.file("map.csv"))
        let keeping = try ToolProcess.ferry(
            ["convert", path, "--output", kept, "--keep-ids", "--vacuum", "--id-map", map] + Self.models)
        #expect(keeping.status == 0, "\(keeping.summary)")
        #expect(try StoreRows.of(kept, keys) == StoreRows.of(path, keys))
        #expect(try StoreRows.of(kept, "PRAGMA freelist_count") == [["0"]])
        func pairs() throws -> [[Substring]] {
            try String(contentsOfFile: map, encoding: .utf8).split(separator: "\n").dropFirst()
                .map { $0.split(separator: ",") }
        }
        let count = try pairs().count
        #expect(try count > 30 && pairs().allSatisfy { $0[2] == $0[3] })
        // An XML store has one numbering for all objects.
        let refused = try ToolProcess.ferry(["convert", path, "--output", made, "--keep-ids"] + Self.models)
        #expect(refused.status == 2 && refused.errors.contains("--keep-ids"), "\(refused.summary)")
        let numbered = try ToolProcess.ferry(
            ["convert", path, "--output", made, "--id-map", map, "--force"] + Self.models)
        #expect(numbered.status == 0, "\(numbered.summary)")
        #expect(try Set(pairs().map { $0[3] }).count == count)
    }

    @Test(.long, arguments: ["xml", "binary", "sqlite"])
    func aKilledRunLeavesNoStoreAndTheNextOneMakesIt(_ type: String) throws {
        let (directory, path) = try Self.store()
        defer { withExtendedLifetime(directory) {} }
        let log = try directory.write("", to: "checkpoints.txt")
        let first = directory.file("first")
        let words = ["convert", path, "--to", type] + Self.models
        let whole = try ToolProcess.ferry(
            words + ["--output", first], environment: ["FERRY_TEST_CHECKPOINTS": log])
        #expect(whole.status == 0)
        let checkpoints = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(checkpoints.count > 3)
        let target = directory.file("target")
        for point in KillPoints.points(of: checkpoints.count, cell: type) {
            let run = try ToolProcess.ferry(
                words + ["--output", target], environment: ["FERRY_TEST_KILL_AT": "\(point)"])
            #expect(run.signal == 9)
            if !FileSystem.exists(target) {
                let again = try ToolProcess.ferry(words + ["--output", target])
                #expect(again.status == 0, "after \(checkpoints[point - 1]): \(again.summary)")
            }
            let names = try FileSystem.names(in: FileSystem.directory(of: target)).filter { $0.contains("target") }
            #expect(names == ["target"], "after \(checkpoints[point - 1])")
            StoreFiles(target).remove()
        }
    }

    @Test func whatIsThereIsNotOverwritten() throws {
        let (directory, path) = try Self.store()
        defer { withExtendedLifetime(directory) {} }
        let there = try directory.write("mine", to: "there.xml")
        let run = try ToolProcess.ferry(["convert", path, "--output", there] + Self.models)
        #expect(run.status == 2)
        #expect(try String(contentsOfFile: there, encoding: .utf8) == "mine")
    }

    /// What the import has still to bring would be missing from the new store.
    @Test func aStoreWithAnInterruptedImportIsRefused() throws {
        let (directory, path) = try Self.store()
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute("CREATE TABLE \(InterruptedImport.table) (content BLOB)")
        try connection.close()
        let run = try ToolProcess.ferry(["convert", path, "--output", directory.file("a.xml")] + Self.models)
        #expect(run.status == 2 && run.errors.contains("ferry import --abandon"), "\(run.summary)")
        #expect(!FileSystem.exists(directory.file("a.xml")))
        let check = try ToolProcess.ferry(["verify", path, "--models", Samples.models("Company")])
        #expect(check.status == 1 && check.output.contains("import-interrupted"), "\(check.summary)")
    }

    @Test func aDryRunSaysWhatWouldBeDoneAndWritesNothing() throws {
        let (directory, path) = try Self.store()
        defer { withExtendedLifetime(directory) {} }
        let before = try FolderState(of: FileSystem.directory(of: path))
        let words = ["convert", path, "--output", directory.file("a.xml"), "--dry-run"]
        let run = try ToolProcess.ferry(words + Self.models)
        #expect(run.status == 0)
        #expect(run.output.contains("(XML)") && run.output.contains("new keys"))
        #expect(try FolderState(of: FileSystem.directory(of: path)).differences(from: before).isEmpty)
    }
}

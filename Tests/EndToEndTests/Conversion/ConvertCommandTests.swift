import Foundation
import PersistentStores
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

    @Test(arguments: ["xml", "binary", "sqlite"])
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
        for point in 1...checkpoints.count {
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

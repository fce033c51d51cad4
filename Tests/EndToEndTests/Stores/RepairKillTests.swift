import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// `ferry repair`, killed at each of its checkpoints and run again.
@Suite struct RepairKillTests {
    private static let faults = "UPDATE Z_PRIMARYKEY SET Z_MAX = 0; UPDATE ZIMAGE SET ZRECIPE = NULL WHERE Z_PK = 1;"
    private static let fixes = ["primary-key-behind", "one-sided-inverse", "external-data-unused"]

    private static let unused = "AAAAAAAA-0000-4000-8000-000000000001"

    @Test(.long, arguments: [[], ["--backup", "old"], ["--output", "New.sqlite"]])
    func nothingIsLost(words: [String]) throws {
        let command =
            ["repair", "Recipes.sqlite", "--models", Samples.models("Recipes")]
            + Self.fixes.flatMap { ["--fix", $0] } + words
        let whole = try Self.store()
        let old = try StoreDump(of: whole.file("Recipes.sqlite"))
        let logs = try TemporaryDirectory()
        defer { withExtendedLifetime(logs) {} }
        let log = try logs.write("", to: "checkpoints.txt")
        let first = try ToolProcess.ferry(command, environment: ["FERRY_TEST_CHECKPOINTS": log], in: whole.path)
        #expect(first.status < 2, "\(first.summary)")
        let result = words.first == "--output" ? "New.sqlite" : "Recipes.sqlite"
        let new = try StoreDump(of: whole.file(result))
        #expect(old != new)
        let names = try FolderState(of: whole.path).names
        let count = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        #expect(count >= 4)
        for point in KillPoints.points(of: count, cell: words.joined()) {
            let directory = try Self.store()
            let killed = try ToolProcess.ferry(
                command, environment: ["FERRY_TEST_KILL_AT": "\(point)"], in: directory.path)
            #expect(killed.signal == SIGKILL, "\(killed.summary)")
            try expectWhole(directory, result, old, new, "killed at \(point)")
            let again = try ToolProcess.ferry(command, in: directory.path)
            #expect(again.status < 2 || again.errors.contains("exists"), "\(point): \(again.summary)")
            #expect(try StoreDump(of: directory.file(result)) == new, "\(point)")
            // Killed right behind the rename, it has not yet removed the file that nobody names.
            let left = try FolderState(of: directory.path).names
            let counts: (String) -> Bool = { again.status < 2 || !$0.hasSuffix(Self.unused) }
            #expect(left.filter(counts) == names.filter(counts), "\(point): \(again.summary)")
        }
    }

    /// The faulty store, with a file that no object names.
    private static func store() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Recipes", in: directory)
        let sqlite = try ToolProcess.run("/usr/bin/env", ["sqlite3", store, "PRAGMA trusted_schema = 1; " + faults])
        try #require(sqlite.status == 0, "\(sqlite.summary)")
        try directory.write("unused", to: ".Recipes_SUPPORT/_EXTERNAL_DATA/" + unused)
        return directory
    }

    /// The store is the old one or the new one, and all that it names is there.
    private func expectWhole(
        _ directory: TemporaryDirectory, _ result: String, _ old: StoreDump, _ new: StoreDump, _ moment: Comment
    ) throws {
        let copy = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: directory.path, toPath: copy.file("all"))
        for name in Set(["Recipes.sqlite", result]) where FileSystem.exists(copy.file("all/" + name)) {
            let path = copy.file("all/" + name)
            let dump = try StoreDump(of: path)
            #expect(dump == new || dump == old && name == "Recipes.sqlite", moment)
            let check = try ToolProcess.run("/usr/bin/env", ["sqlite3", path, "PRAGMA integrity_check"])
            #expect(check.output == "ok\n", moment)
            let verified = try ToolProcess.ferry(
                ["verify", path, "--rule", "external-data-missing", "--models", Samples.models("Recipes")])
            #expect(verified.status == 0, "\(verified.summary)")
        }
        #expect(FileSystem.exists(copy.file("all/Recipes.sqlite")), moment)
    }
}

import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// `ferry copy`, `move` and `remove`, killed at each of their checkpoints and run again.
@Suite struct StoreUnitKillTests {
    @Test(
        .long,
        arguments: [
            ["copy"], ["copy", "--replace"], ["move"], ["move", "--replace"], ["remove"],
        ])
    func nothingIsLost(words: [String]) throws {
        let count = try checkpoints(words)
        #expect(count >= 2)
        for point in KillPoints.points(of: count, cell: words.joined()) {
            let (directory, store, destination, command) = try Self.scene(words)
            let whole = try StoreDump(of: store)
            let killed = try ToolProcess.ferry(command, environment: ["FERRY_TEST_KILL_AT": "\(point)"])
            #expect(killed.signal == SIGKILL, "\(killed.summary)")
            // Wherever there is a store, it is whole.
            let places = [store, destination].filter(FileSystem.exists)
            if words[0] != "remove" { #expect(places.contains { (try? StoreDump(of: $0)) == whole }, "point \(point)") }
            for place in places {
                let check = try ToolProcess.run("/usr/bin/env", ["sqlite3", place, "PRAGMA integrity_check"])
                #expect(check.output == "ok\n", "point \(point): \(place)")
                try expectExternalData(of: place, point)
            }
            let again = try ToolProcess.ferry(command)
            let left = try FileSystem.names(in: directory.path).filter { $0.contains("staging") }
            #expect(left == [], "point \(point)")
            let isDone =
                again.status == 0 || again.errors.contains("exists") || again.errors.contains("no such file")
                || again.errors.contains("neither")
            #expect(isDone, "point \(point): \(again.summary)")
            if words[0] != "remove" { #expect(try StoreDump(of: destination) == whole, "point \(point)") }
        }
    }

    /// A store, the place where the command puts it, and the command; with `--replace` there is a store at that place.
    private static func scene(
        _ words: [String]
    ) throws -> (directory: TemporaryDirectory, store: String, destination: String, command: [String]) {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Recipes", in: directory)
        let destination = directory.file("New.sqlite")
        if words.contains("--replace") {
            #expect(try ToolProcess.ferry(["copy", store, destination]).status == 0)
            #expect(try ToolProcess.ferry(["metadata", destination, "set", "old", "true"]).status == 0)
        }
        return (directory, store, destination, words + [store] + (words[0] == "remove" ? [] : [destination]))
    }

    /// How many checkpoints a run of the command passes.
    private func checkpoints(_ words: [String]) throws -> Int {
        let (directory, _, _, command) = try Self.scene(words)
        let log = try directory.write("", to: "checkpoints.txt")
        let run = try ToolProcess.ferry(command, environment: ["FERRY_TEST_CHECKPOINTS": log])
        #expect(run.status == 0, "\(run.summary)")
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
    }

    /// Every record that a row names is there.
    private func expectExternalData(of store: String, _ point: Int) throws {
        let query = "SELECT CAST(substr(ZDATA, 2, 36) AS TEXT) FROM ZIMAGE WHERE substr(ZDATA, 1, 1) = x'02'"
        let names = try ToolProcess.run("/usr/bin/env", ["sqlite3", store, query]).output.split(separator: "\n")
        #expect(!names.isEmpty)
        for name in names {
            #expect(FileSystem.exists(StoreFiles(store).externalDataDirectory + "/" + name), "point \(point)")
        }
    }
}

import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// `ferry copy`, `move` and `remove`, killed at each of their checkpoints and run again.
@Suite struct StoreUnitKillTests {
    @Test(arguments: [
        ["copy"], ["copy", "--replace"], ["move"], ["move", "--replace"], ["remove"],
    ])
    func nothingIsLost(words: [String]) throws {
        var point = 1
        while true {
            let directory = try TemporaryDirectory()
            let store = try Samples.buildStore("Recipes", in: directory)
            let whole = try StoreDump(of: store)
            let destination = directory.file("New.sqlite")
            var command = words + [store]
            if words[0] != "remove" { command.append(destination) }
            if words.contains("--replace") {
                #expect(try ToolProcess.ferry(["copy", store, destination]).status == 0)
                #expect(try ToolProcess.ferry(["metadata", destination, "set", "old", "true"]).status == 0)
            }
            let killed = try ToolProcess.ferry(command, environment: ["FERRY_TEST_KILL_AT": "\(point)"])
            guard killed.signal == SIGKILL else {
                #expect(killed.status == 0, "\(killed.summary)")
                #expect(point > 2)
                return
            }
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
            point += 1
        }
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

import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// `ferry merge-into` as a user runs it: the sample store into a copy of it that has lost some objects.
final class MergeIntoCommandTests: CompanyStoreSuite {
    private func smaller(_ name: String = "smaller.sqlite") throws -> String {
        let path = directory.file(name)
        let copied = try ToolProcess.ferry(["copy", store, path])
        #expect(copied.status == 0, "\(copied.summary)")
        let edited = try ToolProcess.ferry(
            ["edit", path, "--delete", "Employee", "--where", "department.code == 10"] + models)
        #expect(edited.status == 0, "\(edited.summary)")
        return path
    }

    private func merge(_ from: String, _ into: String, _ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(["merge-into", from, into] + models + words)
    }

    private static let people = "SELECT ZEMPLOYEEID, ZFIRSTNAME, ZLEVEL FROM ZPERSON ORDER BY 1, 2, 3"

    @Test func objectsComeBack() throws {
        let path = try smaller()
        let before = try StoreDump(of: path)
        let words = [
            "--entity", "Employee", "--where", "department.code == 10", "--cascade", "--key", "Department:code",
            "--key",
            "Project:title", "--json",
        ]
        let dry = try ToolProcess.ferry(["merge-into", store, path, "--dry-run"] + models + words)
        #expect(dry.status < 2, "\(dry.summary)")
        #expect(try StoreDump(of: path) == before)
        let map = directory.file("map.csv")
        let run = try ToolProcess.ferry(["merge-into", store, path, "--id-map", map] + models + words)
        #expect(run.status == dry.status, "\(run.summary)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let inserted = try #require(report["inserted"] as? [String: [String: Any]])
        let lines = try String(contentsOfFile: map, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count == inserted.values.compactMap { $0["count"] as? Int }.reduce(0, +) && !lines.isEmpty)
        #expect(try StoreRows.of(path, Self.people) == StoreRows.of(store, Self.people))
        let sound = try ToolProcess.ferry(["verify", path, "--rule", "dangling-join-row"] + models)
        #expect(sound.status == 0, "\(sound.summary)")
        if StoreChecker.isPresent {
            let verdict = try StoreChecker.check("integrity", path, Samples.models("Company"), "--version", "Company")
            #expect(verdict.text.contains("0 errors"), "\(verdict.text)")
        }
    }

    @Test func storesOfOtherTypesAreMergedToo() throws {
        let (xml, other) = (directory.file("small.xml"), directory.file("whole.xml"))
        for (from, to) in [(try smaller(), xml), (store, other)] {
            let run = try ToolProcess.ferry(["convert", from, "--output", to] + models)
            #expect(run.status < 2, "\(run.summary)")
        }
        let map = directory.file("map.csv")
        let run = try merge(
            other, xml, "--entity", "Employee", "--where", "department.code == 10", "--cascade", "--id-map", map)
        #expect(run.status < 2, "\(run.summary)")
        let lines = try String(contentsOfFile: map, encoding: .utf8).split(separator: "\n").dropFirst()
        let uuid = try SQLiteStore(path: store).metadata.uuid
        let uris = lines.map { $0.split(separator: ",") }.map { "x-coredata://\(uuid)/\($0[1])/p\($0[3])" }
        #expect(!uris.isEmpty && Set(lines.map { $0.split(separator: ",")[3] }).count == uris.count)
        for uri in uris {
            let found = try ToolProcess.ferry(["fetch", xml, "--id", uri, "--count", "--format", "csv"] + models)
            #expect(found.output == "count\n1\n", "\(found.summary)")
        }
        let back = directory.file("back.sqlite")
        #expect(try ToolProcess.ferry(["convert", xml, "--output", back] + models).status < 2)
        #expect(try StoreRows.of(back, Self.people) == StoreRows.of(store, Self.people))
        let moved = try merge(other, xml, "--entity", "Project", "--move")
        #expect(moved.status == 2 && moved.errors.contains("leave out --move"), "\(moved.summary)")
    }

    @Test(arguments: [
        (["--where", "x = 1"], Int32(64), "--entity"), (["--entity", "Employee", "--where", "level <"], 64, "--where"),
        (["--entity", "Employee", "--key", "a,,b"], 64, "--key"),
        (["--entity", "Employee", "--key", "level", "--key", "Employee:level"], 64, "one key for Employee"),
        (["--entity", "Employee", "--on-match", "maybe"], 64, "skip, update, error"),
        (["--entity", "Employee", "--force"], 64, "--id-map"), (["--entity", "Planet"], 2, "no entity Planet"),
        (["--entity", "Employee", "--follow", "moon"], 2, "moon"),
    ])
    func whatMakesNoSenseIsRefused(words: [String], status: Int32, message: String) throws {
        let path = try smaller()
        let before = try StoreDump(of: path)
        let run = try ToolProcess.ferry(["merge-into", store, path] + models + words)
        #expect(run.status == status && run.errors.contains(message), "\(run.summary)")
        #expect(try StoreDump(of: path) == before)
    }

    @Test func storesOfTwoVersionsAreRefused() throws {
        let path = try smaller()
        #expect(
            try ToolProcess.ferry(["migrate", path, "--to", "Company 2", "--progress", "none"] + models).status < 2)
        let run = try merge(store, path, "--entity", "Employee")
        #expect(run.status == 2 && run.errors.contains("migrate one of them first"), "\(run.summary)")
    }

    /// Killed anywhere, each object is in one of the stores at least, and both are sound.
    @Test(.long) func nothingIsLostByAKilledMove() throws {
        let words = ["--entity", "Project", "--move"]
        let log = try directory.write("", to: "checkpoints.txt")
        func run(_ from: String, _ into: String, _ environment: [String: String]) throws -> ToolProcess.Result {
            try ToolProcess.ferry(["merge-into", from, into] + models + words, environment: environment)
        }
        func stores(_ name: String) throws -> (from: String, into: String) {
            let (from, into) = (directory.file("from-\(name).sqlite"), directory.file("into-\(name).sqlite"))
            for path in [from, into] { #expect(try ToolProcess.ferry(["copy", store, path]).status == 0) }
            let emptied = try ToolProcess.ferry(
                ["edit", into, "--delete", "Project", "--where", "TRUEPREDICATE"] + models)
            #expect(emptied.status == 0, "\(emptied.summary)")
            return (from, into)
        }
        let titles = "SELECT ZTITLE FROM ZPROJECT"
        let all = Set(try StoreRows.of(store, titles))
        let whole = try stores("whole")
        let done = try run(whole.from, whole.into, ["FERRY_TEST_CHECKPOINTS": log])
        #expect(done.status < 2, "\(done.summary)")
        #expect(try StoreRows.of(whole.from, titles).isEmpty && Set(StoreRows.of(whole.into, titles)) == all)
        let count = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        for point in 1...count {
            let killed = try stores("\(point)")
            #expect(try run(killed.from, killed.into, ["FERRY_TEST_KILL_AT": "\(point)"]).signal == SIGKILL)
            let found = try StoreRows.of(killed.from, titles) + StoreRows.of(killed.into, titles)
            #expect(Set(found) == all, "\(point)")
            for path in [killed.from, killed.into] {
                #expect(try StoreRows.of(path, "PRAGMA integrity_check") == [["ok"]])
            }
        }
    }
}

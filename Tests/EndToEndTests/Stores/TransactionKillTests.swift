import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// Commands that change a store in one transaction, killed at each of their checkpoints and run again.
@Suite struct TransactionKillTests {
    private static let edit =
        ["edit", "Company.sqlite", "--models", Samples.models("Company"), "--script", "steps.yaml"]
    private static let pruning = ["history", "Company.sqlite", "--prune", "--before", "2025-03-01"]

    private static let script = """
        edits: 1
        steps:
        - delete: Employee
          where: level < 5
        - update: Department
          where: TRUEPREDICATE
          set: {budget: budget + 1}
        """

    @Test(.long, arguments: [edit, pruning], [[], ["--backup", "old"]])
    func theStoreIsTheOldOneOrTheNewOne(command: [String], words: [String]) throws {
        let command = command + words
        let whole = try Self.store(for: command)
        let old = try StoreDump(of: whole.file("Company.sqlite"))
        let logs = try TemporaryDirectory()
        let log = try logs.write("", to: "checkpoints.txt")
        let first = try ToolProcess.ferry(command, environment: ["FERRY_TEST_CHECKPOINTS": log], in: whole.path)
        #expect(first.status == 0, "\(first.summary)")
        let new = try StoreDump(of: whole.file("Company.sqlite"))
        #expect(old != new)
        let count = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        #expect(count >= 2)
        for point in KillPoints.points(of: count, cell: command.joined()) {
            let directory = try Self.store(for: command)
            let killed = try ToolProcess.ferry(
                command, environment: ["FERRY_TEST_KILL_AT": "\(point)"], in: directory.path)
            #expect(killed.signal == SIGKILL, "\(killed.summary)")
            let isDone = point == count
            // Read in a copy: whoever opens the store first tidies up.
            let copy = try TemporaryDirectory()
            try FileManager.default.copyItem(atPath: directory.path, toPath: copy.file("all"))
            #expect(try StoreDump(of: copy.file("all/Company.sqlite")) == (isDone ? new : old), "killed at \(point)")
            let check = try ToolProcess.run(
                "/usr/bin/env", ["sqlite3", copy.file("all/Company.sqlite"), "PRAGMA integrity_check"])
            #expect(check.output == "ok\n", "killed at \(point)")
            guard !isDone else { continue }
            let again = try ToolProcess.ferry(command, in: directory.path)
            #expect(again.status == 0, "\(point): \(again.summary)")
            #expect(try StoreDump(of: directory.file("Company.sqlite")) == new, "\(point)")
            if !words.isEmpty { #expect(try StoreDump(of: directory.file("old/Company.sqlite")) == old, "\(point)") }
        }
    }

    private static func store(for command: [String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        // An edit would add a transaction, with the time at which it is made.
        if command.first == "history" { try Samples.addHistory(to: store) }
        try directory.write(script, to: "steps.yaml")
        return directory
    }
}

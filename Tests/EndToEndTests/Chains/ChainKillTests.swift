import Foundation
import GeneratedStores
import TestSupport
import Testing

/// Chains that are killed again and again go on where they were, and come to the same end.
@Suite struct ChainKillTests {
    private static var runs: Int { TestSettings.killsAtEveryPoint ? 60 : 1 }
    private static let killsOfARun = 5

    @Test(.long) func aChainThatIsKilledAtRandomGoesOnAndComesToTheSameEnd() throws {
        let scenario = try ChainScenario()
        let more = ["--resume", "--batch-rows", "4"]
        let whole = try scenario.copy("whole")
        let (ended, names) = try scenario.checkpoints(scenario.words(whole.store) + more)
        #expect(ended.status < 2, "\(ended.summary)")
        #expect(names.count > 60)
        let old = try StoreDump(of: scenario.folder.store)
        let new = try StoreDump(of: whole.store)
        let files = try FolderState(of: whole.folder).names
        var numbers = RandomNumbers(seed: 30)
        var kills = 0
        for number in 0..<Self.runs {
            let (store, folder) = try scenario.copy("killed-\(number)")
            for kill in 0..<Self.killsOfARun {
                let point = Int.random(in: 1...max(2, names.count / (kill + 1)), using: &numbers)
                let run = try ToolProcess.ferry(
                    scenario.words(store) + more, environment: ["FERRY_TEST_KILL_AT": "\(point)"])
                if run.signal == nil {
                    #expect(run.status < 2, "\(run.summary)")
                    break
                }
                kills += 1
                // Looked at in a copy: whoever opens a store may mend it.
                let copy = folder + "-copy"
                try FileManager.default.copyItem(atPath: folder, toPath: copy)
                defer { try? FileManager.default.removeItem(atPath: copy) }
                let dump = try StoreDump(of: copy + "/Company.sqlite")
                #expect(dump == old || dump == new, "killed at \(point)")
            }
            let last = try ToolProcess.ferry(scenario.words(store) + more)
            #expect(last.status < 2, "\(last.summary)")
            #expect(try StoreDump(of: store).differences(from: new) == [])
            #expect(try FolderState(of: folder).names == files)
        }
        #expect(kills >= Self.runs * Self.killsOfARun * 2 / 3)
    }

    /// Not at a checkpoint, but at any moment.
    @Test(.long) func aChainThatIsKilledAtAnyMomentGoesOn() throws {
        let scenario = try ChainScenario()
        let whole = try scenario.copy("whole")
        let more = ["--resume", "--batch-rows", "1"]
        let run = try ToolProcess.ferry(scenario.words(whole.store) + more)
        #expect(run.status < 2, "\(run.summary)")
        let (store, folder) = try scenario.copy("killed")
        for tenths in TestSettings.killsAtEveryPoint ? Array(1...8) : [1, 3, 6] {
            let words = ["-s", "KILL", "0.\(tenths)", ToolProcess.ferry] + scenario.words(store) + more
            _ = try ToolProcess.run("/usr/bin/timeout", words)
        }
        let last = try ToolProcess.ferry(scenario.words(store) + more)
        #expect(last.status < 2, "\(last.summary)")
        #expect(try StoreDump(of: store).differences(from: StoreDump(of: whole.store)) == [])
        #expect(try FolderState(of: folder).names == FolderState(of: whole.folder).names)
    }

    @Test(.long) func whatIsFinishedIsNotDoneAgain() throws {
        let scenario = try ChainScenario()
        let more = ["--resume", "--batch-rows", "4"]
        let names = try scenario.checkpoints(scenario.words(scenario.copy("whole").store) + more).names
        func resumed(at point: Int) throws -> (run: ToolProcess.Result, names: [String]) {
            let store = try scenario.copy("at-\(point)").store
            let killed = try ToolProcess.ferry(
                scenario.words(store) + more, environment: ["FERRY_TEST_KILL_AT": "\(point)"])
            #expect(killed.signal == SIGKILL)
            return try scenario.checkpoints(scenario.words(store) + more)
        }
        // In the middle of a table: the file is built again.
        let batches = names.indices.filter { names[$0] == "batch ZPERSON" }
        let middle = try #require(batches.dropFirst(3).first)
        let again = try resumed(at: middle + 1)
        #expect(again.run.status == 0, "\(again.run.summary)")
        func personBatches(_ names: [String]) -> Int {
            names.prefix { !$0.hasPrefix("part 1") }.count { $0 == "batch ZPERSON" }
        }
        #expect(personBatches(again.names) == personBatches(names))
        // When the file has been built, it is not built again, and the report counts the rows of both runs.
        let built = try #require(names.firstIndex { $0.hasPrefix("step bookkeeping") })
        let further = try resumed(at: built + 1)
        #expect(further.run.status == 0, "\(further.run.summary)")
        #expect(personBatches(further.names) == 0)
        for run in [again.run, further.run] {
            #expect(run.output.contains("EmployeeToEmployee          SQLTransfer    26       26        0"))
        }
        // Behind a step: it is not done again.
        let noted = try #require(names.firstIndex(of: "part 1 noted"))
        let second = try resumed(at: noted + 1)
        #expect(second.run.status == 0 && second.run.output.contains("an earlier run did the steps before"))
        #expect(!second.names.contains("part 1 noted"))
    }

    @Test func aChangedMappingModelOrStoreIsNotGoneOnWith() throws {
        let scenario = try ChainScenario()
        let (store, folder) = try scenario.copy("changed")
        let words = scenario.words(store) + ["--resume"]
        let killed = try ToolProcess.ferry(words, environment: ["FERRY_TEST_KILL_AT": "20"])
        #expect(killed.signal == SIGKILL)
        let text = try String(contentsOfFile: scenario.mapping, encoding: .utf8)
        try text.replacing("Level ", with: "Grade ").write(toFile: scenario.mapping, atomically: true, encoding: .utf8)
        let refused = try ToolProcess.ferry(words)
        #expect(
            refused.status == 2 && refused.errors.contains("have changed since") && refused.errors.contains("--resume"))
        try text.write(toFile: scenario.mapping, atomically: true, encoding: .utf8)
        // It was refused without taking anything away.
        #expect(try FolderState(of: folder).names.contains { $0.contains("ferry-chain") })
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: store)
        let other = try ToolProcess.ferry(words)
        #expect(other.status == 2 && other.errors.contains("the store has changed since"))
        let anew = try ToolProcess.ferry(scenario.words(store))
        #expect(anew.status < 2, "\(anew.summary)")
        #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
    }

    @Test func aRunOfOneStepGoesOnToo() throws {
        let scenario = try ChainScenario()
        let words = { (store: String) in scenario.words(store) + ["--to", "Company 2", "--resume", "--batch-rows", "4"]
        }
        let whole = try scenario.copy("whole").store
        let names = try scenario.checkpoints(words(whole)).names
        let built = try #require(names.firstIndex { $0.hasPrefix("step bookkeeping") })
        let (store, folder) = try scenario.copy("one")
        let killed = try ToolProcess.ferry(words(store), environment: ["FERRY_TEST_KILL_AT": "\(built + 1)"])
        #expect(killed.signal == SIGKILL)
        let again = try scenario.checkpoints(words(store))
        #expect(again.run.status == 0, "\(again.run.summary)")
        #expect(names.contains("batch ZPERSON") && !again.names.contains("batch ZPERSON"))
        #expect(try StoreDump(of: store).differences(from: StoreDump(of: whole)) == [])
        #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
    }
}

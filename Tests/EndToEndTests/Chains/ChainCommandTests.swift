import Foundation
import GeneratedStores
import TestSupport
import Testing

/// `ferry migrate` over several versions: what it says before, what it does, and what it leaves.
@Suite struct ChainCommandTests {
    @Test func thePlanShowsEachStepWithItsWayAndWritesNothing() throws {
        let scenario = try ChainScenario()
        let (store, folder) = try scenario.copy("plan")
        let before = try FolderState(of: folder)
        let run = try ToolProcess.ferry(scenario.words(store) + ["--dry-run"])
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("chain  Company > Company 2 > Company 4"))
        #expect(run.output.contains("Step 1 of 2: Company to Company 2 by mapping model skills.yaml: it leads"))
        #expect(run.output.contains("Step 2 of 2: Company 2 to Company 4 by inference: no mapping model is on the way"))
        // The second step is planned over what the first one makes of the data, in a scratch store.
        #expect(!run.output.contains("planned from the models") && run.output.contains("Verdict: would succeed\n"))
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
        let json = try ToolProcess.ferry(scenario.words(store) + ["--dry-run", "--json"])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let chain = try #require(document["chain"] as? [[String: Any]])
        #expect(chain.map { $0["by"] as? String } == ["mapping model skills.yaml", "inference"])
        #expect(chain.map { $0["plannedOnData"] as? Bool } == [true, true])
        #expect(document["destinationVersion"] as? String == "Company 4")
    }

    @Test(.long, arguments: SafetyPlacement.allCases.filter { ![.inPlace, .inPlaceWithBackup].contains($0) })
    func aChainEndsAsItsStepsOneByOne(_ placement: SafetyPlacement) throws {
        let scenario = try ChainScenario()
        let one = try scenario.copy("one").store
        for version in ["Company 2", "Company 4"] {
            let words = version == "Company 2" ? scenario.words(one) : Array(scenario.words(one).dropLast(4))
            let run = try ToolProcess.ferry(words + ["--to", version])
            #expect(run.status == 0, "\(run.summary)")
        }
        let (store, folder) = try scenario.copy("chain")
        let old = try StoreDump(of: store)
        let run = try ToolProcess.ferry(scenario.words(store) + placement.words(in: folder))
        #expect(run.status == 0 && run.output.contains("in 2 steps"), "\(run.summary)")
        let result = placement.result(of: store, in: folder)
        #expect(try StoreDump(of: result).differences(from: StoreDump(of: one)) == [])
        #expect(try ChainScenario.faults(result, model: Samples.models("Company") + "/Company 4.xcdatamodel") == [])
        #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
        if let backup = placement.backup(in: folder) {
            #expect(try StoreDump(of: backup + "/Company.sqlite").differences(from: old) == [])
        }
        if placement == .output { #expect(try StoreDump(of: store).differences(from: old) == []) }
    }

    @Test func inPlaceTakesOneStepAndSaysSo() throws {
        let scenario = try ChainScenario()
        let (store, folder) = try scenario.copy("place")
        let before = try FolderState(of: folder)
        let run = try ToolProcess.ferry(scenario.words(store) + ["--in-place"])
        #expect(
            run.status == 2 && run.errors.contains("--in-place can only take one")
                && run.errors.contains("--chain direct"))
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
    }

    @Test func aLaterStepThatItsDataRefuseLeavesTheStoreAsItWas() throws {
        let scenario = try ChainScenario()
        let (store, folder) = try scenario.copy("refused")
        // The last version wants each employeeID once; the one before does not look.
        let session = try SQLiteSession(on: store, running: "UPDATE ZPERSON SET ZEMPLOYEEID = 'E1' WHERE Z_PK < 4")
        session.close()
        let before = try FolderState(of: folder)
        let scratch = try TemporaryDirectory()
        let dryRun = try ToolProcess.ferry(
            scenario.words(store) + ["--dry-run"], environment: ["TMPDIR": scratch.path])
        #expect(dryRun.status == 2 && dryRun.output.contains("Verdict: refused"), "\(dryRun.summary)")
        #expect(dryRun.output.contains("must be unique now") && dryRun.output.contains("x-coredata://"))
        #expect(try FolderState(of: scratch.path).names.isEmpty)
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
        let run = try ToolProcess.ferry(scenario.words(store))
        #expect(run.status == 2 && run.errors.contains("step 2 of 2, from Company 2 to Company 4"), "\(run.summary)")
        #expect(run.errors.contains("nothing has changed"))
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
    }

    @Test(.enabled(if: MountedFolder.isPossible, "needs a small file system"))
    func aDryRunWithoutSpaceForScratchStoresSaysWhatItDoesNotKnow() throws {
        let scenario = try ChainScenario()
        let small = try MountedFolder(kilobytes: 64)
        let run = try ToolProcess.ferry(
            scenario.words(scenario.copy("small").store) + ["--dry-run"], environment: ["TMPDIR": small.path])
        #expect(run.status == 1 && run.output.contains("data-not-checked"), "\(run.summary)")
        #expect(run.output.contains("Verdict: not known") && run.output.contains("TMPDIR"))
    }

    @Test func theRunBehindAKilledOneCleansUpWithoutResume() throws {
        let scenario = try ChainScenario()
        let names = try scenario.checkpoints(scenario.words(scenario.copy("whole").store)).names
        let point = try #require(names.firstIndex(of: "part 1 noted")) + 1
        let (store, folder) = try scenario.copy("killed")
        #expect(
            try ToolProcess.ferry(scenario.words(store), environment: ["FERRY_TEST_KILL_AT": "\(point)"]).signal
                == SIGKILL)
        #expect(try FolderState(of: folder).names.contains { $0.contains("ferry-chain") })
        // One of a single step as well.
        let run = try ToolProcess.ferry(scenario.words(store) + ["--to", "Company 2"])
        #expect(run.status == 0, "\(run.summary)")
        #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
    }

    @Test func progressNamesTheStep() throws {
        let scenario = try ChainScenario()
        let words = scenario.words(try scenario.copy("progress").store).dropLast() + ["json"]
        let run = try ToolProcess.ferry(Array(words))
        let lines = try run.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(Set(lines.compactMap { $0["step"] as? Int }) == [1, 2])
        #expect(lines.compactMap { $0["steps"] as? Int }.allSatisfy { $0 == 2 })
        // The rows of the first step count in the second.
        let first = lines.filter { $0["step"] as? Int == 1 }.compactMap { $0["rows"] as? Int }.max() ?? 0
        let second = lines.filter { $0["step"] as? Int == 2 }.compactMap { $0["rows"] as? Int }.max() ?? 0
        #expect(second > first)
    }
}

import Foundation
import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Ctrl-C and SIGTERM end a run between batches, and leave the store as it was.
@Suite struct SafetyCancellationTests {
    @Test(.long, arguments: [SIGINT, SIGTERM], SafetyPlacement.allCases)
    func aSignalEndsTheWorkAndChangesNothing(signal: Int32, placement: SafetyPlacement) throws {
        for journal in SafetyStore.Journal.allCases {
            let (folder, words) = try SafetyStore(content: .recipes, journal: journal).make(copies: 150)
            let old = try StoreDump(of: folder.copy(named: "before"))
            let store = try folder.copy(named: "cancelled")
            let place = FileSystem.directory(of: store)
            let before = try FolderState(of: place)
            let (run, log) = try interrupted([signal], folder, ["migrate", store] + words + placement.words(in: place))
            #expect(run.status == 2 && run.signal == nil, "\(run.summary)")
            #expect(run.errors.contains("cancelled; nothing has changed"), "\(run.summary)")
            #expect(!log.contains("finished") && !log.contains("before commit"))
            // Where a log is there, what was not committed may stay in it and counts for nothing.
            let isLogged = journal == .openLog && [.inPlace, .inPlaceWithBackup].contains(placement)
            let changed = try FolderState(of: place).byteDifferences(from: before)
            #expect(changed.filter { !isLogged || !$0.hasPrefix("Recipes.sqlite-") } == [], "\(run.summary)")
            #expect(try StoreDump(of: store) == old)
            let again = try ToolProcess.ferry(["migrate", store] + words + placement.words(in: place))
            #expect(again.status < 2, "\(again.summary)")
        }
    }

    /// A second one does not wait for anything: as a kill does, it leaves the old store, and what the next run clears
    /// up.
    @Test(arguments: [SafetyPlacement.replace, .inPlace])
    func aSecondSignalEndsTheProcess(placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: .recipes, journal: .openLog).make(copies: 150)
        let old = try StoreDump(of: folder.copy(named: "before"))
        let store = try folder.copy(named: "cancelled")
        let place = FileSystem.directory(of: store)
        let command = ["migrate", store] + words + placement.words(in: place)
        let (run, _) = try interrupted([SIGINT, SIGINT], folder, command)
        #expect(run.signal == SIGINT || run.status == 2, "\(run.summary)")
        let copy = try FileManager.default.copyStore(store, to: folder.directory.file("after"))
        #expect(try StoreDump(of: copy) == old)
        let again = try ToolProcess.ferry(command)
        #expect(again.status < 2, "\(again.summary)")
        #expect(try FileSystem.names(in: place).filter { $0.contains("ferry") } == [])
    }

    /// Sends signals once the first batch is written; with a row in each there are thousands.
    private func interrupted(
        _ signals: [Int32], _ folder: StoreFolder, _ command: [String]
    ) throws -> (run: ToolProcess.Result, log: String) {
        let log = try folder.directory.write("", to: "checkpoints.txt")
        let tool = try ToolProcess(
            ToolProcess.ferry, command + ["--batch-rows", "1"], environment: ["FERRY_TEST_CHECKPOINTS": log])
        let isReached = try tool.wait { try String(contentsOfFile: log, encoding: .utf8).contains(" batch ") }
        #expect(isReached)
        for signal in signals { tool.send(signal) }
        let run = tool.wait()
        return (run, try String(contentsOfFile: log, encoding: .utf8))
    }
}

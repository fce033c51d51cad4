import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Commands that only read leave a store, its log and its folder as they are to the nanosecond, wherever it lies.
@Suite struct ReadOnlyCommandTests {
    private static let commands = [
        ["inspect"], ["verify"], ["fetch", "--entity", "Project", "--count"], ["hashes"], ["metadata"],
        ["export", "--entity", "Project", "--columns", "title"], ["migrate", "--dry-run"],
        ["convert", "--dry-run", "--output", "/tmp/never.xml"],
    ]

    /// What can lie beside a store.
    enum State: String, CaseIterable {
        case alone, logWithIndex, logWithoutIndex, hotJournal
    }

    private static func make(_ state: State, in directory: TemporaryDirectory) throws -> String {
        let store = try Samples.buildStore("Company", in: directory)
        guard state != .alone else { return store }
        let mode = state == .hotJournal ? "DELETE" : "WAL"
        // Killed with what it has written in the log or, of a large transaction, in the main file.
        let session = try SQLiteSession(
            on: store,
            running: """
                PRAGMA journal_mode = \(mode); PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 1; BEGIN;
                UPDATE ZPROJECT SET ZTITLE = 'Logged' || hex(zeroblob(20000));
                """ + (state == .hotJournal ? "" : "COMMIT;"))
        session.kill()
        if state == .logWithoutIndex { try FileSystem.remove(StoreFiles(store).sharedMemory) }
        return store
    }

    private func runAll(_ store: String, _ state: State) throws {
        let folder = FileSystem.directory(of: store)
        let before = try FolderState(of: folder)
        for words in Self.commands {
            let models = ["hashes", "metadata"].contains(words[0]) ? [] : ["--models", Samples.models("Company")]
            let run = try ToolProcess.ferry([words[0], store] + words.dropFirst() + models)
            #expect(run.status < 2, "\(words) \(run.summary)")
            if words[0] == "export" {
                #expect(run.output.contains("Logged") == state.rawValue.hasPrefix("log"), "\(run.summary)")
            }
            #expect(try FolderState(of: folder).differences(from: before) == [], "\(words)")
        }
    }

    @Test(.long, arguments: State.allCases)
    func nothingIsWritten(_ state: State) throws {
        let directory = try TemporaryDirectory()
        try runAll(Self.make(state, in: directory), state)
    }

    @Test(
        .long, .enabled(if: MountedFolder.isPossible, "this user may not mount file systems"), arguments: State.allCases
    )
    func aReadOnlyFileSystemWillDo(_ state: State) throws {
        let directory = try TemporaryDirectory()
        let original = try Self.make(state, in: directory)
        let disk = try MountedFolder(kilobytes: 8192)
        let store = disk.file("Company.sqlite")
        try StoreFiles(original).copyAll(to: StoreFiles(store))
        let mounted = try ToolProcess.run("/usr/bin/env", ["mount", "-o", "remount,ro", disk.path])
        try #require(mounted.status == 0, "\(mounted.summary)")
        try runAll(store, state)
    }
}

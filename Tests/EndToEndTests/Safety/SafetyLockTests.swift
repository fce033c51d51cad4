import Foundation
import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Stores that other processes have open: nothing that was committed is lost, and nobody finds another file under its
/// feet.
@Suite struct SafetyLockTests {
    @Test(.long, arguments: SafetyStore.Journal.allCases, [SafetyPlacement.replace, .inPlace])
    func aStoreThatAnotherProcessIsWritingToIsLocked(
        _ journal: SafetyStore.Journal, _ placement: SafetyPlacement
    ) throws {
        let (folder, words) = try SafetyStore(content: .history, journal: journal).make()
        let store = try folder.copy(named: "locked")
        let place = FileSystem.directory(of: store)
        let session = try SQLiteSession(on: store, running: "BEGIN EXCLUSIVE; UPDATE Z_PRIMARYKEY SET Z_MAX = 99;")
        let names = try FolderState(of: place).names
        let command = ["migrate", store, "--timeout", "0"] + words + placement.words(in: place)
        let run = try ToolProcess.ferry(command)
        #expect(run.status == 3, "\(run.summary)")
        #expect(run.errors.contains("locked by another process; close the app"), "\(run.summary)")
        #expect(try FolderState(of: place).names == names)
        #expect(try session.run("COMMIT;") == "")
        session.close()
        #expect(try ToolProcess.ferry(command).status == 0)
        let connection = try Connection(path: store, access: .readOnly)
        #expect(try connection.value("SELECT max(Z_MAX) FROM Z_PRIMARYKEY") == .integer(99))
    }

    /// Readers keep what they see; a new store beside takes what is committed.
    @Test(.long, arguments: SafetyStore.Journal.allCases)
    func aStoreThatIsBeingReadIsNotReplacedAndCanBeCopied(_ journal: SafetyStore.Journal) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: journal).make()
        let store = try folder.copy(named: "read")
        let place = FileSystem.directory(of: store)
        let session = try SQLiteSession(on: store, running: "BEGIN; SELECT count(*) FROM ZPERSON;")
        let inode = FileSystem.identity(store)
        for placement in [SafetyPlacement.replace, .inPlace] {
            let run = try ToolProcess.ferry(
                ["migrate", store, "--timeout", "0"] + words + placement.words(in: place))
            #expect(run.status == 3, "\(run.summary)")
            #expect(FileSystem.identity(store) == inode)
        }
        let run = try ToolProcess.ferry(["migrate", store] + words + SafetyPlacement.output.words(in: place))
        #expect(run.status == 0, "\(run.summary)")
        #expect(try session.run("SELECT count(*) > 0 FROM ZPERSON; COMMIT;") == "1\n")
        session.close()
        let again = try ToolProcess.ferry(["migrate", store] + words)
        #expect(again.status == 0, "\(again.summary)")
    }

    /// A process that commits all the time, in a table that is kept: what it was told is committed is there in the end.
    @Test(.long, arguments: SafetyStore.Journal.allCases, SafetyPlacement.allCases)
    func noCommitIsLost(_ journal: SafetyStore.Journal, _ placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: journal).make()
        for round in 1...2 {
            let store = try folder.copy(named: "written-\(round)")
            let place = FileSystem.directory(of: store)
            let session = try SQLiteSession(on: store, running: ".timeout 2000\nCREATE TABLE APPLOG (n INTEGER);")
            // Each checkpoint that is written down leaves the writer some time.
            let log = try folder.directory.write("", to: "checkpoints-\(round)")
            let tool = try ToolProcess(
                ToolProcess.ferry, ["migrate", store] + words + placement.words(in: place),
                environment: ["FERRY_TEST_CHECKPOINTS": log])
            var committed: [Int64] = []
            var next: Int64 = 0
            while tool.isRunning {
                next += 1
                // Later rounds leave a gap in which the migration may begin and end.
                if round > 1, next > Int64(round) { tool.wait(atMost: .milliseconds(20 * round)) }
                if try session.run("INSERT INTO APPLOG VALUES (\(next));").isEmpty { committed.append(next) }
            }
            let run = tool.wait()
            session.close()
            #expect(run.signal == nil && [0, 3].contains(run.status), "\(run.summary)")
            let connection = try Connection(path: store, access: .readOnly)
            let found = try connection.rows("SELECT n FROM APPLOG ORDER BY n").compactMap { $0[0].integer }
            #expect(Set(committed).subtracting(found) == [], "\(run.summary)")
            #expect(try connection.value("PRAGMA integrity_check") == .string("ok"))
            if run.status == 3 {
                let left = try FileSystem.names(in: place).filter {
                    $0.contains("ferry") || $0.hasPrefix("New") || $0 == "old"
                }
                #expect(left == [], "\(run.summary)")
            }
        }
    }

    /// A reader has the store and its log open; the run that is killed meanwhile leaves nothing that the next one
    /// keeps.
    @Test(.long, arguments: SafetyStore.Journal.allCases, [SafetyPlacement.replace, .backup, .inPlace])
    func aRunThatIsKilledBesideAReaderLeavesNothing(
        _ journal: SafetyStore.Journal, _ placement: SafetyPlacement
    ) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: journal).make()
        let old = try StoreDump(of: folder.copy(named: "before"))
        for point in TestSettings.killsAtEveryPoint ? Array(1...64) : [2, 60] {
            let store = try folder.copy(named: "killed-\(point)")
            let place = FileSystem.directory(of: store)
            // Not within a transaction: in rollback mode nothing keeps the migration away then.
            let session = try SQLiteSession(on: store, running: "SELECT count(*) FROM ZPERSON;")
            let command = ["migrate", store] + words + placement.words(in: place)
            let killed = try ToolProcess.ferry(command, environment: ["FERRY_TEST_KILL_AT": String(point)])
            #expect(killed.signal == SIGKILL || [0, 3].contains(killed.status), "\(killed.summary)")
            try session.run("SELECT count(*) FROM sqlite_master;")
            session.close()
            let again = try ToolProcess.ferry(command)
            #expect(again.status == 0, "\(point): \(again.summary)")
            let left = try FileSystem.names(in: place).filter { $0.contains("ferry") || $0.hasSuffix("-wal") }
            #expect(left == [], "\(point): \(killed.summary)")
            if let backup = placement.backup(in: place) {
                #expect(try FileSystem.names(in: backup).filter { $0.contains("ferry") } == [])
                #expect(try StoreDump(of: backup + "/" + FileSystem.name(of: store)) == old, "\(point)")
            }
        }
    }
}

extension FileSystem {
    /// What tells a file from all others.
    static func identity(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}

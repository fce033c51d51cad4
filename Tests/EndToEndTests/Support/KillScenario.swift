import Foundation
import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport

/// A migration that is killed at one of its checkpoints, and run again.
struct KillScenario {
    private let placement: SafetyPlacement
    private let folder: StoreFolder
    private let words: [String]

    /// What the store holds before, and after a run that nobody kills.
    private let old: StoreDump
    private let new: StoreDump

    /// How that run ended, and which files it left.
    private let status: Int32
    private let names: [String]
    private let backupNames: [String]

    /// The points at which a run can be killed.
    let checkpoints: [String]

    init(_ store: SafetyStore, _ placement: SafetyPlacement, more: [String] = []) throws {
        self.placement = placement
        let made = try store.make()
        folder = made.folder
        words = made.words + more
        old = try StoreDump(of: folder.copy(named: "before"))
        let run = try Run(folder, placement, words, name: "unkilled")
        let log = try folder.directory.write("", to: "checkpoints.txt")
        let ended = try run.start(["FERRY_TEST_CHECKPOINTS": log])
        guard ended.status < 2, ended.signal == nil else { throw Unexpected(text: ended.summary) }
        status = ended.status
        names = try run.names
        backupNames = try run.backupNames
        new = try StoreDump(of: run.result)
        checkpoints = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    struct Unexpected: Error { let text: String }

    /// The points to try, from 1.
    var points: [Int] { KillPoints.points(of: checkpoints.count, cell: words.joined() + placement.rawValue) }

    /// What is wrong after a run that is killed at a point, and the next one.
    func faults(killedAt point: Int) throws -> [String] { try faults(killedAt: [point]) }

    /// What is wrong after runs that are killed at points, one after the other, and the next one.
    func faults(killedAt points: [Int]) throws -> [String] {
        let name = "killed-\(points[0])"
        let run = try Run(folder, placement, words, name: name)
        defer { try? FileManager.default.removeItem(atPath: folder.directory.file(name)) }
        var faults: [String] = []
        for point in points {
            let killed = try run.start(["FERRY_TEST_KILL_AT": String(point)])
            guard killed.signal == SIGKILL else {
                // Once the new store is there, later runs have nothing to do.
                if points.count > 1, killed.status < 2 { continue }
                return ["not killed at \(point): \(killed.summary)"]
            }
            faults += try stateFaults(run).map { "after the kill at \(point): \($0)" }
        }
        let isDone = placement == .output && FileSystem.exists(run.result)
        let again = try run.start()
        if isDone {
            // What is there already is whole, and not overwritten.
            if again.status != 2 || !again.errors.contains("exists already") {
                faults.append("again: \(again.summary)")
            }
        } else if again.status != status && !(again.status == 0 && again.output.contains("nothing to do")) {
            faults.append("again: \(again.summary)")
        }
        faults += try stateFaults(run, isNew: true).map { "after the next run: \($0)" }
        faults += try leftovers(run)
        return faults
    }

    /// What is wrong with the files of a run, looked at in a copy: whoever opens a store may mend it.
    private func stateFaults(_ run: Run, isNew: Bool = false) throws -> [String] {
        let copy = folder.directory.file("copy-\(FileSystem.name(of: run.folder))")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: run.folder, toPath: copy)
        var faults: [String] = []
        func path(_ original: String) -> String { copy + "/" + FileSystem.name(of: original) }
        if placement == .output {
            let changed = try FolderState(of: run.folder).byteDifferences(from: run.before)
                .filter { !$0.hasPrefix("New.") && !$0.hasPrefix(".New") }
            if !changed.isEmpty { faults.append("the source has changed: \(changed)") }
        }
        if placement != .output || FileSystem.exists(run.result) {
            let dump = try StoreDump(of: path(run.result))
            if dump != new, placement == .output || isNew || dump != old {
                let differences = dump.differences(from: isNew ? new : old)
                faults.append(
                    "\(FileSystem.name(of: run.result)) is neither the old store nor the new one: \(differences)")
            }
            let connection = try Connection(path: path(run.result), access: .readWrite)
            let verdict = try connection.value("PRAGMA integrity_check").string
            if verdict != "ok" { faults.append("integrity_check: \(verdict ?? "")") }
        } else if isNew {
            faults.append("there is no result")
        }
        if let backup = placement.backup(in: copy), FileSystem.exists(backup + "/" + FileSystem.name(of: run.store)) {
            let dump = try StoreDump(of: backup + "/" + FileSystem.name(of: run.store))
            if dump != old { faults.append("the backup is not the old store: \(dump.differences(from: old))") }
        } else if isNew, placement.backup(in: copy) != nil {
            faults.append("there is no backup")
        }
        return faults
    }

    private func leftovers(_ run: Run) throws -> [String] {
        // After a kill right behind the commit they belong to the store: the log with it, or a journal that is void.
        let sidecars =
            [.inPlace, .inPlaceWithBackup].contains(placement)
            ? ["-wal", "-shm", "-journal"].map { FileSystem.name(of: run.store) + $0 } : []
        var faults: [String] = []
        let others = try run.names.filter { !names.contains($0) && !sidecars.contains($0) }
        if !others.isEmpty { faults.append("left over: \(others)") }
        let missing = try names.filter { try !run.names.contains($0) }
        if !missing.isEmpty { faults.append("missing: \(missing)") }
        if try run.backupNames != backupNames {
            faults.append("the backup has \(try run.backupNames), not \(backupNames)")
        }
        return faults
    }
}

extension KillScenario {
    /// A folder of its own with a copy of the store, and the command that migrates it.
    struct Run {
        let folder: String
        let store: String
        let result: String
        let before: FolderState
        private let words: [String]
        private let backup: String?

        init(_ original: StoreFolder, _ placement: SafetyPlacement, _ words: [String], name: String) throws {
            store = try original.copy(named: name)
            folder = original.directory.file(name)
            result = placement.result(of: store, in: folder)
            backup = placement.backup(in: folder)
            self.words = ["migrate", store] + words + placement.words(in: folder)
            before = try FolderState(of: folder)
        }

        func start(_ environment: [String: String] = [:]) throws -> ToolProcess.Result {
            try ToolProcess.ferry(words, environment: environment)
        }

        /// The names in the folder, those of the backup left out.
        var names: [String] {
            get throws { try FolderState(of: folder).names.filter { !$0.hasPrefix("old/") } }
        }

        var backupNames: [String] {
            get throws { try backup.map { try FolderState(of: $0).names } ?? [] }
        }
    }
}

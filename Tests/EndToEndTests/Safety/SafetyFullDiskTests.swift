import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// Where the disk is full, or files may not grow, the store stays what it is, and the next run with room goes through.
@Suite struct SafetyFullDiskTests {
    /// Bytes that are left for the migration, so that it runs out at different stages.
    private static let rooms = [0, 8 << 10, 32 << 10, 64 << 10, 96 << 10, 128 << 10, 176 << 10, 224 << 10]

    @Test(
        .long, .enabled(if: MountedFolder.isPossible, "this user may not mount file systems"),
        arguments: SafetyStore.Content.allCases, [SafetyPlacement.replace, .backup, .inPlace, .output])
    func aFullDiskChangesNothing(_ content: SafetyStore.Content, _ placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: content, journal: .openLog).make()
        let old = try StoreDump(of: folder.copy(named: "dump"))
        var failures = 0
        for room in Self.rooms {
            let disk = try MountedFolder(kilobytes: 2048)
            let store = disk.file(FileSystem.name(of: folder.store))
            try StoreFiles(folder.store).copyAll(to: StoreFiles(store))
            try disk.fill(leaving: room)
            let before = try FolderState(of: disk.path)
            let command = ["migrate", store] + words + placement.words(in: disk.path)
            let run = try ToolProcess.ferry(command)
            if run.status == 3 {
                failures += 1
                #expect(run.errors.contains("space") && run.errors.contains("try again"), "\(run.summary)")
                let after = try FolderState(of: disk.path)
                let changed = after.byteDifferences(from: before).filter { !Self.isLog($0, of: store, placement) }
                #expect(changed == [], "\(room) bytes left: \(run.summary)")
                try FileSystem.remove(disk.file("filler"))
                let copy = try FileManager.default.copyStore(store, to: folder.directory.file("after-\(room)"))
                #expect(try StoreDump(of: copy) == old)
                let again = try ToolProcess.ferry(command)
                #expect(again.status < 2, "\(again.summary)")
            } else {
                #expect(run.status < 2 && run.signal == nil, "\(room) bytes left: \(run.summary)")
            }
        }
        #expect(failures > 1)
    }

    /// Blocks of 1024 bytes.
    private static let limits = [0, 1, 4, 20, 40, 60, 80, 100, 110]

    @Test(
        .long, arguments: [SafetyStore.Content.company, .recipes],
        [SafetyPlacement.replace, .backup, .inPlace, .output])
    func theLimitOnFileSizesChangesNothing(_ content: SafetyStore.Content, _ placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: content, journal: .rollback).make()
        let old = try StoreDump(of: folder.copy(named: "dump"))
        for limit in Self.limits {
            let store = try folder.copy(named: "limited")
            let place = FileSystem.directory(of: store)
            defer { try? FileManager.default.removeItem(atPath: place) }
            let before = try FolderState(of: place)
            let command = ["migrate", store] + words + placement.words(in: place)
            let run = try ToolProcess.run(
                "/usr/bin/env", ["prlimit", "--fsize=\(limit << 10)", ToolProcess.ferry] + command)
            #expect(run.status == 3 && run.signal == nil, "\(limit) KiB: \(run.summary)")
            // With a limit of nothing not even the message can go to a file.
            #expect(limit == 0 || run.errors.contains("ulimit"), "\(limit) KiB: \(run.summary)")
            // In place not even what was there can be written back: the journal does it, once there is room.
            let isPending = placement == .inPlace && FileSystem.exists(store + "-journal")
            let changed = try FolderState(of: place).byteDifferences(from: before)
            #expect(changed == [] || isPending, "\(limit) KiB: \(changed), \(run.summary)")
            #expect(try StoreDump(of: store) == old)
            let again = try ToolProcess.ferry(command)
            #expect(again.status < 2, "\(again.summary)")
        }
    }

    /// A transaction in place writes to the log, and what was not committed there counts for nothing.
    private static func isLog(_ name: String, of store: String, _ placement: SafetyPlacement) -> Bool {
        placement == .inPlace && name.hasPrefix(FileSystem.name(of: store) + "-")
    }
}

extension FileManager {
    /// Copies a store to a fresh folder and returns its path there.
    func copyStore(_ store: String, to folder: String) throws -> String {
        try createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy = folder + "/" + FileSystem.name(of: store)
        try StoreFiles(store).copyAll(to: StoreFiles(copy))
        return copy
    }
}

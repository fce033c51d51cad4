import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// What may not be written, and what a new file cannot take over from the old one.
@Suite struct SafetyPermissionTests {
    @Test(
        .enabled(if: ToolProcess.canDropPrivileges, "the tool cannot be run as another user"),
        arguments: ["folder", "file"], [SafetyPlacement.replace, .backup, .inPlace, .output])
    func whatMayOnlyBeReadIsLeftAlone(_ what: String, _ placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "read-only")
        let place = FileSystem.directory(of: store)
        // The folder belongs to root, and everybody may do in it what its permissions say.
        chmod(place, what == "folder" ? 0o755 : 0o777)
        chmod(store, what == "file" ? 0o444 : 0o666)
        let before = try FolderState(of: place)
        let run = try ToolProcess.ferryWithoutPrivileges(["migrate", store] + words + placement.words(in: place))
        if what == "file", placement == .output {
            // A new store beside needs nothing of the old one but its bytes; its owner cannot be given.
            #expect(run.status == 1, "\(run.summary)")
            #expect(run.output.contains("[attributes-not-kept]"), "\(run.summary)")
        } else {
            #expect(run.status == 2, "\(run.summary)")
            #expect(run.errors.contains("permission") || run.errors.contains("is read-only"), "\(run.summary)")
            #expect(try FolderState(of: place).byteDifferences(from: before) == [])
        }
    }

    @Test(
        .enabled(if: MountedFolder.isPossible, "this user may not mount file systems"),
        arguments: SafetyStore.Journal.allCases)
    func aReadOnlyFileSystemIsLeftAlone(_ journal: SafetyStore.Journal) throws {
        let (folder, words) = try SafetyStore(content: .history, journal: journal).make()
        let disk = try MountedFolder(kilobytes: 4096)
        let store = disk.file("Store.sqlite")
        try StoreFiles(folder.store).copyAll(to: StoreFiles(store))
        let mounted = try ToolProcess.run("/usr/bin/env", ["mount", "-o", "remount,ro", disk.path])
        try #require(mounted.status == 0, "\(mounted.summary)")
        for placement in SafetyPlacement.allCases {
            let run = try ToolProcess.ferry(["migrate", store] + words + placement.words(in: disk.path))
            #expect(run.status == 2, "\(placement): \(run.summary)")
            #expect(run.errors.contains("read-only") || run.errors.contains("is read-only"), "\(run.summary)")
        }
        let table = try folder.directory.write("text\nA\n", to: "Note.csv")
        let records = try ToolProcess.ferry(
            ["import", table, "--entity", "Note", "--store", store] + words.prefix(2))
        #expect(records.status == 2, "\(records.summary)")
        #expect(records.errors.contains("the store is read-only"), "\(records.summary)")
        let run = try ToolProcess.ferry(["migrate", store, "--output", folder.directory.file("New.sqlite")] + words)
        #expect(run.status == 0, "\(run.summary)")
    }

    @Test(arguments: ["file", "name", "nothing"])
    func aBackupGoesIntoAFolder(_ what: String) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let place =
            switch what {
            case "file": folder.store
            case "name": folder.store + "/below"
            default: ""
            }
        let before = try FolderState(of: FileSystem.directory(of: folder.store))
        let run = try ToolProcess.ferry(["migrate", folder.store, "--backup", place] + words)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains(what == "name" ? "part of the path is not a folder" : "this is not a folder"))
        #expect(try FolderState(of: FileSystem.directory(of: folder.store)).byteDifferences(from: before) == [])
    }

    @Test func theNewFileHasOwnerGroupAndPermissionsOfTheOld() throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "owned")
        chmod(store, 0o640)
        if getuid() == 0 { chown(store, 1234, 2345) }
        var before = stat()
        #expect(stat(store, &before) == 0)
        #expect(try ToolProcess.ferry(["migrate", store] + words).status == 0)
        var after = stat()
        #expect(stat(store, &after) == 0)
        #expect(before.st_ino != after.st_ino)
        #expect(before.st_mode == after.st_mode && before.st_uid == after.st_uid && before.st_gid == after.st_gid)
    }

    @Test func otherNamesOfTheStoreAreSpokenOf() throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "linked")
        let other = folder.directory.file("linked/Other.sqlite")
        try FileManager.default.linkItem(atPath: store, toPath: other)
        for more in [["--dry-run"], []] {
            let run = try ToolProcess.ferry(["migrate", store] + words + more)
            #expect(run.status == 1, "\(run.summary)")
            #expect(run.output.contains("[hard-links"), "\(run.summary)")
        }
        let left = try Connection(path: other, access: .readOnly)
        #expect(try left.value("SELECT count(*) FROM ZPARKINGPLACE").integer == 7)
    }

    /// Its owner may put files into such a folder, and not open it to synchronize it.
    @Test(.enabled(if: ToolProcess.canDropPrivileges, "the tool cannot be run as another user"))
    func aFolderThatCannotBeSynchronizedIsSpokenOfAndTheStoreIsNew() throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "unlistable")
        let place = FileSystem.directory(of: store)
        if getuid() == 0 {
            chown(place, 65534, 65534)
            chown(store, 65534, 65534)
        }
        chmod(place, 0o300)
        let run = try ToolProcess.ferryWithoutPrivileges(["migrate", store] + words)
        chmod(place, 0o700)
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.output.contains("[not-durable]"), "\(run.summary)")
        let again = try ToolProcess.ferry(["migrate", store] + words)
        #expect(again.output.contains("nothing to do"), "\(again.summary)")
    }
}

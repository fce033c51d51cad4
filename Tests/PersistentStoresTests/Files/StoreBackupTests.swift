import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// A backup is whole or not there, whatever happened to the run that made it.
@Suite struct StoreBackupTests {
    private let directory: TemporaryDirectory
    private let store: StoreFiles
    private let folder: String

    init() throws {
        directory = try TemporaryDirectory()
        try FileSystem.createDirectory(directory.file("app"))
        store = StoreFiles(directory.file("app/Store.sqlite"))
        folder = directory.file("old")
        let connection = try Connection(path: store.path, access: .create)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        connection.setCheckpointOnClose(false)
        try connection.close()
        try FileSystem.createDirectory(store.externalDataDirectory)
        try directory.write("photo", to: "app/.Store_SUPPORT/_EXTERNAL_DATA/P")
    }

    private static let names = [
        ".Store_SUPPORT", ".Store_SUPPORT/_EXTERNAL_DATA", ".Store_SUPPORT/_EXTERNAL_DATA/P", "Store.sqlite",
        "Store.sqlite-wal",
    ]

    private func names() throws -> [String] { try FolderState(of: folder).names }

    @Test func hasTheFilesOfTheStore() throws {
        let backup = try StoreBackup(of: store, in: folder)
        #expect(!FileSystem.exists(backup.files.path))
        try backup.make()
        backup.keep()
        #expect(try names() == Self.names)
        let (old, new) = (try FolderState(of: store.directory), try FolderState(of: folder))
        #expect(old.byteDifferences(from: new).filter { !$0.hasSuffix("-shm") } == [])
    }

    @Test func goesAwayWhereTheStoreHasNotChanged() throws {
        let backup = try StoreBackup(of: store, in: folder)
        try backup.make()
        backup.discard()
        #expect(!FileSystem.exists(folder))
    }

    /// What the folder holds after each step, as a crash would leave it.
    @Test func whatADeadRunLeftIsClearedUp() throws {
        var states: [String] = []
        let backup = try StoreBackup(of: store, in: folder)
        let (folder, directory) = (folder, directory)
        try backup.make(onStep: { _ in
            let copy = directory.file("state \(states.count)")
            #expect(throws: Never.self) { try FileManager.default.copyItem(atPath: folder, toPath: copy) }
            states.append(copy)
        })
        #expect(states.count == 5)
        for state in states {
            let next = try StoreBackup(of: store, in: state)
            try next.make()
            next.keep()
            #expect(try FolderState(of: state).names == Self.names, "\(state)")
        }
    }

    @Test func oneWithTheSameContentServesAgain() throws {
        let first = try StoreBackup(of: store, in: folder)
        try first.make()
        first.keep()
        // The log moves into the main file: other bytes, the same content.
        let connection = try Connection(path: store.path, access: .readWrite)
        _ = try connection.value("PRAGMA journal_mode = DELETE")
        try connection.close()
        let before = try FolderState(of: folder)
        let second = try StoreBackup(of: store, in: folder)
        try second.make()
        second.discard()
        #expect(try FolderState(of: folder).byteDifferences(from: before).filter { !$0.hasSuffix("-shm") } == [])
    }

    @Test(arguments: ["row", "external data", "nothing but a log"])
    func whatIsThereIsNotOverwritten(difference: String) throws {
        let first = try StoreBackup(of: store, in: folder)
        try first.make()
        first.keep()
        switch difference {
        case "row": try Connection(path: store.path, access: .readWrite).execute("INSERT INTO t VALUES (2)")
        case "external data": try directory.write("other", to: "app/.Store_SUPPORT/_EXTERNAL_DATA/P")
        default: try FileSystem.remove(folder + "/Store.sqlite")
        }
        let before = try FolderState(of: folder)
        #expect(throws: StoreError.self) { try StoreBackup(of: store, in: folder) }
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
    }

    @Test func theStoreIsNotItsOwnBackup() throws {
        let before = try FolderState(of: store.directory)
        #expect(throws: StoreError.self) { try StoreBackup(of: store, in: store.directory) }
        #expect(try FolderState(of: store.directory).byteDifferences(from: before) == [])
    }

    @Test func twoRunsDoNotMakeTheSame() throws {
        let first = try StoreBackup(of: store, in: folder)
        #expect(throws: StoreError.self) { try StoreBackup(of: store, in: folder) }
        try first.make()
        first.keep()
    }
}

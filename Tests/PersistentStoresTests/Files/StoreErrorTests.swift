import Glibc
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// What SQLite's codes and the system's numbers mean to people who read them.
@Suite struct StoreErrorTests {
    @Test(
        arguments: [
            (5, "locked by another process", true), (261, "locked by another process", true),
            (3850, "locks or the shared memory", false), (2058, "locks or the shared memory", false),
            (2314, "locks or the shared memory", false),
            (5386, "shared memory", false), (4618, "shared memory", false), (15, "locks or the shared memory", false),
            (22, "locks or the shared memory", false), (3, "locks or the shared memory", false),
            (13, "no space is left", true), (8, "is read-only", false), (1032, "is read-only", false),
            (26, "not an SQLite database", false), (11, "the database is damaged", false),
            (266, "disk I/O error", false),
        ] as [(Int32, String, Bool)])
    func aCodeOfSQLiteSaysWhatToDo(_ code: Int32, _ text: String, _ mayPass: Bool) {
        let path = "/dev/null"
        let error = StoreError(SQLiteError(code: code, message: "disk I/O error", path: path), path: path)
        #expect("\(error)".hasPrefix("/dev/null: "))
        #expect("\(error)".contains(text), "\(error)")
        #expect(error.isTemporary == mayPass)
    }

    @Test(arguments: [(ENOSPC, "no space is left"), (EDQUOT, "no space is left"), (EFBIG, "ulimit")])
    func sharedMemoryThatLacksSpaceIsNoFaultOfTheFileSystem(number: Int32, text: String) {
        let error = StoreError(
            SQLiteError(code: 4874, message: "disk I/O error", path: "/a/b", systemNumber: number), path: "/a/b")
        #expect("\(error)".contains(text), "\(error)")
        #expect(error.isTemporary)
    }

    @Test(arguments: [5, 261, 3850] as [Int32])
    func locksThatTheSystemDoesNotGiveAreNobodysElse(code: Int32) {
        let error = StoreError(
            SQLiteError(code: code, message: "database is locked", path: "/a/b", systemNumber: ENOLCK), path: "/a/b")
        #expect("\(error)".contains("locks or the shared memory"), "\(error)")
        #expect("\(error)".contains("No locks available"), "\(error)")
        #expect(!error.isTemporary)
    }

    @Test func theSystemsNumberIsExplained() {
        let error = StoreError(
            SQLiteError(code: 266, message: "disk I/O error", path: "/a/b", systemNumber: ESTALE), path: "/a/b")
        #expect("\(error)".contains("disk I/O error: Stale file handle (SQLite error 266)"), "\(error)")
    }

    @Test(arguments: [("loop", "a symbolic link"), (String(repeating: "n", count: 300), "the name is too long")])
    func aStoreOutOfReachIsNotCalledMissing(_ name: String, _ text: String) throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/" + name
        if name == "loop" { try #require(symlink(path, path) == 0) }
        let expected = "cannot look at \(path): "
        for error in [
            #expect(throws: StoreError.self) { try StoreType(ofStoreAt: path) },
            #expect(throws: StoreError.self) { try SQLiteStore(path: path) },
            StoreError(SQLiteError(code: 11, message: "malformed", path: path), path: path),
        ] {
            let sentence = "\(try #require(error))"
            #expect(sentence.hasPrefix(expected) && sentence.contains(text), "\(sentence)")
        }
    }

    @Test(arguments: [
        (ENOLCK, "work on a local disk"), (ESTALE, "on the server"), (ETIMEDOUT, "does not answer"),
        (EMFILE, "ulimit -n"), (EROFS, "read-only"), (ENXIO, "No such device or address"),
    ])
    func aNumberOfTheSystemIsExplained(_ number: Int32, _ text: String) {
        let error = FileError(.lock, "/a/b", number: number)
        #expect("\(error)".hasPrefix("cannot lock /a/b: ") && "\(error)".contains(text), "\(error)")
    }
}

import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@Suite struct StoreErrorTests {
    @Test func aDatabaseThatCannotBeOpenedIsNamedWithWhatToDo() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("missing/Store.sqlite")
        let error = StoreError(SQLiteError(code: 14, message: "unable to open database file", path: path), path: path)
        #expect(error.description.hasPrefix("\(path): SQLite cannot open the database"))
        #expect(error.description.contains("cannot look at \(directory.file("missing"))"))
        #expect(error.description.hasSuffix("or work on a copy in a folder that you may write to"))
    }

    /// A log or a journal that an app changes under a reader, in a folder that this user may write to, is a lock.
    @Test(arguments: [(8, false), (264, true), (520, true), (1032, true), (1288, true)] as [(Int32, Bool)])
    func aReaderThatIsLeftBehindMayTryAgain(code: Int32, isLocked: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("x", to: "Store.sqlite")
        let error = StoreError(SQLiteError(code: code, message: "attempt to write", path: path), path: path)
        #expect(error.description.contains(isLocked ? "locked by another process" : "the store is read-only"))
        #expect(error.isTemporary == isLocked)
        let elsewhere = directory.file("missing/Store.sqlite")
        let other = StoreError(SQLiteError(code: code, message: "attempt to write", path: elsewhere), path: elsewhere)
        #expect(other.description.contains("the store is read-only"))
    }

    /// SQLite does not say which device is full: both that it writes to are named, with what is free there.
    @Test func aFullDeviceIsNamed() {
        let full = StoreError(.noSpace(needed: nil, free: 3 << 30), path: "/data/Store.sqlite")
        #expect(
            full.description.hasPrefix("/data/Store.sqlite: no space is left on its device, where 3.0 GiB are free"))
        #expect(full.description.contains("in the folder for temporary files, \(TemporaryFolder.place), where "))
        #expect(full.description.contains("(TMPDIR names another one)") && full.isTemporary)
        let planned = StoreError(.noSpace(needed: 2 << 20, free: 1 << 20), path: "/data/Store.sqlite")
        #expect(planned.description.contains("; 2.0 MiB are needed, and 1.0 MiB are free; free some and try again"))
    }
}

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
}

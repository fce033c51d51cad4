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
}

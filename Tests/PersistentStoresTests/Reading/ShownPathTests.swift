import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Errors name a store as it is shown, where it stands for another one.
@Suite struct ShownPathTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func whatIsNoStoreIsNamedAsItIsShown() throws {
        let database = directory.file("plain.sqlite")
        try Connection(path: database, access: .create).execute("CREATE TABLE t (x)")
        let text = try directory.write("no database", to: "text.sqlite")
        for path in [database, text, directory.path] {
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path, shownAs: "/shown/Store.xml") }
            #expect(error?.path == "/shown/Store.xml")
            // By its own path otherwise.
            let own = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(own?.path == path)
        }
    }

    @Test func errorsOfSQLiteNameItToo() throws {
        let path = directory.file("plain.sqlite")
        let connection = try Connection(path: path, access: .create, shownAs: "/shown/Store.xml")
        #expect(connection.path == path)
        let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT nothing") }
        #expect(error?.path == "/shown/Store.xml")
        try connection.close()
        let closed = #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        #expect(closed?.path == "/shown/Store.xml")
        #expect(try Connection(path: path, access: .readOnly).shownPath == path)
    }

    @Test func theFilesOfAStoreKeepTheirPlaces() {
        let files = StoreFiles("/tmp/a.sqlite", shownAs: "/shown/Store.xml")
        #expect(files.path == "/tmp/a.sqlite" && files.writeAheadLog == "/tmp/a.sqlite-wal")
        #expect(files.shownPath == "/shown/Store.xml")
        #expect(StoreFiles("/tmp/a.sqlite").shownPath == "/tmp/a.sqlite")
    }
}

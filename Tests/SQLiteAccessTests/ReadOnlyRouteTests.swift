import TestSupport
import Testing

@testable import SQLiteAccess

@Suite struct ReadOnlyRouteTests {
    /// SQLite says "read-only" to a reader where it meets a log or a journal that somebody changes just then.
    @Test func aDatabaseThatChangesAllTheTimeIsBusyAndNotReadOnly() throws {
        let directory = try TemporaryDirectory()
        let location = try DatabaseLocation(path: directory.write("", to: "changing.sqlite"), mustExist: true)
        for (code, isBusy) in [(Int32(264), true), (1288, true), (14, false), (11, false)] {
            var attempts = 0
            let error = #expect(throws: SQLiteError.self) {
                try ReadOnlyRoute.open(location, busyTimeout: 0) { (_) throws(SQLiteError) in
                    attempts += 1
                    throw SQLiteError(code: code, message: "")
                }
            }
            #expect(error?.isBusy == isBusy)
            #expect(attempts == (code == 11 ? 1 : 8))
        }
    }
}

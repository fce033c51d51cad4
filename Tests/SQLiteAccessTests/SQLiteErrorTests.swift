import Glibc
import Testing

@testable import SQLiteAccess

@Suite struct SQLiteErrorTests {
    @Test(
        arguments: [
            (5, "busy"), (517, "busy"), (6, "busy"), (13, "full"), (11, "corrupt"), (267, "corrupt"), (8, "read-only"),
            (776, "read-only"), (26, "no database"), (9, "interrupted"), (10, "input/output"), (522, "input/output"),
            (2067, "constraint"), (14, "cannot open"), (1, "none"),
        ] as [(Int32, String)])
    func extendedCodesBelongToTheirKind(_ code: Int32, _ kind: String) {
        let error = SQLiteError(code: code, message: "")
        let kinds = [
            "busy": error.isBusy, "full": error.isFull, "corrupt": error.isCorrupt, "read-only": error.isReadOnly,
            "no database": error.isNotADatabase, "interrupted": error.isInterrupted,
            "input/output": error.isInputOutput, "constraint": error.isConstraint, "cannot open": error.isCannotOpen,
        ]
        #expect(kinds.filter(\.value).keys.sorted() == (kind == "none" ? [] : [kind]))
        #expect(error.primaryCode == code & 0xff)
    }

    @Test(
        arguments: [
            (5, ENOLCK, ENOLCK), (261, ENOLCK, ENOLCK), (5, EAGAIN, 0), (1, ENOLCK, 0), (6, ENOLCK, 0),
        ] as [(Int32, Int32, Int32)])
    func aRefusedLockIsToldFromOneThatIsHeld(_ code: Int32, _ number: Int32, _ refusal: Int32) {
        errno = number
        let found = SystemFile.lockRefusal(code)
        #expect(found == refusal)
        let error = SQLiteError(code: code, message: "", systemNumber: found)
        #expect(error.isLockFault == (refusal != 0))
        if refusal != 0 { #expect(!error.isBusy) }
    }

    @Test func errorsAreEqualByCode() {
        #expect(SQLiteError(code: 5, message: "a", sql: "b") == SQLiteError(code: 5, message: "c", path: "d"))
        #expect(SQLiteError(code: 5, message: "a") != SQLiteError(code: 517, message: "a"))
    }

    @Test func theDescriptionIsOneLineAndShort() {
        let error = SQLiteError(
            code: 1, message: "bad\nname \u{1b}[31m", sql: "SELECT " + String(repeating: "x", count: 1_000_000),
            path: "/a/b")
        #expect(error.description.hasPrefix("bad name  [31m (SQLite error 1) in /a/b, statement: SELECT xxx"))
        #expect(error.description.hasSuffix("..."))
        #expect(error.description.utf8.count < 300)
        #expect(SQLiteError(code: 5, message: "is locked").description == "is locked (SQLite error 5)")
    }
}

import SQLiteAccess
import Testing

@Suite struct SQLiteIdentifierTests {
    @Test(arguments: [
        "ZNAME", "order", "two words", "it's", "a\"b", "\"\"", "\u{22}\u{301}", "", "%s", "naïve 日本", "[x]",
        "`x`", "a\nb",
    ])
    func aQuotedNameNamesTheSame(_ name: String) throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE T(i, \(SQLiteIdentifier.quoted(name)))")
        #expect(try connection.rows("PRAGMA table_info(T)").last?[1] == .string(name))
        _ = try connection.rows("SELECT \(SQLiteIdentifier.quoted(name)) FROM T")
    }

    @Test func aNameWithANULIsRefusedWithTheStatement() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("CREATE TABLE \(SQLiteIdentifier.quoted("a\0b"))(i)")
        }
        #expect(error?.message.contains("NUL") == true)
        #expect(try connection.value("SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test(arguments: ["", "it's", "''", "\u{27}\u{301}", "a\0b", "\"", "日本"])
    func aStringLiteralIsTheString(_ string: String) throws {
        let connection = try Connection(path: ":memory:", access: .create)
        #expect(try connection.value("SELECT " + SQLiteLiteral.string(string)) == .string(string))
    }

    @Test func aBlobLiteralIsInHexadecimal() {
        #expect(SQLiteLiteral.blob([]) == "X''")
        #expect(SQLiteLiteral.blob([0, 0x9f, 0xff]) == "X'009FFF'")
    }
}

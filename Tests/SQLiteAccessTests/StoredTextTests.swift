import SQLiteAccess
import TestSupport
import Testing

/// Texts in the encoding of a database, and in UTF-8, held against what SQLite stores and returns.
@Suite struct StoredTextTests {
    private static let encodings: [DatabaseFile.TextEncoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian]

    private static func connection(_ encoding: DatabaseFile.TextEncoding) throws -> Connection {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("PRAGMA encoding = '\(encoding.name)'; CREATE TABLE T (a)")
        return connection
    }

    /// Bytes that are mostly valid, and others.
    private static func bytes(_ random: inout RandomNumbers) -> [UInt8] {
        let pieces: [[UInt8]] = [
            Array("a".utf8), Array("ß".utf8), Array("語".utf8), Array("😀".utf8), [0], [0x80], [0xc3], [0xe2, 0x82],
            [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
            [0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf], [0xfe], [0xff], [0xc0, 0x80], [0xef, 0xbf, 0xbf], [0xef, 0xbf, 0xbe],
            [0xef, 0xbf, 0xbd], [0xf4, 0x90, 0x80, 0x80], [0xd8, 0], [0, 0xd8], [0xdc, 0x41], [0x41, 0xdc],
            [0xdf, 0xff],
        ]
        return (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
            Int.random(in: 0..<8, using: &random) == 0
                ? [UInt8.random(in: 0...255, using: &random)] : pieces.randomElement(using: &random) ?? []
        }
    }

    @Test(arguments: encodings) func theNamesAreSQLites(_ encoding: DatabaseFile.TextEncoding) throws {
        #expect(try DatabaseFile.TextEncoding(of: Self.connection(encoding)) == encoding)
    }

    @Test(arguments: encodings) func textsAreStoredAndReturnedAsBySQLite(_ encoding: DatabaseFile.TextEncoding) throws {
        let connection = try Self.connection(encoding)
        var random = RandomNumbers(seed: UInt64(encoding.rawValue))
        // What is not UTF-8 is converted in the same way, and so are halves of pairs.
        let stored = try connection.prepare("SELECT CAST(?1 AS BLOB)")
        let text = try connection.prepare("SELECT CAST(?1 AS TEXT)")
        for _ in 0..<20_000 {
            let bytes = Self.bytes(&random)
            try stored.bindText(copying: bytes, at: 1)
            #expect(try stored.step())
            #expect(stored.value(0) == .blob(encoding.stored(bytes.span)), "\(bytes)")
            stored.reset()
            try text.bindBlob(copying: bytes, at: 1)
            #expect(try text.step())
            text.withValue(0) { value in
                let found = value.withStoredBytes { encoding.utf8($0) }
                #expect(text.value(0) == .text(found), "\(bytes)")
            }
            text.reset()
        }
    }

    /// A text whose bytes are asked for is not converted on the way, and is still the same text afterwards.
    @Test(arguments: encodings) func bytesAreThoseOfTheRecord(_ encoding: DatabaseFile.TextEncoding) throws {
        let connection = try Self.connection(encoding)
        let text = "é\u{1F600}\0a"
        try connection.execute("INSERT INTO T VALUES (?), (X'0041ff')", [.string(text)])
        let select = try connection.prepare("SELECT a, CAST(a AS BLOB), a || 'b' FROM T")
        #expect(try select.step())
        for column in [0, 2] as [Int32] {
            let expected = encoding.stored((column == 0 ? text : text + "b").utf8.span)
            #expect(
                select.withValue(column) { $0.withStoredBytes { bytes in bytes.indices.map { bytes[$0] } } } == expected
            )
            #expect(select.storageClass(column) == .text)
            #expect(select.string(column) == (column == 0 ? text : text + "b"))
        }
        #expect(select.value(1) == .blob(encoding.stored(text.utf8.span)))
        #expect(try select.step())
        #expect(
            select.withValue(0) { $0.withStoredBytes { bytes in bytes.indices.map { bytes[$0] } } } == [0, 0x41, 0xff])
    }
}

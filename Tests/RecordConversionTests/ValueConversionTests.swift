import Foundation
import ImportTestSupport
import ManagedObjectModels
import RecordConversion
import RecordSources
import SQLiteAccess
import TestSupport
import Testing

@Suite struct ValueConversionTests {
    @Test func aTextIsCopiedAsItIsAndNULLOnlyWhereItIsEmptyAndUnquoted() throws {
        let string = ValueConversion(.string)
        #expect(try Converting(" é\u{0} ", string) == .text(" é\u{0} "))
        #expect(try Converting("", string) == .null)
        #expect(try Converting("", quoted: true, string) == .text(""))
        #expect(try Converting("\\N", string) == .null)
        #expect(try Converting("\\N", quoted: true, string) == .text("\\N"))
        #expect(try Converting("NULL", string) == .text("NULL"))
    }

    @Test func whiteSpaceEmptyTextsAndTokensAreTreatedAsAskedFor() throws {
        var string = ValueConversion(.string)
        string.trims = true
        string.emptyText = .always
        string.nullTokens = [Array("NULL".utf8), Array("n/a".utf8)]
        #expect(try Converting(" \u{A0}\u{3000}a b\t ", string) == .text("a b"))
        #expect(try Converting("  ", quoted: true, string) == .null)
        #expect(try Converting(" NULL", string) == .null)
        #expect(try Converting("n/a", string) == .null)
        #expect(try Converting("\\N", string) == .text("\\N"))
        string.emptyText = .never
        #expect(try Converting("", string) == .text(""))
    }

    @Test(arguments: [
        "123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000",
        "{123e4567-e89b-12d3-a456-426614174000}",
        "urn:uuid:123e4567-e89b-12d3-a456-426614174000", " URN:UUID:123E4567-e89b-12d3-a456-426614174000",
    ])
    func aUUIDIsSixteenBytesHoweverItIsWritten(text: String) throws {
        let bytes: [UInt8] = [
            0x12, 0x3E, 0x45, 0x67, 0xE8, 0x9B, 0x12, 0xD3, 0xA4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00,
        ]
        #expect(try Converting(text, ValueConversion(.uuid)) == .blob(bytes))
    }

    @Test(arguments: [
        "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g",
        "123e4567xe89b-12d3-a456-426614174000",
        "{123e4567-e89b-12d3-a456-426614174000", "x",
    ])
    func whatIsNoUUIDIsRefused(text: String) throws {
        #expect(try Converting(text, ValueConversion(.uuid)) == .failure(.notAUUID))
    }

    @Test(arguments: [
        "http://example.com/a?b=c#d", "mailto:a@b.example", "x", "../a/b", "urn:isbn:0451450523", "http://[::1]:8080/",
        "a%20b", "//host/path", "?q", "#f", "x-coredata://AB/C/p1",
    ])
    func aURIIsKeptAsItIs(text: String) throws {
        #expect(try Converting(text, ValueConversion(.uri)) == .text(text))
    }

    @Test(arguments: ["http://a b", "a%2", "a%zz", "http://é.example", "<a>", "1a:b", ":a", "a\\b", "{x}", "a\"b"])
    func whatIsNoURIIsRefusedWithItsNumber(text: String) throws {
        #expect(try Converting(text, ValueConversion(.uri)) == .failure(.notAURI))
    }

    @Test(arguments: [
        ("", Converting.null), ("TWFu", .blob(Array("Man".utf8))), ("TWE=", .blob(Array("Ma".utf8))),
        ("TWE", .blob(Array("Ma".utf8))), ("TQ==", .blob(Array("M".utf8))), ("TW Fu", .blob(Array("Man".utf8))),
        ("-_-_", .blob([0xFB, 0xFF, 0xBF])), ("+/+/", .blob([0xFB, 0xFF, 0xBF])), ("T", .failure(.notBase64)),
        ("TQ=", .failure(.notBase64)), ("TQ==TQ==", .failure(.notBase64)), ("T*==", .failure(.notBase64)),
        ("TWFu=", .failure(.notBase64)),
    ])
    func `base64`(text: String, value: Converting) throws {
        #expect(try Converting(text, ValueConversion(.binary)) == value)
    }

    @Test(arguments: [
        ("00fF", Converting.blob([0, 255])), ("0x0aB1", .blob([10, 0xB1])), ("\\x0a", .blob([10])),
        ("X'0A'", .blob([10])),
        ("0", .failure(.notHexadecimal)), ("0g", .failure(.notHexadecimal)), ("X'0'", .failure(.notHexadecimal)),
    ])
    func `hexadecimal`(text: String, value: Converting) throws {
        var conversion = ValueConversion(.binary)
        conversion.binary = .hexadecimal
        #expect(try Converting(text, conversion) == value)
    }

    @Test func theTextItselfMayBeTheBinaryData() throws {
        var conversion = ValueConversion(.binary)
        conversion.binary = .text
        #expect(try Converting("aé", conversion) == .blob(Array("aé".utf8)))
    }

    @Test func filesAreReadFromTheirFolderOnly() throws {
        let directory = try TemporaryDirectory()
        let manager = FileManager.default
        try manager.createDirectory(atPath: directory.file("data/sub"), withIntermediateDirectories: true)
        try directory.write([1, 2, 3], to: "data/sub/a b.bin")
        try directory.write([9], to: "secret")
        try directory.write([UInt8](repeating: 0, count: 100), to: "data/large")
        try manager.createSymbolicLink(atPath: directory.file("data/link"), withDestinationPath: "../secret")
        try manager.createSymbolicLink(atPath: directory.file("data/up"), withDestinationPath: "..")
        var conversion = ValueConversion(.binary)
        conversion.binary = .file(BinaryFolder(path: directory.file("data"), largestFile: 99))
        #expect(try Converting("sub/a b.bin", conversion) == .blob([1, 2, 3]))
        let unsafe = [
            "../secret", "sub/../../secret", "/etc/passwd", "./sub", "sub//a", "link", "up/secret", "a\u{0}b",
        ]
        for path in unsafe {
            #expect(try Converting(path, conversion) == .failure(.unsafePath), "\(path)")
        }
        #expect(try Converting("nothing", conversion) == .failure(.unreadableFile))
        #expect(try Converting("sub", conversion) == .failure(.unreadableFile))
        #expect(try Converting("large", conversion) == .failure(.fileTooLarge))
    }

    @Test(arguments: [
        ("true", ValueConversion.Target.boolean, Converting.integer(1)), ("false", .boolean, .integer(0)),
        ("true", .string, .text("true")), ("12.50", .string, .text("12.50")), ("12.50", .decimal, .text("12.5")),
        ("\"\"", .string, .text("")), ("\"\"", .integer, .null), ("null", .string, .null),
        ("1e2", .integer, .integer(100)),
        ("{}", .string, .failure(.notASingleValue)), ("[1]", .integer, .failure(.notASingleValue)),
        ("1", .boolean, .integer(1)),
        ("12345678901234567890.5", .decimal, .text("12345678901234567890.5")),
    ])
    func valuesOfJSONConvertByTheirOwnTypes(
        json: String, target: ValueConversion.Target, value: Converting
    ) throws {
        var source = try jsonSource(Array("[\(json)]".utf8), paths: ["."])
        #expect(try Converting(&source, ValueConversion(target)) == value)
    }

    @Test func customWordsDoNotChangeJSONsTrue() throws {
        var conversion = ValueConversion(.boolean)
        conversion.booleans = BooleanWords(yes: ["ja"], no: ["nein"])
        var source = try jsonSource(Array("[true]".utf8), paths: ["."])
        #expect(try Converting(&source, conversion) == .integer(1))
    }

    @Test func failuresOfAColumnNameTheirRecordsAndTheOthersAreConverted() throws {
        var source = try DelimitedSource(
            ByteInput(bytes: Array("a,b\n1,x\n2,3\n,5\ny,6,7\n".utf8), name: "t"),
            options: .with { $0.hasHeader = true })
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        var values: [ConvertedValue] = []
        var failures: [Int: ConversionFailure] = [:]
        ValueConversion(.integer).convert(column: 0, of: &batch, into: &values, failures: &failures)
        #expect(values == [.integer(1), .integer(2), .null, .null])
        #expect(failures.isEmpty)
        ValueConversion(.integer).convert(column: 1, of: &batch, into: &values, failures: &failures)
        #expect(values == [.null, .integer(3), .integer(5), .null])
        #expect(failures == [0: ConversionFailure(.notAnInteger)])
    }

    @Test(arguments: AttributeType.allCases)
    func everyTypeThatAValueCanHaveHasAConversion(type: AttributeType) {
        let conversion = ValueConversion(attributeType: type)
        switch type {
        case .undefined, .objectID, .composite: #expect(conversion == nil)
        default: #expect(conversion != nil)
        }
        #expect(type.integerRange == nil || conversion?.integerRange == type.integerRange)
    }
}

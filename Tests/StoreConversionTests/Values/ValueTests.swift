import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import TestSupport
import Testing

@Suite struct ValueTests {
    private static let halves: [UInt8] = [0x61, 0xED, 0xA0, 0xBD, 0x62, 0xED, 0xB8, 0x80]

    /// Values as they are in memory: a store of any type gives them back.
    @Test(arguments: [
        (AttributeType.string, SQLiteValue.string("")), (.string, .string("a\u{0}b\r\n\t<&>\\u3c00\u{FFFE}\u{1F600}")),
        (.string, .text(halves)), (.string, .null), (.uri, .string("https://example.org/?a=1&b=<2>")),
        (.integer64, .integer(.min)), (.integer64, .integer(.max)), (.integer16, .integer(-32768)),
        (.boolean, .integer(0)), (.boolean, .integer(1)), (.double, .real(.leastNonzeroMagnitude)),
        (.double, .real(0.1 + 0.2)), (.float, .real(Double(Float(0.1)))), (.date, .real(700_000_000.123_456_7)),
        (.date, .real(-978_307_200)), (.decimal, .string("10.11")), (.decimal, .string("NaN")),
        (.decimal, .string("-3")), (.uuid, .blob([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255])),
        (.binaryData, .blob([])), (.binaryData, .blob(Array(0...255))), (.transformable, .blob([1, 0, 2])),
    ])
    func everyTypeKeepsIt(_ type: AttributeType, _ value: SQLiteValue) throws {
        let directory = try TemporaryDirectory()
        let model = try ValueForm.model(type)
        var previous = StoreConverter.Source(try memory(value, model), model: model)
        for (type, name) in [
            (PersistentStoreType.sqlite, "a.sqlite"), (.xml, "b.xml"), (.binary, "c.bin"), (.xml, "d.xml"),
        ] {
            let report = try StoreConverter(
                sources: [previous], target: .init(path: directory.file(name), type: type, newStore: newStore(model))
            ).convert()
            #expect(!report.hasWarnings)
            let store = try InMemoryStore(path: directory.file(name), model: model)
            #expect(store.objects.count == 1)
            #expect(store.objects.first?.value(at: 0) == value, "\(name)")
            previous = StoreConverter.Source(path: directory.file(name), model: model)
        }
    }

    @Test func decimalsBeyondSQLitesDigitsAreExactInTheOthersAndReportedThere() throws {
        let directory = try TemporaryDirectory()
        let model = try ValueForm.model(.decimal)
        let digits = SQLiteValue.string("12345678901234567890.123456789")
        let memory = try memory(digits, model)
        let report = try StoreConverter(
            sources: [.init(memory, model: model)],
            target: .init(path: directory.file("a.sqlite"), type: .sqlite, newStore: newStore(model))
        ).convert()
        #expect(report.findings.filter(\.isWarning).map(\.code) == [.decimalRounded])
    }

    /// Texts of an XML store that are numbers, and no values of the attribute.
    @Test(arguments: [
        (AttributeType.integer16, "32768", false), (.integer16, "-32769", false), (.integer16, "-32768", true),
        (.integer32, "2147483648", false), (.integer32, "2147483647", true), (.integer64, "9223372036854775808", false),
        (.boolean, "2", false), (.boolean, "-1", false), (.boolean, "1", true), (.double, "1e999", false),
        (.double, "-1e999", false), (.double, "1e308", true), (.double, "inf", true), (.double, "-inf", true),
        (.float, "1e39", false), (.float, "3e38", true), (.float, "inf", true), (.date, "1e400", false),
        (.date, "1e300", true),
    ])
    func numbersOutOfRangeAreRefusedWithTheirLine(_ type: AttributeType, _ text: String, _ isValue: Bool) throws {
        let directory = try TemporaryDirectory()
        let model = try ValueForm.model(type)
        let path = directory.file("a.xml")
        let isReal = [.double, .float, .date].contains(type)
        _ = try StoreConverter(
            sources: [.init(try memory(isReal ? .real(1) : .integer(1), model), model: model)],
            target: .init(path: path, type: .xml, newStore: newStore(model))
        ).convert()
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        let changed = whole.replacing(/>1(\.0*)?<\/attribute>/, with: ">\(text)</attribute>")
        #expect(changed != whole || text == "1")
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
        let line =
            (changed.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("<attribute") } ?? 0) + 1
        guard !isValue else {
            try convert([path], to: .sqlite, directory.file("b.sqlite"), model)
            return
        }
        let error = #expect(throws: (any Error).self) {
            try convert([path], to: .sqlite, directory.file("b.sqlite"), model)
        }
        let message = error.map { "\($0)" } ?? ""
        #expect(
            message.contains("a.xml:\(line)") && message.contains("\"\(text)\" is not a value of type"), "\(message)")
        #expect(!FileSystem.isThere(directory.file("b.sqlite")))
    }

    @Test func nanIsNoValueOfSQLiteAndReported() throws {
        let directory = try TemporaryDirectory()
        let model = try ValueForm.model(.double)
        let report = try StoreConverter(
            sources: [.init(try memory(.real(.nan), model), model: model)],
            target: .init(path: directory.file("a.sqlite"), type: .sqlite, newStore: newStore(model))
        ).convert()
        #expect(report.findings.filter(\.isWarning).map(\.code) == [.notANumber])
    }

    @Test(arguments: [(131_072, 0), (131_073, 1)])
    func largeValuesBecomeFilesAndComeBack(_ size: Int, _ files: Int) throws {
        let directory = try TemporaryDirectory()
        let model = try ValueForm.model(.binaryData, external: true)
        let data = SQLiteValue.blob((0..<size).map { UInt8(truncatingIfNeeded: $0) })
        let path = directory.file("a.sqlite")
        _ = try StoreConverter(
            sources: [.init(try memory(data, model), model: model)],
            target: .init(path: path, type: .sqlite, newStore: newStore(model))
        ).convert()
        let names = (try? FileSystem.names(in: StoreFiles(path).externalDataDirectory)) ?? []
        #expect(names.count == files)
        try convert([path], to: .xml, directory.file("b.xml"), model)
        #expect(try InMemoryStore(path: directory.file("b.xml"), model: model).objects.first?.value(at: 0) == data)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: StoreFiles(path).directory).allSatisfy {
                !$0.contains("staging") && !$0.contains("working")
            })
    }

    @Test func aFileNameThatLeadsOutOfTheFolderIsNotFollowed() throws {
        let directory = try TemporaryDirectory()
        let model = try ValueForm.model(.binaryData, external: true)
        let path = directory.file("a.sqlite")
        try StoreWriter().write(StoreContent(), of: model, to: path)
        let connection = try Connection(path: path, access: .readWrite)
        let name = "../../../../../../etc/passwd".padding(toLength: 36, withPad: "/", startingAt: 0)
        try connection.execute(
            "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZVALUE) VALUES (1, 1, 1, ?)",
            [.blob([2] + Array(name.utf8) + [0])])
        try connection.close()
        let report = try convert([path], to: .xml, directory.file("b.xml"), model)
        #expect(report.findings.map(\.code).contains(.unsafeExternalData))
        #expect(try InMemoryStore(path: directory.file("b.xml"), model: model).objects.first?.value(at: 0) == .null)
    }

    private func memory(_ value: SQLiteValue, _ model: ResolvedModel) throws -> InMemoryStore {
        var object = StoredObject()
        object.begin(ObjectForms(model).entities[0], key: 7)
        object.setValue(value, at: 0)
        return InMemoryStore(metadata: newStore(model).metadata, objects: [object])
    }
}

import Foundation
import TestSupport
import Testing

@testable import RecordConversion
@testable import RecordSources
@testable import StoreImport

/// Values that name files: the files are read one by one, and large ones go from file to file.
@Suite struct BinaryFileImportTests {
    private let fixture: ImportFixture
    private static let mapping = """
        entity: Image
        key: code
        attributes: {code: code, data: {from: data, binary: file}, inner: {from: inner, binary: file}}
        """

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Image"><attribute name="code" attributeType="String"/>
                <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="inner" optional="YES" attributeType="Binary"/></entity>
                """)
    }

    private var folder: String { fixture.directory.file(".store_SUPPORT/_EXTERNAL_DATA") }

    private func write(_ letter: String, _ count: Int, as name: String) throws {
        _ = try fixture.write(String(repeating: letter, count: count), as: name)
    }

    private func run(_ text: String, rows: Int = 1000) throws -> ImportReport {
        try fixture.run(
            text, as: "i.csv", mapping: Self.mapping, options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
    }

    @Test(arguments: [1, 2, 1000])
    func filesBecomeExternalDataInlineDataAndPlainValuesAndAreComparedWhenTheyComeAgain(
        rows: Int
    ) throws {
        try write("x", 131_073, as: "large")
        try write("y", 131_072, as: "small")
        let text = "code,data,inner\na,large,small\nb,small,large\nc,,\n"
        #expect(try run(text, rows: rows).rejected == 0)
        let values = "SELECT ZCODE, length(ZDATA), hex(substr(ZDATA, 1, 1)), length(ZINNER) FROM ZIMAGE ORDER BY 1"
        #expect(try fixture.rows(values) == ["a|38|02|131072", "b|131073|01|131073", "c|NULL||NULL"])
        let made = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(made.count == 1)
        let content = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (made.first ?? "")))
        #expect(content == Data(String(repeating: "x", count: 131_073).utf8))
        let again = try run(text, rows: rows)
        #expect(again.entities.first?.unchanged == 3 && again.entities.first?.updated == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == made)
        try write("z", 131_073, as: "large")
        #expect(try run(text, rows: rows).entities.first?.updated == 2)
        #expect(try fixture.rows("SELECT substr(ZINNER, 1, 1) FROM ZIMAGE WHERE ZCODE = 'b'") == ["7a"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 1000])
    func aLaterRecordWithTheSameKeyCountsAndWhatCannotBeReadRejectsItsRecord(rows: Int) throws {
        try write("x", 200_000, as: "one")
        try write("y", 200_000, as: "two")
        let report = try run("code,data,inner\na,one,one\na,two,two\nb,gone,\nc,../one,\n", rows: rows)
        #expect(report.rejected == 2 && report.entities.first?.inserted == 1 && report.entities.first?.updated == 1)
        #expect(try fixture.rows("SELECT ZCODE, substr(ZINNER, 1, 1) FROM ZIMAGE") == ["a|79"])
        let made = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(made.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (made.first ?? ""))).first == 0x79)
        #expect(try fixture.faults() == [])
    }

    @Test func aBatchDoesNotHoldTheBytesOfItsFiles() throws {
        try write("x", 1 << 20, as: "large")
        let folder = BinaryFolder(path: fixture.directory.path)
        let file = try BinaryFile(Array("large".utf8), in: folder)
        #expect(file.size == 1 << 20)
        var blocks = 0
        try file.forEachBlock(of: 1 << 16) { block in
            blocks += 1
            return block.count == 1 << 16
        }
        #expect(blocks == 16)
        var batch = RecordBatch(limits: RecordBatch.Limits(rows: 10, bytes: 1000))
        let start = batch.arena.count
        _ = batch.appendValue([UInt8](repeating: 1, count: 1 << 20))
        batch.truncateArena(to: start)
        #expect(batch.arena.isEmpty && batch.arena.capacity < 4096)
    }

    @Test func foldersThatAreLinksAreRefusedAndNothingIsWrittenOrRemovedBehindThem() throws {
        try write("x", 200_000, as: "large")
        let outside = fixture.directory.file("outside")
        let manager = FileManager.default
        for link in [".store_SUPPORT", ".store_SUPPORT/_EXTERNAL_DATA"] {
            try manager.createDirectory(atPath: outside + "/_EXTERNAL_DATA", withIntermediateDirectories: true)
            let name = UUID().uuidString
            try Data("left".utf8).write(to: URL(fileURLWithPath: outside + "/_EXTERNAL_DATA/" + name))
            try Data("left".utf8).write(to: URL(fileURLWithPath: outside + "/" + name))
            try Data((name + "\n").utf8).write(to: URL(fileURLWithPath: outside + "/.ferry-import"))
            if link.contains("/") {
                try manager.createDirectory(
                    atPath: fixture.directory.file(".store_SUPPORT"), withIntermediateDirectories: true)
                try Data((name + "\n").utf8).write(
                    to: URL(fileURLWithPath: fixture.directory.file(".store_SUPPORT/.ferry-import")))
            }
            try manager.createSymbolicLink(
                atPath: fixture.directory.file(link), withDestinationPath: outside)
            #expect(throws: (any Error).self) { try run("code,data,inner\na,large,\n") }
            #expect(manager.fileExists(atPath: outside + "/_EXTERNAL_DATA/" + name))
            #expect(manager.fileExists(atPath: outside + "/" + name))
            #expect(try manager.contentsOfDirectory(atPath: outside + "/_EXTERNAL_DATA") == [name])
            try manager.removeItem(atPath: outside)
            try manager.removeItem(atPath: fixture.directory.file(".store_SUPPORT"))
        }
    }

    @Test func externalFilesHaveThePermissionsOfTheStoreAndTheirFoldersLetTheSameUsersIn() throws {
        try write("x", 200_000, as: "large")
        _ = try run("code,data,inner\nb,,\n")
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.store)
        _ = try run("code,data,inner\na,large,\n")
        func mode(_ path: String) throws -> Int? {
            try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder) == 0o700)
        #expect(try mode(fixture.directory.file(".store_SUPPORT")) == 0o700)
        for name in try manager.contentsOfDirectory(atPath: folder) {
            #expect(try mode(folder + "/" + name) == 0o600)
        }
    }

    @Test func rejectedRecordsDoNotGoWhereALinkLeads() throws {
        let rejects = fixture.directory.file("rejects")
        let victim = try fixture.write("precious", as: "victim")
        for name in ["i.rejected.csv", "rejects.csv", "rejects.ndjson"] {
            try FileManager.default.createDirectory(atPath: rejects, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: rejects + "/" + name, withDestinationPath: victim)
            var options = ImportOptions()
            options.rejectsDirectory = rejects
            #expect(throws: SourceError.self) {
                try fixture.run("code,data,inner\na,gone,\n", as: "i.csv", mapping: Self.mapping, options: options)
            }
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
            try FileManager.default.removeItem(atPath: rejects)
        }
    }
}

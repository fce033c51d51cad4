import Foundation
import StoreImport
import TestSupport
import Testing

/// Large binary values become files beside the store.
@Suite struct ExternalDataImportTests {
    private let fixture: ImportFixture
    private static let mapping = """
        entity: Image
        key: code
        attributes: {code: code, data: {from: data, binary: text}}
        """

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Image"><attribute name="code" attributeType="String"/>
                <attribute name="token" optional="YES" attributeType="String"/>
                <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/></entity>
                """)
    }

    private var folder: String { fixture.directory.file(".store_SUPPORT/_EXTERNAL_DATA") }

    private var files: [String] {
        get throws {
            FileManager.default.fileExists(atPath: folder)
                ? try FileManager.default.contentsOfDirectory(atPath: folder).sorted() : []
        }
    }

    private func text(_ letter: String, _ count: Int) -> String { String(repeating: letter, count: count) }

    @Test(.long) func aValueAbove128KBIsAFileASmallerOneIsNot() throws {
        let records = "code,data\na,\(text("x", 131_072))\nb,\(text("y", 131_073))\n"
        let first = try fixture.run(records, as: "i.csv", mapping: Self.mapping)
        #expect(first.rejected == 0)
        #expect(
            try fixture.rows("SELECT ZCODE, length(ZDATA), hex(substr(ZDATA, 1, 1)) FROM ZIMAGE ORDER BY 1")
                == ["a|131073|01", "b|38|02"])
        let made = try files
        #expect(made.count == 1)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (made.first ?? "")))
                == Data(text("y", 131_073).utf8))
        #expect(try fixture.faults() == [])
        let second = try fixture.run(records, as: "i.csv", mapping: Self.mapping)
        #expect(second.entities.first?.unchanged == 2)
        #expect(try files == made)
        let changed = "code,data\nb,\(text("z", 200_000))\n"
        let dry = try fixture.run(changed, as: "i.csv", mapping: Self.mapping, options: ImportOptions(isDryRun: true))
        #expect(dry.entities.first?.updated == 1)
        #expect(try files == made)
        try fixture.run(changed, as: "i.csv", mapping: Self.mapping)
        #expect(try files.count == 1)
        #expect(try files != made)
        #expect(try fixture.faults() == [])
        try fixture.run("code,data\nb,small\n", as: "i.csv", mapping: Self.mapping)
        #expect(try files == [])
        #expect(!FileManager.default.fileExists(atPath: fixture.directory.file(".store_SUPPORT")))
    }

    @Test func anImportThatFailsLeavesNoFileAndOneThatWasKilledLeavesNoneForLong() throws {
        let bad = "code,data\nb,\(text("y", 131_073))\n,\n"
        #expect(throws: ImportError.self) {
            try fixture.run(bad, as: "i.csv", mapping: Self.mapping, options: ImportOptions(maximumRejects: 0))
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.directory.file(".store_SUPPORT")))
        // As a run leaves them that is killed.
        let name = UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try fixture.directory.write(name + "\n", to: ".store_SUPPORT/.ferry-import")
        _ = try fixture.directory.write("left", to: ".store_SUPPORT/_EXTERNAL_DATA/" + name)
        try fixture.run("code,data\nb,\(text("y", 131_073))\n", as: "i.csv", mapping: Self.mapping)
        #expect(try files.count == 1 && files.first != name)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.directory.file(".store_SUPPORT")) == [
                "_EXTERNAL_DATA"
            ])
    }
}

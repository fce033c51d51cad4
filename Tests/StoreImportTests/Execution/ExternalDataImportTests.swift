import Foundation
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

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

    @Test(arguments: [1, 2, 3, 7])
    func aValueOfOneByteMoreThanStaysInlineIsAFile(largest: Int) throws {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 2))
        options.fixedLimits.largestInline = largest
        let sizes = Array(1...9)
        let records = "code,data\n" + sizes.map { "\($0),\(text("x", $0))\n" }.joined()
        for round in 1...2 {
            let report = try fixture.run(records, as: "i.csv", mapping: Self.mapping, options: options)
            #expect(round == 1 ? report.entities.first?.inserted == 9 : report.entities.first?.unchanged == 9)
            let kinds = sizes.map { $0 <= largest ? "\($0)|\($0 + 1)|1" : "\($0)|38|2" }
            #expect(
                try fixture.rows("SELECT ZCODE, length(ZDATA), substr(ZDATA, 1, 1) FROM ZIMAGE ORDER BY 1")
                    == kinds)
            #expect(try files.count == sizes.count { $0 > largest })
        }
        // What becomes small has no file any more, what becomes large has one.
        let turned = "code,data\n" + sizes.map { "\($0),\(text("y", 10 - $0))\n" }.joined()
        try fixture.run(turned, as: "i.csv", mapping: Self.mapping, options: options)
        let contents = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }
        #expect(
            contents.sorted { $0.count < $1.count }
                == sizes.filter { $0 > largest }.map { Data(text("y", $0).utf8) })
    }

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

import Foundation
import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Random imports of values that are files beside the store into a new store, which is assembled or written by SQLite:
/// objects, files and counts are those of a plain model that takes one record after the other.
@Suite struct AssembledExternalTests {
    @Test(arguments: [1, 2, 3, 7, 1000], [NewStoreWriter.builder, .sqlite])
    func valuesAndFilesAreThoseOfAPlainModel(size: Int, writer: NewStoreWriter) throws {
        var files = 0
        for seed in RandomNumbers.seeds(25) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
            let rule = pick(["update", "update", "fill", "skip"])
            let hasKey = Int.random(in: 0..<4, using: &random) > 0
            // What fills an object that a rejected record would have made depends on more than one record.
            let isRejecting = rule != "fill" && Bool.random(using: &random)
            let albumsFirst = isRejecting || Bool.random(using: &random)
            let albums = ["a", "b"]
            let records = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                func value() -> String?? {
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0: nil
                    case 1: .some(nil)
                    default: String(repeating: pick(["x", "y"]), count: Int.random(in: 1...6, using: &random))
                    }
                }
                return ImageRecord(
                    code: "i\(Int.random(in: 0..<6, using: &random))", data: value(), icon: value(),
                    album: pick(isRejecting ? albums + ["c"] : albums))
            }
            let largest = Int.random(in: 1...4, using: &random)
            let albumSource = "  - {files: albums.csv, entity: Album, key: code, attributes: [code]}\n"
            let imageSource = """
                  - files: images.json
                    entity: Image
                    \(hasKey ? "key: code" : "# no key")
                    onMatch: \(rule)
                    attributes: {code: code, data: {from: data, binary: text}, icon: {from: icon, binary: text}}
                    relationships: {album: {by: code, from: album, onMissing: \(isRejecting ? "error" : "skip")}}

                """
            let mapping = try ImportMapping(
                yaml: "import: 1\nsources:\n"
                    + (albumsFirst ? albumSource + imageSource : imageSource + albumSource))
            var options = ImportOptions(limits: RecordBatch.Limits(rows: size))
            options.writer = writer
            options.fixedLimits.largestInline = largest
            options.fixedLimits.assembly.keysInMemory = size
            options.fixedLimits.assembly.entriesPerPart = size
            options.fixedLimits.assembly.waitingEntries = size
            options.fixedLimits.assembly.sortMemory = size * 40
            options.fixedLimits.cachedObjects = pick([0, 1, 20_000])
            let fixture = try ImportFixture(entities: ImageRecord.entities(isIconExternal: true))
            let sources = [
                try fixture.write("code\n" + albums.map { $0 + "\n" }.joined(), as: "albums.csv"),
                try fixture.write(records.map(\.text).joined(), as: "images.json"),
            ]
            let report = try fixture.run(
                albumsFirst ? sources : sources.reversed(), .mapping(mapping), options: options)
            let context = "seed \(seed), \(mapping)\n\(records.map(\.text).joined())\n\(options)"
            let plain = PlainImages(records, hasKey: hasKey, rule: rule) { albums.contains($0.album) }
            let found = try images(fixture, largest: largest)
            try #require(found.images.sorted() == plain.lines, "\(context)")
            // Each large value is a file, and no other files are there.
            let large = plain.images.flatMap { $0[1...2] }.compactMap { $0 }.filter { $0.utf8.count > largest }
            #expect(found.files.sorted() == large.sorted(), "\(context)")
            files += large.count
            // How often a link changes on the way that waits depends on the batches.
            plain.check(report, countsChanges: albumsFirst, context)
        }
        #expect(files > 0)
    }

    /// The objects of a store with their values, and the content of the files beside it.
    private func images(_ fixture: ImportFixture, largest: Int) throws -> (images: [String], files: [String]) {
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
        let folder = fixture.directory.file(".store_SUPPORT/_EXTERNAL_DATA")
        let names =
            FileManager.default.fileExists(atPath: folder)
            ? try FileManager.default.contentsOfDirectory(atPath: folder) : []
        func content(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)), as: UTF8.self)
        }
        func text(_ value: SQLiteValue) throws -> String {
            guard case .blob(let bytes) = value else { return "-" }
            if bytes.first == 1 {
                #expect(bytes.count - 1 <= largest)
                return String(decoding: bytes.dropFirst(), as: UTF8.self)
            }
            return try content(String(decoding: bytes[1..<37], as: UTF8.self))
        }
        let connection = try Connection(path: fixture.store, access: .readOnly)
        defer { try? connection.close() }
        let images = try connection.rows(
            "SELECT i.ZCODE, i.ZDATA, i.ZICON, a.ZCODE FROM ZIMAGE i LEFT JOIN ZALBUM a ON a.Z_PK = i.ZALBUM"
        ).map { row in
            [row[0].string ?? "-", try text(row[1]), try text(row[2]), row[3].string ?? "-"].joined(separator: "|")
        }
        return (images, try names.map(content))
    }

    /// A key that may lie in a file is not one that objects are found by.
    @Test func objectsWithExternalKeysAreNotAssembled() throws {
        let fixture = try ImportFixture(entities: ImageRecord.entities(isIconExternal: true))
        let report = try fixture.run(
            "code,data\na,x\n", as: "images.csv",
            mapping: "entity: Image\nkey: data\nattributes: {code: code, data: {from: data, binary: text}}\n")
        #expect(report.lookupReasons == ["objects are found by values that may be stored in external files"])
    }
}

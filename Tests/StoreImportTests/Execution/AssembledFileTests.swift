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

/// Random imports of values that name files into a new store, which is assembled or written by SQLite: objects, their
/// bytes and counts are those of a plain model that takes one record after the other.
@Suite struct AssembledFileTests {
    /// By name what the files have; `gone` is not there.
    private static let contents = ["f0": "", "f1": "x", "f2": "yyy", "f3": "yyy", "f4": "zzzzzz", "f5": "zzzzzy"]

    /// - Parameter makesAlbum: whether a record makes its album, too, and does not only name it.
    private static func mapping(hasKey: Bool, rule: String, makesAlbum: Bool) throws -> ImportMapping {
        let album =
            makesAlbum
            ? """
                  relationships: {album: {object: album}}
                - {id: album, entity: Album, key: code, attributes: {code: album}}
            """ : "      relationships: {album: {by: code, from: album, onMissing: create}}"
        return try ImportMapping(
            yaml: """
                import: 1
                sources:
                  - files: images.json
                    objects:
                    - entity: Image
                      \(hasKey ? "key: code" : "# no key")
                      onMatch: \(rule)
                      attributes: {code: code, data: {from: data, binary: file}, icon: {from: icon, binary: file}}
                \(album)

                """)
    }

    private func fixture() throws -> ImportFixture {
        let fixture = try ImportFixture(entities: ImageRecord.entities(isIconExternal: false))
        for (name, content) in Self.contents { _ = try fixture.write(content, as: name) }
        return fixture
    }

    /// The images with the bytes that they name, and how many of these are files of their own.
    private func images(_ fixture: ImportFixture) throws -> (images: [String], files: Int) {
        let connection = try Connection(path: fixture.store, access: .readOnly)
        defer { try? connection.close() }
        let folder = fixture.directory.file(".store_SUPPORT/_EXTERNAL_DATA")
        var files = 0
        let images = try connection.rows(
            "SELECT i.ZCODE, i.ZDATA, i.ZICON, a.ZCODE FROM ZIMAGE i LEFT JOIN ZALBUM a ON a.Z_PK = i.ZALBUM"
        ).map { row in
            var data = "-"
            if let stored = row[1].blob, stored.first == 2 {
                let name = String(decoding: stored.dropFirst().dropLast(), as: UTF8.self)
                data = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                files += 1
            } else if let stored = row[1].blob {
                data = String(decoding: stored.dropFirst(), as: UTF8.self)
            }
            let icon = row[2].blob.map { String(decoding: $0, as: UTF8.self) } ?? "-"
            return [row[0].string ?? "-", data, icon, row[3].string ?? "-"].joined(separator: "|")
        }
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #expect(there.count == files)
        return (images.sorted(), files)
    }

    @Test(arguments: [1, 2, 3, 7, 1000], [NewStoreWriter.builder, .sqlite])
    func bytesAreThoseOfTheFiles(size: Int, writer: NewStoreWriter) throws {
        var files = 0
        for seed in RandomNumbers.seeds(40) {
            let makesAlbum = seed.isMultiple(of: 2)
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let hasKey = Int.random(in: 0..<4, using: &random) > 0
            let rule = ["update", "fill", "skip"].randomElement(using: &random) ?? "update"
            let names = Self.contents.keys.sorted()
            let records = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                func value() -> String?? {
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0, 1: nil
                    case 2: .some(nil)
                    case 3: "gone"
                    default: names.randomElement(using: &random)
                    }
                }
                return ImageRecord(
                    code: "i\(Int.random(in: 0..<6, using: &random))", data: value(), icon: value(),
                    album: Bool.random(using: &random) ? "a" : "b")
            }
            var options = ImportOptions(assembling: size, &random)
            options.writer = writer
            options.fixedLimits.largestInline = Int.random(in: 1...4, using: &random)
            let fixture = try fixture()
            let report = try fixture.run(
                [try fixture.write(records.map(\.text).joined(), as: "images.json")],
                .mapping(try Self.mapping(hasKey: hasKey, rule: rule, makesAlbum: makesAlbum)), options: options)
            let context = "seed \(seed), \(rule), \(hasKey), \(makesAlbum)\n\(records.map(\.text).joined())\n\(options)"
            let plain = PlainImages(records, hasKey: hasKey, rule: rule) { record in
                [record.data, record.icon].compactMap { $0 ?? nil }.allSatisfy { Self.contents[$0] != nil }
            } content: {
                Self.contents[$0]
            }
            let found = try images(fixture)
            try #require(found.images == plain.lines, "\(context)")
            files += found.files
            // SQLite counts an object as changed that the records of a batch change and change back.
            plain.check(report, countsChanges: writer != .sqlite, context)
            // Of a rejected record nothing is there.
            let albums = Set(
                records.filter { [$0.data, $0.icon].allSatisfy { ($0 ?? nil) != "gone" } }.map(\.album))
            try fixture.requireRows("SELECT ZCODE FROM ZALBUM", albums.sorted(), context)
            #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
            if seed % 10 == 0 { #expect(try fixture.faults() == []) }
        }
        #expect(TestSettings.isFast || files > 5)
    }

    /// A spool has the names of files only: those that are gone when the store is made reject their records.
    @Test(arguments: [1, 2, 1000], [false, true])
    func filesThatAreGoneWhenAStoreIsAssembledRejectTheirRecords(size: Int, makesAlbum: Bool) throws {
        let fixture = try fixture()
        let text = ["f1", "f2", "f4", "f1"].enumerated().map { number, name in
            "{\"code\": \"i\(number)\", \"data\": \"\(name)\", \"album\": \"a\(number)\"}\n"
        }
        let options = ImportOptions(rows: size, .builder)
        let files = [try fixture.write(text.joined(), as: "images.json")]
        let folder = fixture.directory.file("spool")
        _ = try ImportRun(
            target: fixture.target, sources: files,
            plan: .mapping(try Self.mapping(hasKey: true, rule: "update", makesAlbum: makesAlbum)), options: options
        ).spool(to: folder, try #require(ImportShard(1, of: 1)))
        try FileManager.default.removeItem(atPath: fixture.directory.file("f2"))
        let report = try ImportSpools([folder]).assemble(
            into: fixture.store, uuid: fixture.target.newStore.metadata.uuid, options: options)
        #expect(report.rejected == 1)
        #expect(try images(fixture).images == ["i0|x|-|a0", "i2|zzzzzz|-|a2", "i3|x|-|a3"])
        // What only a rejected record names is not made.
        #expect(try fixture.rows("SELECT ZCODE FROM ZALBUM ORDER BY 1") == ["a0", "a2", "a3"])
    }

    /// A file that another process takes away or makes too large while its record is written rejects the record, and all of
    /// its objects are as if it had not been there.
    @Test(arguments: [1, 2, 3, 7, 1000])
    func filesThatAreGoneRejectAllObjectsOfTheirRecords(size: Int) throws {
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let records = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                ImageRecord(
                    code: "i\(Int.random(in: 0..<6, using: &random))",
                    data: Self.contents.keys.sorted().randomElement(using: &random),
                    icon: Self.contents.keys.sorted().randomElement(using: &random),
                    album: ["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
            }
            var options = ImportOptions(assembling: size, &random)
            options.writer = .builder
            options.fixedLimits.largestInline = Int.random(in: 1...4, using: &random)
            let fixture = try fixture()
            let folder = fixture.directory.file("spool")
            let source = try fixture.write(records.map(\.text).joined(), as: "images.json")
            _ = try ImportRun(
                target: fixture.target, sources: [source],
                plan: .mapping(try Self.mapping(hasKey: true, rule: "update", makesAlbum: true)), options: options
            ).spool(to: folder, try #require(ImportShard(1, of: 1)))
            let gone = Set(Self.contents.keys.sorted().filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
            for name in gone { try FileManager.default.removeItem(atPath: fixture.directory.file(name)) }
            let report = try ImportSpools([folder]).assemble(
                into: fixture.store, uuid: fixture.target.newStore.metadata.uuid, options: options)
            let context = "seed \(seed), \(gone.sorted())\n\(records.map(\.text).joined())\n\(options)"
            func isAccepted(_ record: ImageRecord) -> Bool {
                [record.data, record.icon].allSatisfy { !gone.contains(($0 ?? nil) ?? "") }
            }
            let plain = PlainImages(records, hasKey: true, rule: "update", where: isAccepted) { Self.contents[$0] }
            try #require(try images(fixture).images == plain.lines, "\(context)")
            plain.check(report, context)
            let albums = Set(records.filter(isAccepted).map(\.album))
            try fixture.requireRows("SELECT ZCODE FROM ZALBUM", albums.sorted(), context)
        }
    }

    /// In a new store there is nothing that a mirrored source could lack.
    @Test(arguments: [1, 2, 1000])
    func mirroredSourcesAreAssembled(size: Int) throws {
        for (writer, isMirrored) in [(NewStoreWriter.builder, true), (.sqlite, true), (.builder, false)] {
            let fixture = try fixture()
            var options = ImportOptions(rows: size, writer)
            let mapping = """
                sources:
                  - files: images*.json
                    entity: Image
                    key: code
                    mirror: \(isMirrored)
                    attributes: {code: code, icon: {from: data, binary: file}}

                """
            func line(_ code: String, _ file: String) -> String { "{\"code\": \"\(code)\", \"data\": \"\(file)\"}\n" }
            let report = try fixture.run(
                line("a", "f1") + line("b", "gone") + line("c", "f2") + line("a", "f4"), as: "images.json",
                mapping: mapping, options: options)
            #expect(report.writer == writer)
            #expect(report.rejected == 1)
            #expect(report.findings == [])
            #expect(report.entities.first?.deleted == 0)
            #expect(try images(fixture).images == ["a|-|zzzzzz|-", "c|-|yyy|-"])
            #expect(try fixture.faults() == [])
            // The next time what the source lacks goes.
            try FileManager.default.removeItem(atPath: fixture.directory.file("images.json"))
            options.writer = .auto
            options.maximumDeletes = .count(1)
            let again = try fixture.run(line("a", "f4"), as: "images.json", mapping: mapping, options: options)
            #expect(again.entities.first?.deleted == (isMirrored ? 1 : 0))
        }
    }
}

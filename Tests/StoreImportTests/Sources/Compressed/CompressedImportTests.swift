import CompressedStreams
import Foundation
import ImportMappings
import ImportTestSupport
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Compressed sources are read as what they decode to, whatever their format.
@Suite struct CompressedImportTests {
    private static let entities = """
        <entity name="A"><attribute name="code" attributeType="Integer 64"/>
        <attribute name="name" optional="YES" attributeType="String"/></entity>
        """

    /// Made with the tools `zstd` and Python's `gzip`: frames to be skipped before each of two others, two members.
    private static let packed: [(name: String, base64: String)] = [
        (
            "a.csv.zst",
            "UipNGAMAAABhYmMotS/9BFhxAABjb2RlLG5hbWUKMSxhCi+sgKFSKk0YAwAAAGFiYyi1L/0AWEEAADIsYgozLGMK"
        ),
        ("a.csv.gz", "H4sIAAAAAAACA0vOT0nVyUvMTeUy1EnkAgDLkMnCDgAAAB+LCAAAAAAAAgMz0kniMtZJ5gIAwFeX2AgAAAA="),
    ]

    private func bytes(_ base64: String) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: base64)))
    }

    /// What the tools of the system make of a file.
    private func compress(_ path: String, by tool: String) throws -> String {
        let result = try ToolProcess.run("/usr/bin/env", [tool, "-k", "-q", path])
        try #require(result.status == 0, "\(result.summary)")
        return path + (tool == "gzip" ? ".gz" : ".zst")
    }

    private static let hasZstd = ["/usr/bin/zstd", "/bin/zstd"].contains { FileManager.default.fileExists(atPath: $0) }
    private static let tools = ["gzip"] + (hasZstd ? ["zstd"] : [])

    private func run(
        _ fixture: ImportFixture, _ path: String, _ format: String = "", options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let mapping = try ImportMapping(
            yaml: "import: 1\nfiles: 'a.*'\n\(format)\nentity: A\nkey: code\nattributes: [code, name]")
        return try fixture.run([path], .mapping(mapping), options: options)
    }

    @Test(arguments: packed.map(\.name))
    func membersAndFramesFollowEachOther(name: String) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let packed = try #require(Self.packed.first { $0.name == name })
        let path = try fixture.directory.write(try bytes(packed.base64), to: name)
        #expect(try run(fixture, path).rejected == 0)
        #expect(try fixture.rows("SELECT ZCODE, ZNAME FROM ZA ORDER BY 1") == ["1|a", "2|b", "3|c"])
    }

    @Test(arguments: packed.map(\.name))
    func whatIsCutOrDamagedOrFollowedByMoreIsAnErrorAtItsPlace(name: String) throws {
        let packed = try #require(Self.packed.first { $0.name == name })
        let whole = try bytes(packed.base64)
        for count in 4..<whole.count {
            let fixture = try ImportFixture(entities: Self.entities)
            let path = try fixture.directory.write(Array(whole.prefix(count)), to: name)
            // Between two members or frames the source is whole.
            let isWhole = name.hasSuffix("gz") ? count == 34 : count == 11 || count == 38 || count == 49
            if isWhole { continue }
            let error = #expect(throws: (any Error).self) { try run(fixture, path) }
            #expect(
                "\(error.map { "\($0)" } ?? "")".contains("\(path): byte \(count): "),
                "\(count): \(String(describing: error))")
            #expect(!FileManager.default.fileExists(atPath: fixture.store))
        }
        let fixture = try ImportFixture(entities: Self.entities)
        let path = try fixture.directory.write(whole + Array("rest".utf8), to: name)
        let error = #expect(throws: (any Error).self) { try run(fixture, path) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("byte \(whole.count): the compressed data end here"))
    }

    @Test func damageOfTheContentIsFoundByItsChecksum() throws {
        for packed in Self.packed {
            var damaged = try bytes(packed.base64)
            let place = packed.name.hasSuffix("gz") ? 26 : 35
            damaged[place] ^= 1
            let fixture = try ImportFixture(entities: Self.entities)
            let path = try fixture.directory.write(damaged, to: packed.name)
            #expect(throws: (any Error).self) { try run(fixture, path) }
            #expect(!FileManager.default.fileExists(atPath: fixture.store))
        }
    }

    @Test func zerosBehindGzipAreThePaddingOfABlock() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let whole = try bytes(Self.packed[1].base64)
        let path = try fixture.directory.write(whole + [UInt8](repeating: 0, count: 1000), to: "a.csv.gz")
        #expect(try run(fixture, path).rejected == 0)
    }

    private static let count = 5000

    /// The same records in each format.
    private static let texts: [(name: String, format: String, text: String)] = texts(count)

    private static func texts(_ count: Int) -> [(name: String, format: String, text: String)] {
        func records(_ record: (Int) -> String, separator: String = "") -> String {
            (1...count).map(record).joined(separator: separator)
        }
        return [
            ("a.csv", "", "code,name\n" + records { "\($0),n\($0)\n" }),
            ("a.ndjson", "", records { "{\"code\":\($0),\"name\":\"n\($0)\"}\n" }),
            ("a.json", "", "[" + records({ "{\"code\":\($0),\"name\":\"n\($0)\"}" }, separator: ",\n") + "]"),
            ("a.xml", "records: /r/i", "<r>" + records { "<i><code>\($0)</code><name>n\($0)</name></i>\n" } + "</r>"),
        ]
    }

    @Test(arguments: texts.indices, tools)
    func everyTextFormatIsReadAsIfItWereNotCompressed(place: Int, tool: String) throws {
        let (name, format, text) = Self.texts(1000)[place]
        let plain = try ImportFixture(entities: Self.entities)
        let expected = try run(plain, plain.directory.write(text, to: name), format)
        let fixture = try ImportFixture(entities: Self.entities)
        let path = try compress(fixture.directory.write(text, to: name), by: tool)
        let report = try run(fixture, path, format)
        #expect(report.entities == expected.entities)
        let rows = "SELECT ZCODE, ZNAME FROM ZA ORDER BY 1"
        #expect(try fixture.rows(rows) == plain.rows(rows))
        #expect(try SourceFormat.Kind(path: path) == SourceFormat.Kind(path: plain.directory.file(name)))
    }

    @Test(.long, arguments: tools)
    func anInterruptedRunGoesOnInTheDecodedStream(tool: String) throws {
        for (name, format, text) in Self.texts {
            let fixture = try ImportFixture(entities: Self.entities)
            let path = try compress(fixture.directory.write(text, to: name), by: tool)
            var options = ImportOptions(limits: RecordBatch.Limits(rows: 700))
            options.commit = .batch
            var batches = 0
            options.onCheckpoint = { if $0 == "batch committed" { batches += 1 } }
            options.isCancelled = { batches >= 3 }
            #expect(throws: ImportError.self) { try run(fixture, path, format, options: options) }
            options.isCancelled = nil
            options.isResuming = true
            let report = try run(fixture, path, format, options: options)
            #expect(report.entities.first?.inserted == Int64(Self.count))
            #expect(try fixture.rows("SELECT count(*), sum(ZCODE) FROM ZA") == ["5000|12502500"])
        }
    }

    @Test func rejectedRecordsAreWrittenAsTheyStandInTheDecodedSource() throws {
        for (place, expected) in [
            (0, "code,name\nx,y\n"), (1, "{\"code\":\"x\"}\n"),
        ] {
            let (name, format, text) = Self.texts(1000)[place]
            let fixture = try ImportFixture(entities: Self.entities)
            let bad = place == 0 ? "x,y\n" : "{\"code\":\"x\"}\n"
            let path = try compress(fixture.directory.write(text + bad, to: name), by: "gzip")
            var options = ImportOptions()
            options.rejectsDirectory = fixture.directory.file("rejects")
            #expect(try run(fixture, path, format, options: options).rejected == 1)
            let file = fixture.directory.file("rejects/a.rejected." + (place == 0 ? "csv" : "ndjson"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == expected)
        }
    }

    @Test(.long, arguments: tools)
    func aBombIsRejectedAsOneLargeRecord(tool: String) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let path = fixture.directory.file("a.csv")
        #expect(FileManager.default.createFile(atPath: path, contents: Data("code,name\n1,a\n".utf8)))
        let file = try #require(FileHandle(forWritingAtPath: path))
        _ = try file.seekToEnd()
        let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 19)
        for _ in 0..<8 { try file.write(contentsOf: piece) }
        try file.write(contentsOf: Data("\n2,b\n".utf8))
        try file.close()
        var options = ImportOptions()
        options.largestRecord = 1 << 17
        #expect(try run(fixture, try compress(path, by: tool), options: options).rejected == 1)
        #expect(try fixture.rows("SELECT ZCODE FROM ZA ORDER BY 1") == ["1", "2"])
    }

    @Test func aCompressedDatabaseIsToldWithWhatToDo() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let path = try fixture.directory.write("SQLite format 3\0" + String(repeating: "\0", count: 600), to: "a.db")
        let packed = try compress(path, by: "gzip")
        #expect(throws: SourceError(.compressedDatabase(.gzip), in: packed)) { try SourceFormat.Kind(path: packed) }
    }

    @Test(arguments: [
        ("a.parquet", "PAR1....", ForeignFormat.parquet), ("a", "Obj\u{1}....", .avro), ("a", "ARROW1\0\0", .arrow),
        ("a.sql", "x", .sqlDump), ("a.csv", "-- MySQL dump 10.13", .sqlDump),
        ("a.sql", "--\n-- PostgreSQL database dump\n--\n", .postgresDump),
        ("a", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", .sqlDump), ("a", "PGDMP\u{1}", .postgresArchive),
        ("a.mdb", "\0\u{1}\0\0Standard Jet DB\0", .accessDatabase), ("a.pdf", "%PDF-1.4", .pdf),
    ])
    func formatsThatAreNotReadAreToldForWhatTheyAre(name: String, text: String, format: ForeignFormat) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(text, to: name)
        let error = #expect(throws: SourceError.self) { try SourceFormat.Kind(path: path) }
        #expect(error?.code == .foreign(format))
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("\(path): this is a"))
    }
}

/// A folder stands for the files in it, compressed ones too.
@Suite struct FolderImportTests {
    @Test func allFilesOfAFolderAreReadInTheOrderOfTheirNames() throws {
        let fixture = try ImportFixture(
            entities: "<entity name=\"A\"><attribute name=\"code\" attributeType=\"Integer 64\"/></entity>")
        let folder = fixture.directory.file("in")
        try FileManager.default.createDirectory(atPath: folder + "/b", withIntermediateDirectories: true)
        for (name, text) in [
            ("c.csv", "code\n3\n"), ("a.csv", "code\n1\n"), ("b/x.csv", "code\n2\n"), (".hidden", "x\n"),
        ] {
            try fixture.directory.write(text, to: "in/" + name)
        }
        #expect(try ToolProcess.run("/usr/bin/env", ["gzip", folder + "/b/x.csv"]).status == 0)
        let report = try fixture.run([folder + "/"], .entity(EntityRequest(entity: "A")))
        #expect(report.rejected == 0)
        #expect(try fixture.rows("SELECT ZCODE FROM ZA ORDER BY Z_PK") == ["1", "2", "3"])
    }

    @Test func anEmptyFolderIsAnError() throws {
        let fixture = try ImportFixture(entities: "<entity name=\"A\"/>")
        let folder = fixture.directory.file("in")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(throws: SourceError(.emptyFolder, in: folder)) {
            try fixture.run([folder], .entity(EntityRequest(entity: "A")))
        }
    }
}

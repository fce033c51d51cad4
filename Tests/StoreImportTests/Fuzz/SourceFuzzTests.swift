import DocumentReading
import Foundation
import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings
@testable import MappingDrafting
@testable import RecordSources

/// Damaged documents of every format: nothing crashes or hangs, and what is read does not depend on how it is read.
@Suite struct SourceFuzzTests {
    // MARK: CSV

    private static let tables =
        [
            "id,name,note\n1,\"Ada, Countess\",\"a \"\"b\"\" c\"\n2,Grace,\n3,\"two\nlines\",x\n",
            "a;b;c\r\n1;2,5;'x'\r\n4;5;6\r\n", "x\ty\tz\n1\t2\t3\n\\N\t\\N\t\\N\n", "1,2,3\n4,5,6\n7,8,9",
            "n\n1\n\n2\n",
            "# c\nkey|value\na|1\n", "\u{FEFF}\"h1\",\"h2\"\n\"a\\\"b\",c\n",
        ].map { Array($0.utf8) } + [
            [0xFF, 0xFE] + "a,b\n1,é\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            Array("name,city\nM".utf8) + [0xFC] + Array("ller,K".utf8) + [0xF6] + Array("ln\n".utf8),
        ]

    @Test func damagedTablesAreReadTheSameInAnyChunks() {
        FuzzRun.run("csv") { seed in
            var mutation = DocumentMutation(
                seed: seed, tokens: [",", ";", "\t", "\"", "\"\"", "'", "\\", "\n", "\r", "|", "#", "\\N"])
            let seeds = Self.tables
            let bytes = mutation.mutated(seeds[seed % seeds.count], with: seeds[(seed / 7 + 1) % seeds.count])
            FuzzRun.trace("csv", bytes)
            var options = DelimitedOptions()
            options.allowsShortRecords = seed % 3 == 0
            options.allowsLongRecords = seed % 5 == 0
            func read(_ chunk: Int, _ limits: RecordBatch.Limits) -> Result<DelimitedReading, SourceError> {
                Self.result(seed) {
                    let input = ByteInput(bytes: bytes, name: "t.csv", chunkBytes: chunk)
                    return try DelimitedReading(input, options: options, limits: limits)
                }
            }
            let whole = read(1 << 20, RecordBatch.Limits())
            let limits = RecordBatch.Limits(rows: mutation.number(in: 1...9), bytes: mutation.number(in: 1...400))
            #expect(read(mutation.number(in: 1...99), limits) == whole, "seed \(seed): \(bytes)")
            if case .success(let reading) = whole {
                Self.checkPlaces(reading.offsets, reading.sourceBytes, bytes, seed)
            }
        }
    }

    /// What a reading comes to: an error of another kind than those of sources is a fault.
    private static func result<Reading>(_ seed: Int, _ read: () throws -> Reading) -> Result<Reading, SourceError> {
        do {
            return .success(try read())
        } catch let error as SourceError {
            return .failure(error)
        } catch {
            Issue.record("seed \(seed): \(error)")
            return .failure(SourceError(.missingHeader, in: ""))
        }
    }

    /// Records lie behind each other in the source, and their bytes are those that are there.
    private static func checkPlaces(_ offsets: [Int], _ records: [[UInt8]], _ bytes: [UInt8], _ seed: Int) {
        var end = 0
        for (offset, record) in zip(offsets, records) {
            guard offset >= end, offset + record.count <= bytes.count else {
                Issue.record("seed \(seed): a record at \(offset) of \(bytes.count), behind \(end)")
                return
            }
            if !bytes[offset..<offset + record.count].elementsEqual(record) {
                Issue.record("seed \(seed): the bytes at \(offset) are not the record's")
            }
            end = offset + record.count
        }
    }

    // MARK: JSON

    private static let documents =
        [
            #"[{"a": 1, "b": [1, 2.5e3, "x\u00e9\ud83d\ude00"], "c": {"d": null, "e": true}}, {"a": -0.0}]"#,
            "{\"a\": 1}\n{\"a\": \"two\"}\n{\"b\": [{}, [], \"\"]}\n", #"{"data": {"items": [{"a": 1}, {"a": 2}]}}"#,
            "\u{1E}{\"a\": 1}\n\u{1E}{\"a\": 2}\n", #"[[[[[[1]]]]]]"#, "\u{FEFF}[{\"a\": \"\\\\\\\"\"}]",
        ].map { Array($0.utf8) } + [
            [0xFE, 0xFF] + "[{\"a\": 1}]".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        ]

    @Test func damagedJSONIsReadTheSameInAnyChunks() {
        FuzzRun.run("json") { seed in
            var mutation = DocumentMutation(
                seed: seed,
                tokens: [
                    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "1e999", "-", "true", "\n",
                    "\u{1E}",
                ])
            let seeds = Self.documents
            let bytes = mutation.mutated(seeds[seed % seeds.count], with: seeds[(seed / 5 + 1) % seeds.count])
            FuzzRun.trace("json", bytes)
            var options = JSONOptions()
            options.recordPath = seed % 9 == 0 ? "data.items" : nil
            options.duplicateKeys = seed % 2 == 0 ? .reject : .keepFirst
            options.layout = [nil, nil, .array, .lines, .concatenated][seed % 5]
            func read(_ chunk: Int, _ limits: RecordBatch.Limits) -> Result<NestedReading, SourceError> {
                Self.result(seed) {
                    let source = try jsonSource(
                        bytes, paths: ["a", "b[*]", "c.d"], chunkBytes: chunk, options: options)
                    return try NestedReading(source, limits: limits)
                }
            }
            let whole = read(1 << 20, RecordBatch.Limits())
            let limits = RecordBatch.Limits(rows: mutation.number(in: 1...5), bytes: mutation.number(in: 1...400))
            #expect(
                read(mutation.number(in: 1...99), limits) == whole,
                "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            if case .success(let reading) = whole {
                Self.checkPlaces(reading.offsets, reading.sourceBytes, bytes, seed)
            }
        }
    }

    // MARK: XML

    private static let trees = [
        "<?xml version=\"1.0\"?><a><r x='1'><b>t</b><b/>tail</r><r><![CDATA[<>]]></r><!-- c --><r y=\"&lt;&#65;\"/></a>",
        "<n:a xmlns:n='u' xmlns='d'><r n:x='1'><n:b xsi:nil='true' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/></r></n:a>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a><r>x</r></a>",
        "<!DOCTYPE a [<!ENTITY e \"v\">]><a><r>&e;</r></a>",
    ].map { Array($0.utf8) }

    @Test func damagedXMLEndsInAnErrorOrInRecords() {
        FuzzRun.run("xml") { seed in
            var mutation = DocumentMutation(
                seed: seed,
                tokens: [
                    "<", ">", "/>", "</", "<r>", "</r>", "&", "&#0;", "&#x41;", "<![CDATA[", "]]>", "<!--", "-->", "<?",
                    "'", "\"", " xmlns='x'", "<!DOCTYPE a>",
                ])
            let seeds = Self.trees
            let bytes = mutation.mutated(seeds[seed % seeds.count], with: seeds[(seed / 3 + 1) % seeds.count])
            FuzzRun.trace("xml", bytes)
            func read(_ limits: RecordBatch.Limits) -> (NestedReading?, String) {
                do {
                    var names = FieldNames()
                    let paths = try ["b[*]", "@x", "text()"].map { try RecordPath($0, names: &names) }
                    let source = try XMLSource(
                        bytes: bytes, name: "t.xml", options: XMLOptions(recordPath: ["//r", "/a/r", "*"][seed % 3]),
                        paths: paths, names: names)
                    return (try NestedReading(source, limits: limits), "")
                } catch {
                    return (nil, "\(error)")
                }
            }
            let whole = read(RecordBatch.Limits())
            let parts = read(RecordBatch.Limits(rows: mutation.number(in: 1...3), bytes: mutation.number(in: 1...99)))
            #expect(parts == whole, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    // MARK: Mappings

    private static let mappings = [
        """
        import: 1
        settings: {nullTokens: [NA], date: dd.MM.yyyy}
        sources:
          - files: [a.csv, 'b*.csv']
            delimiter: ;
            where: {x: [1, 2], none of: [{y: {present: true}}]}
            entity: A
            key: [a, b]
            onMatch: fill
            attributes: &shared
              a: A
              b: {from: [B, C], default: '1', trim: true}
              c: {text: '{A} {{}} {B}'}
              d: {expression: 'x * 2', columns: {x: X}}
            relationships:
              e: {by: {k.l: K, m: {from: M, date: iso8601}}, onMissing: error, add: true, order: o}
          - {table: t, entity: B, attributes: *shared}
        """,
        """
        import: 1
        files: x.json
        records: data.items
        objects:
          - {id: o, entity: A, attributes: [a, b]}
          - id: p
            in: o
            each: 'parts[*]'
            entity: B
            relationships:
              q: {object: o}
              r:
                each: "deep[*].er"
                entity: C
                attributes: {x: '@y', z: .}
        """,
    ].map { Array($0.utf8) }

    @Test func damagedMappingsAreReadOrRefusedWithAPlace() {
        FuzzRun.run("yaml") { seed in
            var mutation = DocumentMutation(
                seed: seed,
                tokens: [
                    ": ", "- ", "\n", "  ", "{", "}", "[", "]", "&a ", "*a", "'", "\"", "|", ">", "? ", "!!", "%",
                    "---\n", "...\n", "#", "import: 1\n", "<<: *a", "each", "by",
                ])
            let seeds = Self.mappings
            let bytes = mutation.mutated(seeds[seed % seeds.count], with: seeds[(seed / 3) % seeds.count])
            FuzzRun.trace("yaml", bytes)
            let document: ImportMappingDocument
            do throws(DocumentErrors) {
                document = try ImportMappingReader.read(bytes: bytes, name: "m.yaml")
            } catch {
                let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 2
                #expect(
                    !error.errors.isEmpty && error.errors.allSatisfy { (1...lines).contains($0.location.line) },
                    "seed \(seed)")
                return
            }
            // Written and read again it says the same.
            let text = ImportMappingWriter.yaml(document.mapping)
            let again = try? ImportMapping(yaml: text)
            #expect(again == document.mapping, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))\n---\n\(text)")
        }
    }

    // MARK: Drafts

    @Test func aDraftOfAnythingCanBeRead() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity("A", "a", "b:Date", "c:Decimal", "d:Boolean", "e:Binary")
                + DraftFixture.entity("R", "x:Integer 32", "text"))
        let formats: [(ending: String, seeds: [[UInt8]])] = [
            ("csv", Self.tables), ("json", Self.documents), ("xml", Self.trees),
        ]
        try FuzzRun.run("draft", count: 150) { seed in
            let format = formats[seed % 3]
            var mutation = DocumentMutation(
                seed: seed, tokens: ["\"", "\n", ": ", "#", "'", "{", "}", "\u{2028}", "\u{85}"])
            let bytes = mutation.mutated(
                format.seeds[seed / 3 % format.seeds.count], with: format.seeds[(seed / 5) % format.seeds.count])
            FuzzRun.trace("draft", bytes)
            let path = try fixture.fixture.directory.write(bytes, to: "a.\(format.ending)")
            let draft = try? MappingDrafter(model: fixture.fixture.model, entity: "A").draft(of: [path])
            guard let draft else { return }
            let read = try? ImportMapping(yaml: draft.yaml)
            #expect(read == draft.mapping, "seed \(seed): \(draft.yaml)")
        }
    }
}

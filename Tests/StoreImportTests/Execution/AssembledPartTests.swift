import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Parts of records in a new store, once assembled and once written by SQLite: both stores are the same, row by row.
@Suite struct AssembledPartTests {
    private static let entities = """
        <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="born" optional="YES" attributeType="Integer 32"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" \
        inverseEntity="Book"/></entity>
        <entity name="Book"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" \
        inverseEntity="Author"/>
        <relationship name="chapters" optional="YES" toMany="YES" destinationEntity="Chapter" inverseName="book" \
        inverseEntity="Book"/></entity>
        <entity name="Chapter"><attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="length" attributeType="Integer 32"/>
        <relationship name="book" maxCount="1" destinationEntity="Book" inverseName="chapters" inverseEntity="Book"/>
        <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" inverseName="chapter" \
        inverseEntity="Chapter"/>
        <relationship name="topics" optional="YES" toMany="YES" destinationEntity="Topic" inverseName="chapters" \
        inverseEntity="Topic"/></entity>
        <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
        <relationship name="chapter" optional="YES" maxCount="1" destinationEntity="Chapter" inverseName="notes" \
        inverseEntity="Chapter"/></entity>
        <entity name="Topic"><attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="chapters" optional="YES" toMany="YES" destinationEntity="Chapter" inverseName="topics" \
        inverseEntity="Chapter"/></entity>
        """

    private static func mapping(_ random: inout RandomNumbers) -> String {
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
        let objects = [
            """
                  - id: book
                    entity: Book
                    \(pick(["key: number", "# no key"]))
                    onMatch: \(pick(["update", "fill", "skip"]))
                    attributes: [number, title]
                    relationships: {author: {object: author}}

            """,
            """
                  - id: author
                    entity: Author
                    each: author
                    \(pick(["key: name", "# no key"]))
                    onMatch: \(pick(["update", "fill", "skip"]))
                    attributes: [name, born]

            """,
            """
                  - id: chapter
                    entity: Chapter
                    each: chapters[*]
                    \(pick(["where: {title: {present: true}}", "# all"]))
                    attributes: [title, length]
                    relationships:
                      book: {object: book}
                      topics: {by: code, from: 'topics[*]', onMissing: \(pick(["skip", "create"]))}

            """,
            """
                  - id: note
                    entity: Note
                    in: chapter
                    each: notes[*]
                    attributes: [text]
                    relationships: {chapter: {object: chapter}}

            """,
        ]
        return "import: 1\nsources:\n  - files: books.json\n    objects:\n" + objects.shuffled(using: &random).joined()
    }

    private static func records(_ random: inout RandomNumbers) -> String {
        func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        func list(_ item: () -> String) -> String {
            "[" + (0..<number(below: 4)).map { _ in item() }.joined(separator: ", ") + "]"
        }
        func chapter() -> String {
            var fields = ["\"length\": " + (number(below: 25) == 0 ? "\"long\"" : "\(number(below: 9))")]
            if number(below: 5) > 0 { fields.append("\"title\": \"c\(number(below: 4))\"") }
            if number(below: 3) > 0 { fields.append("\"notes\": " + list { "{\"text\": \"n\(number(below: 9))\"}" }) }
            if number(below: 3) > 0 { fields.append("\"topics\": " + list { "\"t\(number(below: 5))\"" }) }
            return "{" + fields.joined(separator: ", ") + "}"
        }
        var text = ""
        for _ in 0..<number(below: 30) {
            var fields = ["\"number\": \(number(below: 12))", "\"title\": \"b\(number(below: 3))\""]
            switch number(below: 5) {
            case 0: fields.append("\"author\": null")
            case 1: break
            default: fields.append("\"author\": {\"name\": \"a\(number(below: 4))\", \"born\": \(number(below: 2))}")
            }
            if number(below: 4) > 0 { fields.append("\"chapters\": " + list(chapter)) }
            text += "{" + fields.joined(separator: ", ") + "}\n"
        }
        return text
    }

    // SQLite links what has no key when it is there, and raises its version; the builder writes it with its links.
    private static let queries = [
        "SELECT Z_PK, Z_ENT, ZNAME, ZBORN FROM ZAUTHOR", "SELECT Z_PK, Z_ENT, ZNUMBER, ZTITLE, ZAUTHOR FROM ZBOOK",
        "SELECT Z_PK, Z_ENT, ZTITLE, ZLENGTH, ZBOOK FROM ZCHAPTER",
        "SELECT Z_PK, Z_ENT, ZTEXT, ZCHAPTER FROM ZNOTE", "SELECT Z_ENT, ZCODE FROM ZTOPIC ORDER BY 2",
        """
        SELECT c.Z_PK, t.ZCODE FROM Z_3TOPICS l JOIN ZCHAPTER c ON c.Z_PK = l.Z_3CHAPTERS \
        JOIN ZTOPIC t ON t.Z_PK = l.Z_5TOPICS ORDER BY 1, 2
        """,
    ]

    @Test(arguments: [1, 2, 3, 7, 1000])
    func partsAreThoseThatSQLiteWrites(size: Int) throws {
        var parts = 0
        let seeds = RandomNumbers.seeds(50)
        for seed in seeds {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let (text, records) = (Self.mapping(&random), Self.records(&random))
            let mapping = try ImportMapping(yaml: text)
            var options = ImportOptions(
                limits: RecordBatch.Limits(rows: [1, 2, 3, 7, 100].randomElement(using: &random) ?? 1))
            options.fixedLimits.assembly.keysInMemory = size
            options.fixedLimits.assembly.entriesPerPart = size
            options.fixedLimits.assembly.waitingEntries = size
            options.fixedLimits.assembly.recentRows = size
            options.fixedLimits.assembly.sortMemory = size * 40
            func store(_ writer: NewStoreWriter) throws -> (rows: [[String]], report: ImportReport) {
                let fixture = try ImportFixture(entities: Self.entities)
                options.writer = writer
                let report = try fixture.run(
                    [try fixture.write(records, as: "books.json")], .mapping(mapping), options: options)
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                return (try Self.queries.map { try fixture.rows($0) }, report)
            }
            let (assembled, written) = (try store(.builder), try store(.sqlite))
            let context = "seed \(seed)\n\(text)\n\(records)\n\(options)"
            try #require(assembled.rows == written.rows, "\(context)")
            #expect(assembled.report.entities == written.report.entities, "\(context)")
            #expect(assembled.report.rejected == written.report.rejected, "\(context)")
            parts += assembled.rows[2].count + assembled.rows[3].count
        }
        #expect(parts > seeds.count * 3)
    }
}

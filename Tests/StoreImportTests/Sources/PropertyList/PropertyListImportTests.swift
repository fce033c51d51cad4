import Foundation
import ImportTestSupport
import KeyedArchives
import TestSupport
import Testing

@testable import ImportMappings
@testable import MappingDrafting
@testable import RecordSources
@testable import StoreImport

/// Property lists as sources, XML and binary.
@Suite struct PropertyListImportTests {
    private static let entities = """
        <entity name="Book"><attribute name="title" attributeType="String"/>
        <attribute name="pages" optional="YES" attributeType="Integer 16"/>
        <attribute name="price" optional="YES" attributeType="Double"/>
        <attribute name="isLent" optional="YES" attributeType="Boolean"/>
        <attribute name="bought" optional="YES" attributeType="Date"/>
        <attribute name="cover" optional="YES" attributeType="Binary"/>
        <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="books" \
        inverseEntity="Tag"/></entity>
        <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" \
        inverseEntity="Book"/></entity>
        """
    private static let mapping = """
        records: library.books
        entity: Book
        key: title
        attributes: [title, pages, price, isLent, bought, cover]
        relationships:
          tags: {by: name, from: 'tags[*]', onMissing: create}
        """
    private static let books: PropertyListValue = [
        "version": 2,
        "library": [
            "owner": ["name": "x"],
            "books": [
                [
                    "title": "A <b> & \"c\"", "pages": 12, "price": .real(1.5), "isLent": true, "bought": .date(0.25),
                    "cover": .data([0, 1, 255]), "tags": ["red", "blue"],
                ],
                ["title": "too long", "pages": 99_999, "bought": .date(0.1), "cover": .data([7]), "isLent": false],
                ["title": "B", "tags": []],
                ["pages": 3],
            ],
        ],
    ]

    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(entities: Self.entities)
    }

    private func write(_ value: PropertyListValue, isBinary: Bool, as name: String = "books.plist") throws -> String {
        let path = fixture.directory.file(name)
        let bytes =
            if isBinary { BinaryPropertyListWriter.bytes(for: value) } else {
                Array(try XMLPropertyListWriter.text(for: value).utf8)
            }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func run(_ path: String, _ mapping: String = Self.mapping, rejects: String? = nil) throws -> ImportReport {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 2))
        options.rejectsDirectory = rejects
        return try fixture.run([path], .mapping(try ImportMapping(yaml: "import: 1\n" + mapping)), options: options)
    }

    @Test(arguments: [false, true])
    func valuesKeepTheirTypes(isBinary: Bool) throws {
        let report = try run(try write(Self.books, isBinary: isBinary))
        #expect(report.sources.map(\.records) == [4])
        #expect(report.rejected == 2)
        // XML dates have whole seconds.
        #expect(
            try fixture.rows("SELECT ZTITLE, ZPAGES, ZPRICE, ZISLENT, ZBOUGHT, ZCOVER FROM ZBOOK ORDER BY ZTITLE") == [
                "A <b> & \"c\"|12|1.5|1|\(isBinary ? "0.25" : "0")|01ff", "B|NULL|NULL|NULL|NULL|NULL",
            ])
        #expect(try fixture.rows("SELECT ZNAME FROM ZTAG ORDER BY 1") == ["blue", "red"])
        #expect(report.firstRejections.contains { $0.contains("pages") && $0.contains("99999") })
    }

    @Test(arguments: [false, true])
    func rejectedRecordsAreAPropertyListAgain(isBinary: Bool) throws {
        let rejects = fixture.directory.file("rejects")
        _ = try run(try write(Self.books, isBinary: isBinary), rejects: rejects)
        let again = rejects + "/books.rejected.plist"
        let text = try String(contentsOfFile: again, encoding: .utf8)
        guard
            case .dictionary(let root) = try PropertyListReader.value(
                from: Array(
                    text.replacingOccurrences(of: ":00.1Z", with: ":00Z").utf8)),
            case .dictionary(let library)? = root["library"], case .array(let books)? = library["books"]
        else {
            Issue.record("\(text)")
            return
        }
        #expect(books.count == 2)
        let mended = text.replacingOccurrences(of: "99999", with: "999")
            .replacingOccurrences(
                of: "<key>pages</key>\n<integer>3",
                with: "<key>title</key>\n<string>C</string>\n<key>pages</key>\n<integer>3")
        try Data(mended.utf8).write(to: URL(fileURLWithPath: again))
        let report = try run(again)
        #expect(report.rejected == 0)
        #expect(
            try fixture.rows("SELECT ZTITLE, ZPAGES, ZISLENT, ZBOUGHT, ZCOVER FROM ZBOOK WHERE ZPAGES <> 12 ORDER BY 1")
                == [
                    "C|3|NULL|NULL|NULL", "too long|999|0|\(isBinary ? "0.1" : "0")|7",
                ])
    }

    @Test func membersHaveTheirKeys() throws {
        let members: PropertyListValue = ["one": ["pages": 1], "two": ["pages": 70_000], "three": ["pages": 3]]
        let rejects = fixture.directory.file("rejects")
        let mapping = "records: '*'\nentity: Book\nkey: title\nattributes: {title: '@key', pages: pages}\n"
        _ = try run(try write(members, isBinary: true), mapping, rejects: rejects)
        #expect(try fixture.rows("SELECT ZTITLE, ZPAGES FROM ZBOOK ORDER BY ZPAGES") == ["one|1", "three|3"])
        let text = try String(contentsOfFile: rejects + "/books.rejected.plist", encoding: .utf8)
        #expect(
            try PropertyListReader.value(from: Array(text.utf8)) == ["two": ["pages": 70_000]])
    }

    @Test func theRootIsARecordOrAnArrayOfThem() throws {
        let mapping = "entity: Book\nkey: title\nattributes: [title, pages]\n"
        _ = try run(try write(["title": "one", "pages": 1], isBinary: false, as: "one.plist"), mapping)
        _ = try run(try write([["title": "two"], ["title": "three"]], isBinary: true, as: "more.plist"), mapping)
        #expect(try fixture.rows("SELECT ZTITLE FROM ZBOOK ORDER BY 1") == ["one", "three", "two"])
    }

    @Test(arguments: [false, true])
    func aDraftFindsTheRecords(isBinary: Bool) throws {
        let library: PropertyListValue = [
            "version": 2, "library": ["books": [["title": "a", "pages": 5], ["title": "b"]]],
        ]
        let path = try write(library, isBinary: isBinary)
        let draft = try MappingDrafter(model: fixture.model).draft(of: [path])
        let source = try #require(draft.mapping.sources.first)
        #expect(source.format.kind == .propertyList)
        #expect(source.format.records == "library.books")
        #expect(source.objects.first?.entity == "Book")
        let attributes = source.objects.flatMap(\.attributes).map(\.attribute)
        #expect(attributes.contains("title") && attributes.contains("pages"))
    }

    @Test func anEntityIsEnough() throws {
        let path = try write(Self.books, isBinary: true)
        let report = try fixture.run([path], .entity(EntityRequest(entity: "Book", key: ["title"])))
        #expect(report.sources.map(\.records) == [4])
        #expect(try fixture.rows("SELECT count(*) FROM ZBOOK") == ["2"])
    }

    @Test(arguments: [
        ("<plist><dict><key>library</key></dict></plist>", "a key has no value"),
        ("<plist><dict><key>library</key><dict><key>boks</key><array/></dict></dict></plist>", "boks"),
        ("<plist><dict><key>library</key><dict><key>books</key><string>x</string></dict></dict></plist>", "an array"),
        ("<plist><dict><integer>1</integer></dict></plist>", "has no key"),
        ("<plist></plist>", "no value"),
        (
            "<plist><dict><key>library</key><dict><key>books</key><array><dict><key>pages</key><integer>x</integer>",
            "no integer"
        ),
    ])
    func whatIsNoPropertyListIsAnError(text: String, reason: String) throws {
        let path = try fixture.write(text, as: "books.plist")
        let error = #expect(throws: (any Error).self) { try run(path) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(error.map { "\($0)" } ?? "")")
        #expect(!FileManager.default.fileExists(atPath: fixture.store))
    }

    @Test func aKeyThatIsThereTwiceRejectsItsRecord() throws {
        let path = try fixture.write(
            "<plist><array><dict><key>title</key><string>a</string><key>title</key><string>b</string></dict>"
                + "<dict><key>title</key><string>c</string></dict></array></plist>", as: "books.plist")
        let report = try run(path, "entity: Book\nkey: title\nattributes: [title]\n")
        #expect(report.rejected == 1)
        #expect(try fixture.rows("SELECT ZTITLE FROM ZBOOK") == ["c"])
    }

    @Test func largeRecordsAreRejected() throws {
        let books: PropertyListValue = [
            ["title": "a", "cover": .data([UInt8](repeating: 1, count: 5000))],
            ["title": "b", "x": .string(String(repeating: "y", count: 3000))], ["title": "c"],
        ]
        for isBinary in [false, true] {
            var options = ImportOptions()
            options.largestRecord = 2048
            let mapping = try ImportMapping(yaml: "import: 1\nentity: Book\nkey: title\nattributes: [title, cover]\n")
            let path = try write(books, isBinary: isBinary)
            let report = try fixture.run([path], .mapping(mapping), options: options)
            #expect(report.rejected == 2)
            #expect(try fixture.rows("SELECT ZTITLE FROM ZBOOK") == ["c"])
        }
    }

    /// Binary lists of any bytes: records or an error, never a trap or an endless run.
    @Test func damagedBinaryListsAreErrors() throws {
        let good = BinaryPropertyListWriter.bytes(for: Self.books)
        for seed in RandomNumbers.seeds(200) {
            var random = RandomNumbers(seed: UInt64(seed))
            var bad = good
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                bad[Int.random(in: 8..<bad.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let path = fixture.directory.file("bad.plist")
            try Data(bad).write(to: URL(fileURLWithPath: path))
            _ = try? run(path)
        }
    }
}

import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Lists of more objects than a page of numbers has, of which only one is in memory: each record needs another page than
/// the one before it.
@Suite struct AssembledPagesTests {
    private static let count = 1400

    /// Numbers in a random order, the same for the same seed.
    private static func shuffled(_ seed: UInt64) -> [Int] {
        var random = RandomNumbers(seed: seed)
        return (0..<count).shuffled(using: &random)
    }

    private static func run(
        _ fixture: ImportFixture, _ sources: String, _ files: [(name: String, lines: [String])]
    ) throws -> ImportReport {
        var options = ImportOptions(rows: 1000, .builder)
        options.fixedLimits.assembly.listPages = 1
        options.fixedLimits.assembly.partnerPages = 1
        let paths = try files.map { try fixture.write($0.lines.joined(separator: "\n"), as: $0.name) }
        let mapping = try ImportMapping(yaml: "import: 1\nsources:\n" + sources)
        return try fixture.run(paths, .mapping(mapping), options: options)
    }

    private static func fixture(isOneToMany: Bool) throws -> ImportFixture {
        let list =
            isOneToMany
            ? """
            <relationship name="club" optional="YES" maxCount="1" destinationEntity="Club" inverseName="people" \
            inverseEntity="Club"/>
            """
            : """
            <relationship name="clubs" optional="YES" toMany="YES" destinationEntity="Club" inverseName="people" \
            inverseEntity="Club"/>
            """
        return try ImportFixture(
            entities: """
                <entity name="Club"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="\(isOneToMany ? "club" : "clubs")" inverseEntity="Person"/></entity>
                <entity name="Person"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                \(list)</entity>
                """)
    }

    private static let clubs = (name: "club.json", lines: (0..<5).map { "{\"code\": \($0)}" })
    private static let people = (name: "person.json", lines: shuffled(1).map { "{\"code\": \($0)}" })

    private static func source(_ files: String, _ entity: String, _ rest: String) -> String {
        "  - {files: \(files), entity: \(entity), key: code, attributes: [code]\(rest)}\n"
    }

    @Test func rowsAddToListsEndThemAndFillThem() throws {
        let fixture = try Self.fixture(isOneToMany: false)
        func list(_ code: Int, _ club: Int) -> String { "{\"code\": \(code), \"clubs\": [\(club % 5)]}" }
        let lists = ", relationships: {clubs: {by: code, from: 'clubs[*]'"
        let report = try Self.run(
            fixture,
            Self.source("club.json", "Club", "") + Self.source("add.json", "Person", lists + ", add: true}}")
                + Self.source("replace.json", "Person", lists + "}}")
                + Self.source("fill.json", "Person", lists + "}}, onMatch: fill"),
            [
                Self.clubs,
                ("add.json", Self.shuffled(2).map { $0 % 7 == 0 ? "{\"code\": \($0)}" : list($0, $0) }),
                ("replace.json", Self.shuffled(3).filter { $0 % 3 == 0 }.map { list($0, $0 + 1) }),
                ("fill.json", Self.shuffled(4).filter { $0 % 2 == 0 }.map { list($0, $0 + 2) }),
            ])
        #expect(report.isAssembled && report.rejected == 0)
        let expected = (0..<Self.count).compactMap { code -> String? in
            if code % 3 == 0 { return "\(code)|\((code + 1) % 5)" }
            if code % 7 != 0 { return "\(code)|\(code % 5)" }
            return code % 2 == 0 ? "\(code)|\((code + 2) % 5)" : nil
        }
        let join = try #require(
            try fixture.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*'").first)
        let columns = try fixture.rows("SELECT name FROM pragma_table_info('\(join)') WHERE name NOT LIKE '%FOK%'")
        let ofPeople = try #require(columns.first { $0.hasSuffix("PEOPLE") })
        let ofClubs = try #require(columns.first { $0.hasSuffix("CLUBS") })
        #expect(
            try fixture.rows(
                """
                SELECT p.ZCODE, c.ZCODE FROM "\(join)" j JOIN ZPERSON p ON p.Z_PK = j.\(ofPeople) \
                JOIN ZCLUB c ON c.Z_PK = j.\(ofClubs) ORDER BY p.ZCODE, c.ZCODE
                """) == expected)
    }

    @Test(arguments: [false, true])
    func listsTakeObjectsFromOthers(areBothSidesMapped: Bool) throws {
        let fixture = try Self.fixture(isOneToMany: true)
        func list(_ club: Int, _ seed: UInt64, _ isIn: (Int) -> Bool) -> String {
            let codes = Self.shuffled(seed).filter(isIn).map { "\($0)" }.joined(separator: ", ")
            return "{\"code\": \(club), \"people\": [\(codes)]}"
        }
        let lists = ", relationships: {people: {by: code, from: 'people[*]'"
        // Different rules are not assembled where both sides are mapped.
        let rule = areBothSidesMapped ? "" : ", add: true"
        var sources =
            Self.source("person.json", "Person", "") + Self.source("add.json", "Club", lists + rule + "}}")
            + Self.source("replace.json", "Club", lists + "}}")
        var files = [
            Self.people, ("add.json", (0..<5).map { club in list(club, 5) { $0 % 5 == club } }),
            ("replace.json", [list(0, 6) { $0 % 4 == 0 }]),
        ]
        if areBothSidesMapped {
            let club = ", relationships: {club: {by: code, from: club}}"
            sources +=
                Self.source("own.json", "Person", club) + Self.source("fill.json", "Person", club + ", onMatch: fill")
            files.append(
                ("own.json", Self.shuffled(7).filter { $0 % 11 == 0 }.map { "{\"code\": \($0), \"club\": 1}" }))
            files.append(
                ("fill.json", Self.shuffled(8).filter { $0 % 3 == 0 }.map { "{\"code\": \($0), \"club\": 3}" }))
        }
        let report = try Self.run(fixture, sources, files)
        #expect(report.isAssembled && report.rejected == 0)
        let expected = (0..<Self.count).map { code in
            if areBothSidesMapped, code % 11 == 0 { return "\(code)|1" }
            if code % 4 == 0 { return "\(code)|0" }
            if areBothSidesMapped, code % 5 == 0, code % 3 == 0 { return "\(code)|3" }
            return code % 5 == 0 ? "\(code)|" : "\(code)|\(code % 5)"
        }
        #expect(
            try fixture.rows(
                """
                SELECT p.ZCODE, coalesce(c.ZCODE, '') FROM ZPERSON p LEFT JOIN ZCLUB c ON c.Z_PK = p.ZCLUB \
                ORDER BY p.ZCODE
                """) == expected)
    }
}

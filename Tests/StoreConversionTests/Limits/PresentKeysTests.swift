import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreConversion

/// Which links a reader takes, and which it says lead nowhere, is what a join of SQLite's gives, however many keys fit
/// into the memory for them.
@Suite struct PresentKeysTests {
    private static let model = ManagedObjectModel(entities: [
        entity("Club", [attribute("name")], [relationship("members", to: "Person", inverse: "clubs", many: true)]),
        entity(
            "Person", [attribute("name")],
            [
                relationship("boss", to: "Person", inverse: "staff"),
                relationship("clubs", to: "Club", inverse: "members", many: true),
                relationship("staff", to: "Person", inverse: "boss", many: true),
            ]),
    ])

    /// What a store's tables have, with links to what is not there.
    private static func fill(_ store: TemporaryStore, _ join: JoinTable, _ random: inout RandomNumbers) throws {
        let connection = try Connection(path: store.path, access: .readWrite)
        let highest = [70, 300, 5000].randomElement(using: &random) ?? 70
        func keys(_ count: Int) -> Set<Int> {
            Set((0..<count).map { _ in Int.random(in: 1...highest, using: &random) })
        }
        func link() -> String {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: "NULL"
            case 1: "0"
            case 2: "-\(Int.random(in: 1...5, using: &random))"
            case 3: "\(Int.random(in: 1...4, using: &random)).5"
            case 4: "'a name'"
            case 5: "x'31'"
            case 6: "\([Int.max, 1 << 40].randomElement(using: &random) ?? 0)"
            default: "\(Int.random(in: 1...highest, using: &random))"
            }
        }
        let (people, clubs) = (keys(60), keys(20))
        try connection.execute("BEGIN")
        for key in people {
            try connection.execute("INSERT INTO ZPERSON (Z_PK, Z_ENT, ZBOSS) VALUES (\(key), 2, \(link()))")
        }
        for key in clubs { try connection.execute("INSERT INTO ZCLUB (Z_PK, Z_ENT) VALUES (\(key), 1)") }
        let side = join.side(of: PropertyKey(owner: 0, name: "members"))
        for key in clubs.union(keys(5)) {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                try connection.execute(
                    "INSERT OR IGNORE INTO \(join.name) (\(side.owner), \(side.destination)) VALUES (\(key), \(link()))"
                )
            }
        }
        // A row of no known entity, with a key that no object has, is there for those who ask for keys only.
        if Bool.random(using: &random) { try connection.execute("INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (-3, 99)") }
        try connection.execute("COMMIT")
        try connection.close()
    }

    /// The links of all objects, and how many lead nowhere, by relationship.
    private static func read(
        _ store: TemporaryStore, bits: Int
    ) throws -> (lines: [String], dangling: [String: Int64]) {
        let findings = ConversionFindings()
        var limits = ConversionLimits()
        limits.keyBits = bits
        let forms = ObjectForms(store.model)
        let reader = try SQLiteObjectReader(
            try SQLiteStore(path: store.path), forms: forms, findings: findings, limits: limits)
        var (object, lines) = (StoredObject(), [String]())
        while try reader.next(&object) {
            let form = forms.entities[object.slot]
            for (place, relationship) in form.relationships.enumerated() {
                for link in object.links(at: place) { lines.append("\(relationship.name) \(object.key) \(link)") }
            }
        }
        let dangling = findings.all.filter { $0.code == .danglingReference }.map { ($0.subject, $0.count) }
        return (lines.sorted(), Dictionary(dangling, uniquingKeysWith: +))
    }

    @Test(arguments: RandomNumbers.seeds(40))
    func theLinksOfAReaderAreThoseOfAJoin(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let store = try TemporaryStore(Self.model, rows: "")
        let layout = try SQLiteStore(path: store.path).layout(for: store.model)
        let join = try #require(layout.joinTables.first)
        try Self.fill(store, join, &random)
        let side = join.side(of: PropertyKey(owner: 0, name: "members"))
        let (j, club, person) = (join.name, side.owner, side.destination)
        func lines(_ sql: String) throws -> [String] { try store.rows(sql).map { $0.filter { $0 != "'" } } }
        // A key of an owner that is not there is nobody's.
        let expected = try lines(
            """
            SELECT 'boss ' || p.Z_PK || ' ' || b.Z_PK FROM ZPERSON p JOIN ZPERSON b ON b.Z_PK = p.ZBOSS WHERE p.Z_ENT = 2
            UNION ALL
            SELECT 'staff ' || b.Z_PK || ' ' || p.Z_PK FROM ZPERSON p JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
            WHERE b.Z_ENT = 2
            UNION ALL
            SELECT 'members ' || c.Z_PK || ' ' || p.Z_PK FROM \(j) j JOIN ZCLUB c ON c.Z_PK = j.\(club)
            JOIN ZPERSON p ON p.Z_PK = j.\(person)
            UNION ALL
            SELECT 'clubs ' || p.Z_PK || ' ' || c.Z_PK FROM \(j) j JOIN ZCLUB c ON c.Z_PK = j.\(club)
            JOIN ZPERSON p ON p.Z_PK = j.\(person) WHERE p.Z_ENT = 2
            """)
        let bosses = try lines(
            "SELECT count(*) FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS "
                + "WHERE p.ZBOSS IS NOT NULL AND b.Z_PK IS NULL")
        let members = try lines(
            "SELECT count(*) FROM \(j) j LEFT JOIN ZCLUB c ON c.Z_PK = j.\(club) "
                + "LEFT JOIN ZPERSON p ON p.Z_PK = j.\(person) "
                + "WHERE j.\(person) IS NOT NULL AND (c.Z_PK IS NULL OR p.Z_PK IS NULL)")
        // In the middle: one table fits and the other one does not.
        for bits in [0, 8, 16, Int.random(in: 0...1500, using: &random), 8 << 20] {
            let (lines, dangling) = try Self.read(store, bits: bits)
            #expect(lines == expected.sorted(), "\(bits) bytes")
            #expect("\(dangling["Person.boss"] ?? 0)" == bosses.first, "\(bits) bytes")
            #expect("\(dangling["Club.members"] ?? 0)" == members.first, "\(bits) bytes")
        }
    }
}

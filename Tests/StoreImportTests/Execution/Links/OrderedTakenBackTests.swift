import ImportTestSupport
import PersistentStores
import StoreImport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources

/// Objects whose first record is taken back, so that the next one makes them: they have their places among those of the
/// object that this one names, whatever the batches.
@Suite struct OrderedTakenBackTests {
    private static let model = """
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="boss" inverseEntity="Person"/></entity>
        """

    private struct Record {
        let name: String
        let team: String
        let boss: String
    }

    @Test(arguments: RandomNumbers.seeds(20), ["skip", "fill"])
    func whatIsMadeAgainHasItsPlace(seed: Int, onMatch: String) throws {
        for isThere in [false, true] {
            for rows in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                let names = (0..<4).map { "p\($0)" }
                let records = (0..<Int.random(in: 2...9, using: &random)).map { _ in
                    Record(
                        name: names.randomElement(using: &random) ?? "",
                        team: Int.random(in: 0..<3, using: &random) == 0 ? "gone" : "t",
                        boss: Bool.random(using: &random) ? names.randomElement(using: &random) ?? "" : "z")
                }
                let fixture = try ImportFixture(entities: Self.model)
                let options = ImportOptions(rows: rows, seed % 2 == 0 ? .auto : .sqlite)
                let mapping = try ImportMapping(
                    yaml: """
                        import: 1
                        sources:
                          - files: people*.csv
                            entity: Person
                            key: name
                            onMatch: \(onMatch)
                            attributes: [name]
                            relationships:
                              team: {by: code, from: team, onMissing: error}
                              boss: {by: name, from: boss}
                          - {files: teams*.csv, entity: Team, key: code, attributes: [code]}
                        """)
                let teams = try fixture.write("code\nt\n", as: "teams.csv")
                let first = try fixture.write("name,team,boss\nz,,\n", as: "people0.csv")
                if isThere { _ = try fixture.run([first, teams], .mapping(mapping), options: options) }
                let text = "name,team,boss\n" + records.map { "\($0.name),\($0.team),\($0.boss)\n" }.joined()
                let path = try fixture.write(text, as: "people.csv")
                _ = try fixture.run(
                    isThere ? [path, teams] : [first, path, teams], .mapping(mapping), options: options)

                // A rejected record is as if it had not been there, and the first one that is left says all.
                var made: [(name: String, boss: String)] = []
                for record in records where record.team == "t" && !made.contains(where: { $0.name == record.name }) {
                    made.append((record.name, record.boss))
                }
                var known = Set(made.map(\.name))
                known.insert("z")
                if onMatch == "fill" {
                    // The first record with a destination that is there fills the place.
                    for index in made.indices where !known.contains(made[index].boss) {
                        let next = records.first {
                            $0.name == made[index].name && $0.team == "t" && known.contains($0.boss)
                        }
                        made[index].boss = next?.boss ?? ""
                    }
                }
                let context = "seed \(seed), \(rows) rows, \(isThere), \(text)"
                let bosses = try fixture.rows(
                    "SELECT p.ZNAME, b.ZNAME FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1")
                let wanted = made.map { "\($0.name)|\(known.contains($0.boss) ? $0.boss : "NULL")" } + ["z|NULL"]
                #expect(bosses == wanted.sorted(), "\(context)")
                #expect(
                    try fixture.rows("SELECT count(*) FROM ZPERSON WHERE ZBOSS IS NOT NULL AND Z_FOK_BOSS IS NULL")
                        == ["0"], "\(context)")
                guard onMatch == "skip" else { continue }
                for boss in known {
                    let staff = try fixture.rows(
                        """
                        SELECT p.ZNAME FROM ZPERSON p JOIN ZPERSON b ON b.Z_PK = p.ZBOSS WHERE b.ZNAME = '\(boss)'
                        ORDER BY p.Z_FOK_BOSS
                        """)
                    #expect(staff == made.filter { $0.boss == boss }.map(\.name), "\(context)")
                }
            }
        }
    }
}

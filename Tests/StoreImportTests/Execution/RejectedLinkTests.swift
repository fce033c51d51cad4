import Foundation
import ImportMappings
import ImportTestSupport
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Links to records that are rejected when all are read: held against a plain model of what must come of them.
@Suite struct RejectedLinkTests {
    private static let model = """
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 16"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="reports" \
        inverseEntity="Person"/>
        <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>
        <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="fans" inverseEntity="Person"/>
        <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
        inverseEntity="Person"/></entity>
        """

    enum Policy: String, CaseIterable {
        case error, skip, create
    }

    /// What the mapping does about persons and teams that are nowhere.
    struct Policies: CustomStringConvertible {
        var team = Policy.skip
        var boss = Policy.skip
        var friends = Policy.skip

        var description: String { "team \(team), boss \(boss), friends \(friends)" }
    }

    struct Person {
        var name: String
        var isBad = false
        var team: String?
        var boss: String?
        var friends: [String] = []
    }

    struct Team {
        var code: String
        var isBad = false
    }

    /// What an import must come to.
    struct Outcome: Equatable {
        var persons: [String]
        var teams: [String]
        var rejectedLines: Set<Int> = []
        var unresolvedLinks = 0
    }

    /// The store that an import of all records into an empty one leaves, by the plain meaning of the mapping.
    private func expected(_ persons: [Person], _ teams: [Team], _ policies: Policies) -> Outcome {
        let goodTeams = Set(teams.filter { !$0.isBad }.map(\.code))
        var accepted = Set(persons.indices.filter { !persons[$0].isBad })
        while true {
            let names = Set(accepted.map { persons[$0].name })
            let refused = accepted.filter { index in
                let person = persons[index]
                return policies.team == .error && person.team.map { !goodTeams.contains($0) } ?? false
                    || policies.boss == .error && person.boss.map { !names.contains($0) } ?? false
                    || policies.friends == .error && person.friends.contains { !names.contains($0) }
            }
            if refused.isEmpty { break }
            accepted.subtract(refused)
        }
        var names = Set(accepted.map { persons[$0].name })
        var codes = goodTeams
        for person in accepted.map({ persons[$0] }) {
            if policies.team == .create, let team = person.team { codes.insert(team) }
            if policies.boss == .create, let boss = person.boss { names.insert(boss) }
            if policies.friends == .create { names.formUnion(person.friends) }
        }
        var outcome = Outcome(persons: [], teams: codes.sorted())
        for name in names {
            guard let index = accepted.first(where: { persons[$0].name == name }) else {
                outcome.persons.append("\(name)|NULL|NULL|NULL|")
                continue
            }
            let person = persons[index]
            func found(_ name: String?, in known: Set<String>) -> String {
                guard let name else { return "NULL" }
                if known.contains(name) { return name }
                outcome.unresolvedLinks += 1
                return "NULL"
            }
            let team = found(person.team, in: codes)
            let boss = found(person.boss, in: names)
            let friends = person.friends.map { found($0, in: names) }.filter { $0 != "NULL" }
            outcome.persons.append("\(name)|\(index)|\(team)|\(boss)|\(friends.joined(separator: ";"))")
        }
        outcome.persons.sort()
        outcome.rejectedLines = Set(persons.indices.filter { !accepted.contains($0) }.map { $0 + 2 })
        return outcome
    }

    private func dump(_ fixture: ImportFixture) throws -> (persons: [String], teams: [String]) {
        let persons = try fixture.rows(
            """
            SELECT p.ZNAME, p.ZAGE, t.ZCODE, b.ZNAME, ifnull((SELECT group_concat(ZNAME, ';') FROM
            (SELECT f.ZNAME FROM Z_1FRIENDS j JOIN ZPERSON f ON f.Z_PK = j.Z_1FRIENDS WHERE j.Z_1FANS = p.Z_PK
            ORDER BY j.Z_FOK_1FRIENDS)), '') FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM
            LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1
            """)
        return (persons.sorted(), try fixture.rows("SELECT ZCODE FROM ZTEAM ORDER BY 1").sorted())
    }

    private func mapping(_ policies: Policies) throws -> ImportMapping {
        try ImportMapping(
            yaml: """
                import: 1
                sources:
                  - files: people*.csv
                    entity: Person
                    key: name
                    attributes: [name, age]
                    relationships:
                      team: {by: code, from: team, onMissing: \(policies.team)}
                      boss: {by: name, from: boss, onMissing: \(policies.boss)}
                      friends: {by: name, from: friends, separator: ;, onMissing: \(policies.friends)}
                  - {files: teams*.csv, entity: Team, key: code, attributes: [code, size]}
                """)
    }

    private func text(_ persons: [Person]) -> String {
        "name,age,team,boss,friends\n"
            + persons.enumerated().map { index, person in
                "\(person.name),\(person.isBad ? "x" : "")\(index),\(person.team ?? ""),\(person.boss ?? ""),"
                    + "\(person.friends.joined(separator: ";"))\n"
            }.joined()
    }

    private func text(_ teams: [Team]) -> String {
        "code,size\n" + teams.map { "\($0.code),\($0.isBad ? "x" : "")1\n" }.joined()
    }

    private func run(
        _ fixture: ImportFixture, _ sources: [String], _ policies: Policies, rows: Int, rejects: String? = nil
    ) throws -> ImportReport {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.rejectsDirectory = rejects
        return try fixture.run(sources, .mapping(try mapping(policies)), options: options)
    }

    /// Imports records into an empty store, then what was left out with its mistakes mended.
    private func check(_ persons: [Person], _ teams: [Team], _ policies: Policies, rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let folder = fixture.directory.file("rejects")
        let sources = [
            try fixture.write(text(persons), as: "people.csv"), try fixture.write(text(teams), as: "teams.csv"),
        ]
        let report = try run(fixture, sources, policies, rows: rows, rejects: folder)
        let wanted = expected(persons, teams, policies)
        let found = try dump(fixture)
        #expect(found.persons == wanted.persons, "\(policies), \(rows) rows, \(persons)")
        #expect(found.teams == wanted.teams, "\(policies)")
        #expect(report.unresolvedLinks == wanted.unresolvedLinks, "\(policies)")
        let badTeams = teams.count { $0.isBad }
        #expect(report.rejected == wanted.rejectedLines.count + badTeams)
        #expect(report.entities.first { $0.entity == "Person" }?.inserted ?? 0 == wanted.persons.count)
        #expect(report.entities.first { $0.entity == "Team" }?.inserted ?? 0 == wanted.teams.count)
        let toOnes = try fixture.rows("SELECT count(ZTEAM) + count(ZBOSS) FROM ZPERSON")
        let links = try fixture.rows("SELECT count(*) FROM Z_1FRIENDS")
        let related = report.entities.reduce(0) { $0 + $1.related }
        #expect((toOnes + links).compactMap { Int64($0) }.reduce(0, +) == related)
        #expect(try fixture.faults() == [])

        // The mended records, and those that lost a link, make the store that of a clean import.
        let rest = ["people.rejected.csv", "people.unlinked.csv", "teams.rejected.csv", "teams.unlinked.csv"]
            .map { folder + "/" + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
        for path in rest {
            let mended = try String(contentsOfFile: path, encoding: .utf8).replacing(",x", with: ",")
            try Data(mended.utf8).write(to: URL(fileURLWithPath: path))
        }
        if !rest.isEmpty { _ = try run(fixture, rest, policies, rows: rows) }
        var clean = persons
        for index in clean.indices { clean[index].isBad = false }
        let cleanTeams = teams.map { Team(code: $0.code) }
        let whole = expected(clean, cleanTeams, policies)
        let mended = try dump(fixture)
        #expect(mended.persons == whole.persons, "mended, \(policies), \(rows) rows, \(persons)")
        #expect(mended.teams == whole.teams)
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 2, 1000])
    func aRecordThatNeedsARejectedOneIsRejectedTooHoweverLongTheChain(rows: Int) throws {
        let persons = [
            Person(name: "a", boss: "b"), Person(name: "b", boss: "c"), Person(name: "c", boss: "gone"),
            Person(name: "d", boss: "e"), Person(name: "e", boss: "d"), Person(name: "f", boss: "a"),
        ]
        let fixture = try ImportFixture(entities: Self.model)
        let sources = [
            try fixture.write(text(persons), as: "people.csv"), try fixture.write("code,size\n", as: "teams.csv"),
        ]
        let report = try run(fixture, sources, Policies(boss: .error), rows: rows)
        #expect(report.rejected == 4 && report.unresolvedLinks == 0)
        #expect(try dump(fixture).persons == ["d|3|NULL|e|", "e|4|NULL|d|"])
        let person = try #require(report.entities.first { $0.entity == "Person" })
        #expect(person.inserted == 2 && person.related == 2 && person.rejected == 4)
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 3, 1000])
    func aLinkToARecordThatIsRejectedLaterIsReportedNotCountedAndInAFileOfItsOwn(
        rows: Int
    ) throws {
        let persons = [
            Person(name: "a", boss: "b"), Person(name: "b", team: "gone"), Person(name: "c", friends: ["a", "b"]),
        ]
        let fixture = try ImportFixture(entities: Self.model)
        let folder = fixture.directory.file("rejects")
        let sources = [
            try fixture.write(text(persons), as: "people.csv"), try fixture.write("code,size\n", as: "teams.csv"),
        ]
        let report = try run(fixture, sources, Policies(team: .error), rows: rows, rejects: folder)
        #expect(report.rejected == 1 && report.unresolvedLinks == 2)
        #expect(report.entities.first { $0.entity == "Person" }?.related == 1)
        #expect(try dump(fixture).persons == ["a|0|NULL|NULL|", "c|2|NULL|NULL|a"])
        let unlinked = try String(contentsOfFile: folder + "/people.unlinked.csv", encoding: .utf8)
        #expect(unlinked == "name,age,team,boss,friends\na,0,,b,\nc,2,,,a;b\n")
        let log = try String(contentsOfFile: folder + "/rejects.ndjson", encoding: .utf8)
        #expect(log.components(separatedBy: "unresolvedLink").count == 3)
    }

    @Test func anObjectThatWasThereGetsItsValuesBackWhenItsRecordFallsWithAnother() throws {
        let fixture = try ImportFixture(entities: Self.model)
        let first = [Person(name: "z"), Person(name: "a", boss: "z")]
        let teams = try fixture.write("code,size\n", as: "teams.csv")
        _ = try run(fixture, [try fixture.write(text(first), as: "people.csv"), teams], Policies(), rows: 10)
        for rows in [1, 2, 10] {
            // b comes before a, so that a finds it at once, and behind it, so that a has to wait.
            for names in [["z", "b", "a"], ["a", "z", "b"]] {
                let persons = names.map { name in
                    Person(name: name, boss: name == "a" ? "b" : name == "b" ? "gone" : nil)
                }
                let sources = [try fixture.write(text(persons), as: "people.csv"), teams]
                let report = try run(fixture, sources, Policies(boss: .error), rows: rows)
                #expect(report.rejected == 2)
                #expect(try dump(fixture).persons.first == "a|1|NULL|z|")
                #expect(try fixture.rows("SELECT count(*) FROM ZPERSON") == ["2"])
            }
        }
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: RandomNumbers.seeds(40))
    func whatIsLeftIsThatOfThePlainMeaningAndOfACleanImportOnceAllIsMended(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let count = Int.random(in: 3...24, using: &random)
        var policies = Policies(
            team: Policy.allCases.randomElement(using: &random) ?? .skip,
            boss: Policy.allCases.randomElement(using: &random) ?? .skip,
            friends: Policy.allCases.randomElement(using: &random) ?? .skip)
        // What one relationship creates another may find: which comes first is not what this is about.
        if (policies.boss == .create) != (policies.friends == .create) { policies.friends = policies.boss }
        let teams = (0..<4).map { Team(code: "t\($0)", isBad: Int.random(in: 0..<4, using: &random) == 0) }
        let persons = (0..<count).map { index in
            var person = Person(name: "p\(index)", isBad: Int.random(in: 0..<8, using: &random) == 0)
            if Bool.random(using: &random) { person.team = "t\(Int.random(in: 0..<4, using: &random))" }
            if Bool.random(using: &random) { person.boss = "p\(Int.random(in: 0..<count, using: &random))" }
            let friends = Int.random(in: 0...2, using: &random)
            person.friends = (0..<count).shuffled(using: &random).prefix(friends).map { "p\($0)" }
            return person
        }
        let rows = [1, 2, 3, 7, 1000][seed % 5]
        try check(persons, teams, policies, rows: rows)
    }
}

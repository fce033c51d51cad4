import Foundation
import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// What an import does depends on none of the sizes of its batches, caches and windows.
@Suite struct ImportLimitTests {
    private static func entities(isUnique: Bool, needsTeam: Bool = false, hasFriends: Bool = false) -> String {
        func constraint(_ names: String...) -> String {
            guard isUnique else { return "" }
            let values = names.map { "<constraint value=\"\($0)\"/>" }.joined()
            return
                "<uniquenessConstraints><uniquenessConstraint>\(values)</uniquenessConstraint></uniquenessConstraints>"
        }
        func toMany(_ name: String, _ entity: String, _ inverse: String) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"\(entity)\" "
                + "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
        }
        func toOne(_ name: String, _ entity: String, _ inverse: String, isNeeded: Bool = false) -> String {
            "<relationship name=\"\(name)\" optional=\"\(isNeeded ? "NO" : "YES")\" maxCount=\"1\" destinationEntity=\"\(entity)\" "
                + "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
        }
        return """
            <entity name="Team"><attribute name="code" attributeType="String"/>
            <attribute name="title" optional="YES" attributeType="String"/>\(toMany("people", "Person", "team"))\
            \(constraint("code"))</entity>
            <entity name="Site"><attribute name="code" attributeType="String"/>
            <attribute name="number" attributeType="Integer 64"/>\(toMany("people", "Person", "site"))\
            \(constraint("code", "number"))</entity>
            <entity name="Tag"><attribute name="name" attributeType="String"/>\(toMany("people", "Person", "tags"))\
            \(constraint("name"))</entity>
            <entity name="Person"><attribute name="number" attributeType="Integer 32"/>
            <attribute name="name" optional="YES" attributeType="String"/>\(toOne("team", "Team", "people", isNeeded: needsTeam))\
            \(toOne("site", "Site", "people"))\(toOne("boss", "Person", "staff"))\(toMany("staff", "Person", "boss"))\
            \(toMany("tags", "Tag", "people"))\(hasFriends ? toMany("friends", "Person", "friends") : "")\
            \(constraint("number"))</entity>
            """
    }

    /// Limits of one size, or of random small sizes.
    private static func limits(_ size: Int?, _ random: inout RandomNumbers) -> ImportOptions {
        func next() -> Int { size ?? [1, 2, 3, 7].randomElement(using: &random) ?? 1 }
        var options = ImportOptions(limits: RecordBatch.Limits(rows: Bool.random(using: &random) ? next() : 40))
        if Int.random(in: 0..<4, using: &random) == 0 { options.limits.bytes = next() * 20 }
        var limits = ImportLimits()
        limits.cachedObjects = next()
        if Bool.random(using: &random) { limits.cachedKeyBytes = next() * 12 }
        limits.fetchedKeys = next()
        limits.fetchedOwners = next()
        limits.comparedParts = next()
        limits.preparedUpdates = next()
        limits.waitingLinks = next()
        limits.checkedObjects = next()
        limits.namedLinks = next()
        limits.orderedOwners = next()
        limits.circulatingBatches = next()
        limits.openRejectFiles = next()
        limits.keys.runLength = next()
        limits.keys.bucketBits = next()
        limits.keys.smallestFilter = 64
        limits.keys.middleFilter = Bool.random(using: &random) ? 64 : 128
        limits.filterBytes = [64, 128, 256].randomElement(using: &random) ?? 64
        limits.smallestLargeTable = Int64(next())
        limits.keysPerInsertion = Int64(next() * 1000)
        limits.largeFilterBytes = 64
        limits.assembly.keysInMemory = next()
        limits.assembly.entriesPerPart = next()
        limits.assembly.waitingEntries = next()
        limits.assembly.entriesAside = next()
        limits.assembly.sortMemory = next() * 40
        limits.pages.rows = next()
        limits.pages.keys = next()
        limits.pages.largeLoad = (next(), next())
        limits.pages.searches = next()
        options.fixedLimits = limits
        options.commit = Int.random(in: 0..<4, using: &random) == 0 ? .batch : .whole
        return options
    }

    private static func mapping(
        _ rules: PlainImport.Rules, teamsFirst: Bool, hasTags: Bool, hasFriends: Bool = false, hasIDs: Bool = true
    ) throws -> ImportMapping {
        let team =
            rules.namesTeamsByID
            ? "{sourceKey: team, onMissing: \(rules.team.rawValue)}"
            : "{by: code, from: team, onMissing: \(rules.team.rawValue)}"
        let list = "separator: '|', add: \(rules.adds)"
        let teams = """
              - files: teams.csv
                entity: Team
                key: code
            \(hasIDs && hasTags || rules.namesTeamsByID ? "    sourceKey: id" : "")
                attributes: [code, title]

            """
        let people = """
              - files: people.csv
                entity: Person
                key: number
                onMatch: \(rules.match.rawValue)
                attributes: [number, name]
                relationships:
                  team: \(team)
                  site: {by: {code: siteCode, number: siteNumber}, onMissing: \(rules.site.rawValue)}
                  boss: {by: number, from: boss, onMissing: \(rules.boss.rawValue)}
            \(hasTags ? "      tags: {by: name, from: tags, \(list), onMissing: \(rules.tags.rawValue)}" : "")
            \(hasFriends ? "      friends: {by: number, from: friends, \(list), onMissing: \(rules.friends.rawValue)}" : "")

            """
        return try ImportMapping(yaml: "import: 1\nsources:\n" + (teamsFirst ? teams + people : people + teams))
    }

    /// - Parameter repeats: whether several records may be of one person.
    private static func people(
        _ count: Int, repeats: Bool, byID: Bool, _ random: inout RandomNumbers
    ) -> [PlainImport.Person] {
        func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? {
            Int.random(in: 0..<5, using: &random) == 0 ? nil : value()
        }
        let numbers = Array((0..<count * 2).shuffled(using: &random).prefix(count))
        return numbers.map { number in
            var number = number
            if repeats, Bool.random(using: &random) { number = Int.random(in: 0..<count / 2 + 1, using: &random) }
            let tags = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                "g\(Int.random(in: 0..<12, using: &random))"
            }
            let team = Int.random(in: 0..<9, using: &random)
            return PlainImport.Person(
                number: number, name: maybe("n\(Int.random(in: 0..<99, using: &random))"),
                team: maybe(byID ? "\(team)" : "t\(team)"),
                site: (
                    maybe("s\(Int.random(in: 0..<3, using: &random))"), maybe(Int.random(in: 0..<3, using: &random))
                ),
                boss: maybe(Int.random(in: 0..<count * 2, using: &random)), tags: tags)
        }
    }

    /// The lines of both files.
    private static func write(
        _ teams: some Sequence<PlainImport.Team>, _ people: [PlainImport.Person], in fixture: ImportFixture
    ) throws -> [String] {
        [
            try fixture.write(
                "id,code,title\n" + teams.map { "\($0.id),\($0.code),\($0.title ?? "")\n" }.joined(), as: "teams.csv"),
            try fixture.write(
                "number,name,team,siteCode,siteNumber,boss,tags,friends\n"
                    + people.map { person in
                        "\(person.number),\(person.name ?? ""),\(person.team ?? ""),\(person.site.code ?? ""),"
                            + "\(person.site.number.map { "\($0)" } ?? ""),\(person.boss.map { "\($0)" } ?? ""),"
                            + person.tags.joined(separator: "|") + ","
                            + person.friends.map { "\($0)" }.joined(separator: "|") + "\n"
                    }.joined(), as: "people.csv"),
        ]
    }

    private static let queries = [
        "SELECT 'team ' || ZCODE, ZTITLE FROM ZTEAM ORDER BY ZCODE", "SELECT 'tag ' || ZNAME FROM ZTAG ORDER BY ZNAME",
        "SELECT 'site ' || ZCODE, ZNUMBER FROM ZSITE ORDER BY ZCODE, ZNUMBER",
        """
        SELECT 'person ' || p.ZNUMBER, p.ZNAME, t.ZCODE, s.ZCODE, s.ZNUMBER, b.ZNUMBER,
        ifnull((SELECT group_concat(ZNAME) FROM (SELECT g.ZNAME FROM Z_1TAGS j JOIN ZTAG g ON g.Z_PK = j.Z_3TAGS
        WHERE j.Z_1PEOPLE = p.Z_PK ORDER BY g.ZNAME)), '')
        FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM LEFT JOIN ZSITE s ON s.Z_PK = p.ZSITE
        LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY p.ZNUMBER
        """,
    ]

    /// Some imports one upon the other, compared each time.
    ///
    /// - Parameter hasTags: whether people have a list of links.
    /// - Returns: whether the first one was assembled.
    @discardableResult
    private func check(
        seed: UInt64, size: Int?, allowsErrors: Bool, hasTags: Bool = true, rounds: Int = 3
    ) throws -> Bool {
        var isAssembled = false
        var random = RandomNumbers(seed: seed)
        let isUnique = Bool.random(using: &random)
        let fixture = try ImportFixture(entities: Self.entities(isUnique: isUnique))
        var plain = PlainImport()
        for round in 1...rounds {
            var rules = PlainImport.Rules()
            func missing() -> PlainImport.Missing {
                let all: [PlainImport.Missing] = allowsErrors ? [.skip, .create, .error] : [.skip, .create]
                return all.randomElement(using: &random) ?? .skip
            }
            (rules.team, rules.site, rules.boss, rules.tags) = (missing(), missing(), missing(), missing())
            rules.namesTeamsByID = Int.random(in: 0..<3, using: &random) == 0
            if rules.namesTeamsByID, rules.team == .create { rules.team = .skip }
            let teams = (0..<8).shuffled(using: &random).prefix(6).map { id in
                PlainImport.Team(
                    id: id, code: "t\(id)", title: Bool.random(using: &random) ? "T\(round)" : nil)
            }
            var people = Self.people(24, repeats: true, byID: rules.namesTeamsByID, &random)
            if !hasTags { for index in people.indices { people[index].tags = [] } }
            let options = Self.limits(size, &random)
            let files = try Self.write(teams, people, in: fixture)
            let mapping = try Self.mapping(rules, teamsFirst: Bool.random(using: &random), hasTags: hasTags)
            let report = try fixture.run(files, .mapping(mapping), options: options)
            isAssembled = isAssembled || report.isAssembled
            plain.run(teams, people, rules)
            let found = try Self.queries.flatMap { try fixture.rows($0) }
            let context = "seed \(seed), round \(round), \(rules), batches of \(options.limits), \(options.commit)"
            let (extra, lacking) = (Set(found).subtracting(plain.lines), Set(plain.lines).subtracting(found))
            try #require(
                found == plain.lines, "\(context)\nin the store: \(extra.sorted())\nplainly: \(lacking.sorted())")
            try #require(Int(report.rejected) == plain.rejected, "\(context)")
        }
        return isAssembled
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(12))
    func recordsThatFindOrMakeObjectsRepeatAndReferToLaterOnes(size: Int, seed: Int) throws {
        try check(seed: UInt64(size * 1000 + seed), size: size, allowsErrors: false)
    }

    @Test(arguments: RandomNumbers.seeds(24))
    func theSameWithLimitsOfSeveralSizes(seed: Int) throws {
        try check(seed: UInt64(100_000 + seed), size: nil, allowsErrors: false)
    }

    @Test(arguments: RandomNumbers.seeds(24))
    func recordsThatAreRejectedBecauseOthersAreNotThereLeaveNothingBehind(seed: Int) throws {
        try check(seed: UInt64(200_000 + seed), size: nil, allowsErrors: true)
    }

    @Test(arguments: [true, false])
    func assembledStoresHoldWhatRecordsSayWhateverTheLimits(allowsErrors: Bool) throws {
        var assembled = 0
        let seeds = RandomNumbers.seeds(60)
        for seed in seeds {
            let size = [1, 2, 3, 7, nil][seed % 5]
            let isAssembled = try check(
                seed: UInt64(300_000 + seed), size: size, allowsErrors: allowsErrors, hasTags: false)
            if isAssembled { assembled += 1 }
        }
        #expect(assembled * 5 >= seeds.count)
    }

    @Test func rejectedRecordsOfAnAssembledStoreAreAsIfTheyHadNotBeenThere() throws {
        var assembled = 0
        let seeds = RandomNumbers.seeds(100)
        for seed in seeds {
            let isAssembled = try check(
                seed: UInt64(400_000 + seed), size: nil, allowsErrors: true, hasTags: false, rounds: 1)
            if isAssembled { assembled += 1 }
        }
        #expect(assembled * 5 >= seeds.count)
    }

    // MARK: - Repeated keys

    private static func repeatedKeys(_ random: inout RandomNumbers) -> (rules: PlainImport.Rules, hasFriends: Bool) {
        // What is made, and what may be rejected late, is assembled in different imports only.
        let all: [[PlainImport.Missing]] = [[.skip, .create], [.skip, .error], [.skip, .create, .error]]
        let policies = all.randomElement(using: &random) ?? [.skip]
        func missing() -> PlainImport.Missing { policies.randomElement(using: &random) ?? .skip }
        var rules = PlainImport.Rules()
        (rules.team, rules.site, rules.boss, rules.tags, rules.friends) = (
            missing(), missing(), missing(), missing(), missing()
        )
        if Bool.random(using: &random) { rules.tags = .skip }
        rules.match = [.update, .update, .fill, .skip, .error].randomElement(using: &random) ?? .update
        rules.adds = Int.random(in: 0..<3, using: &random) == 0
        rules.needsTeam = Int.random(in: 0..<3, using: &random) == 0
        // Of lists without direction it is not said which one is filled first.
        let hasFriends = rules.match != .fill && Bool.random(using: &random)
        if !hasFriends { rules.friends = .skip }
        // Who is made because he is named has no team; and a record that does not count must not depend on the batches.
        if rules.needsTeam || rules.match == .skip || rules.match == .error {
            if rules.boss == .create { rules.boss = .error }
            if rules.friends == .create { rules.friends = .error }
        }
        // What one relationship makes another may find: which comes first is not what this is about.
        if hasFriends, (rules.boss == .create) != (rules.friends == .create) { rules.friends = rules.boss }
        return (rules, hasFriends)
    }

    /// An import into a new store, the same into an empty one that is there, and the plain meaning: the same objects, links,
    /// rejected records and counts.
    ///
    /// - Returns: whether the new store was assembled, and records rejected.
    private func checkRepeatedKeys(seed: UInt64, size: Int) throws -> (isAssembled: Bool, rejected: Int) {
        var random = RandomNumbers(seed: seed)
        let isUnique = Bool.random(using: &random)
        let (first, hasFriends) = Self.repeatedKeys(&random)
        let hasTags = Bool.random(using: &random)
        let teamsFirst = Bool.random(using: &random)
        let fixtures = try (0..<2).map { _ in
            try ImportFixture(
                entities: Self.entities(isUnique: isUnique, needsTeam: first.needsTeam, hasFriends: hasFriends))
        }
        try Self.makeEmpty(fixtures[1])
        var plain = PlainImport()
        var isAssembled = false
        for round in 1...3 {
            // Records that were rejected come again, with what they lacked.
            var rules = first
            if round > 1, rules.match == .skip || rules.match == .error { rules.match = .update }
            let numbers = Int.random(in: 3...14, using: &random)
            let teams = (0..<6).shuffled(using: &random).prefix(round == 1 ? 4 : 6).map { id in
                PlainImport.Team(id: id, code: "t\(id)", title: Bool.random(using: &random) ? "T\(round)" : nil)
            }
            var people = Self.people(Int.random(in: 1...20, using: &random), repeats: true, byID: false, &random)
            for index in people.indices {
                people[index].number = Int.random(in: 0..<numbers, using: &random)
                people[index].team = people[index].team.map { _ in "t\(Int.random(in: 0..<7, using: &random))" }
                if let boss = people[index].boss { people[index].boss = boss % (numbers + 1) }
                if !hasTags { people[index].tags = [] }
                if hasFriends {
                    people[index].friends = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                        Int.random(in: 0...numbers, using: &random)
                    }
                }
            }
            let mapping = try Self.mapping(
                rules, teamsFirst: teamsFirst, hasTags: hasTags, hasFriends: hasFriends, hasIDs: false)
            plain.run(teams, people, rules)
            for (place, fixture) in fixtures.enumerated() {
                var options = Self.limits(size, &random)
                options.limits = RecordBatch.Limits(rows: size)
                if place == 0 { options.commit = .whole }
                let files = try Self.write(teams, people, in: fixture)
                let report = try fixture.run(
                    teamsFirst ? files : files.reversed(), .mapping(mapping), options: options)
                if place == 0, round == 1 { isAssembled = report.isAssembled }
                var queries = Self.queries
                if hasFriends {
                    queries.append(
                        """
                        SELECT 'friends ' || a.ZNUMBER, b.ZNUMBER FROM Z_1FRIENDS l JOIN ZPERSON a
                        ON a.Z_PK = l.Z_1FRIENDS JOIN ZPERSON b ON b.Z_PK = l.REFLEXIVE
                        WHERE a.ZNUMBER <= b.ZNUMBER ORDER BY a.ZNUMBER, b.ZNUMBER
                        """)
                }
                let found = try queries.flatMap { try fixture.rows($0) }
                let (extra, lacking) = (Set(found).subtracting(plain.lines), Set(plain.lines).subtracting(found))
                let sources = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
                let context =
                    "seed \(seed), size \(size), round \(round), store \(place), \(report.writer.map { "\($0)" } ?? "-"), "
                    + "\(options.commit), \(rules)\n\(sources.joined())"
                try #require(
                    found == plain.lines, "\(context)\nin the store: \(extra.sorted())\nplainly: \(lacking.sorted())")
                try #require(Int(report.rejected) == plain.rejected, "\(context)")
                try #require(Int(report.unresolvedLinks) == plain.unresolved, "\(context)")
                let person = report.entities.first { $0.entity == "Person" }
                try #require(Int(person?.related ?? 0) == plain.related, "\(context)")
                try #require(Int(person?.unrelated ?? 0) == plain.unrelated, "\(context)")
                try #require(
                    person.map { $0.inserted + $0.updated + $0.unchanged + $0.skipped } ?? 0
                        >= Int64(people.count - plain.rejected), "\(context)")
            }
        }
        return (isAssembled, plain.rejected)
    }

    /// Makes a store without objects.
    private static func makeEmpty(_ fixture: ImportFixture) throws {
        try fixture.run("code\n", as: "empty.csv", mapping: "entity: Tag\nattributes: {name: code}")
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func repeatedKeysMeanTheSameInNewStoresAndInThoseThatAreThere(size: Int) throws {
        var (assembled, rejected) = (0, 0)
        let seeds = RandomNumbers.seeds(24)
        for seed in seeds {
            let outcome = try checkRepeatedKeys(seed: UInt64(500_000 + size * 10_000 + seed), size: size)
            assembled += outcome.isAssembled ? 1 : 0
            rejected += outcome.rejected
        }
        #expect(seeds.count < 8 || assembled * 8 >= seeds.count && rejected > 0)
    }
}

import ImportTestSupport
import PersistentStores
import RecordSources
import StoreImport
import TestSupport
import Testing

@testable import ImportMappings

/// Records that are rejected when all are read: what others say of the same objects counts as if they had not been there.
@Suite struct TakenBackTests {
    private static let model = PersonModel.entity(
        PersonModel.named,
        more: """
            <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="fans" \
            inverseEntity="Person"/>
            <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
            inverseEntity="Person"/>
            """)

    private static let people = """
        SELECT p.ZNAME, p.ZAGE, b.ZNAME, (SELECT group_concat(f.ZNAME) FROM Z_1FRIENDS j JOIN ZPERSON f
        ON f.Z_PK = j.Z_1FRIENDS WHERE j.Z_1FANS = p.Z_PK) FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
        ORDER BY p.ZNAME
        """

    /// Imports people with a name, an age, a boss and friends, who must be there.
    private func run(
        _ lines: [String], in fixture: ImportFixture, onMatch: MatchPolicy = .update, boss: String = "skip",
        batches: Int = 1000
    ) throws -> ImportReport {
        let mapping = """
            sources:
              - files: people.csv
                entity: Person
                key: name
                onMatch: \(onMatch.rawValue)
                attributes: [name, age]
                relationships:
                  boss: {by: name, from: boss, onMissing: \(boss)}
                  friends: {by: name, from: friends, separator: '|', onMissing: error}

            """
        return try fixture.run(
            "name,age,boss,friends\n" + lines.map { $0 + "\n" }.joined(), as: "people.csv", mapping: mapping,
            options: ImportOptions(limits: RecordBatch.Limits(rows: batches)))
    }

    @Test(arguments: [1, 2, 1000])
    func anObjectThatLeadsToItselfGoesWithTheRecordsThatNameIt(batches: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let report = try run(
            ["a,1,b,nobody", "b,2,b,nobody", "c,3,,"], in: fixture, boss: "create", batches: batches)
        #expect(try fixture.rows(Self.people) == ["c|3|NULL|NULL"])
        #expect(report.rejected == 2)
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 2, 1000])
    func anObjectThatOthersNameKeepsNothingOfARejectedRecord(batches: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let report = try run(["a,1,b,", "b,2,b,nobody"], in: fixture, boss: "create", batches: batches)
        #expect(try fixture.rows(Self.people) == ["a|1|b|NULL", "b|NULL|NULL|NULL"])
        #expect(report.rejected == 1)
        #expect(try fixture.faults() == [])
    }

    /// Each first record, which names "b", is rejected.
    @Test(arguments: [1, 2, 1000])
    func anObjectIsCreatedByItsOwnRecordOrByTheFirstThatNamesIt(batches: Int) throws {
        let cases: [(lines: [String], rows: [String], inserted: Int64, updated: Int64)] = [
            // Its own record comes before the one that names it.
            (["b,2,,", "c,3,b,"], ["b|2|NULL|NULL", "c|3|b|NULL"], 2, 0),
            (["c,3,b,", "b,2,,"], ["b|2|NULL|NULL", "c|3|b|NULL"], 2, 1),
            // Its own record is rejected, too.
            (["b,2,,nobody", "c,3,b,"], ["b|NULL|NULL|NULL", "c|3|b|NULL"], 2, 0),
            (["b,2,,nobody", "c,3,b,", "b,4,,"], ["b|4|NULL|NULL", "c|3|b|NULL"], 2, 1),
            // It names itself.
            (["b,2,b,"], ["b|2|b|NULL"], 1, 0),
        ]
        for (lines, rows, inserted, updated) in cases {
            let fixture = try ImportFixture(entities: Self.model)
            let report = try run(["a,1,b,nobody"] + lines, in: fixture, boss: "create", batches: batches)
            #expect(try fixture.rows(Self.people) == rows)
            let people = try #require(report.entities.first { $0.entity == "Person" })
            #expect([people.inserted, people.updated] == [inserted, updated], "\(lines)")
            #expect(try fixture.faults() == [])
        }
    }

    /// The first record is rejected, so that "b" does not exist when the second record changes it.
    @Test(arguments: [1, 2, 1000], [NewStoreWriter.auto, .sqlite])
    func aRecordThatNeedsAnObjectDoesNotChangeWhatALaterOneCreates(batches: Int, writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.model)
        func source(_ file: String, _ more: String) -> String {
            "  - {files: \(file), entity: Person, key: name, attributes: [name, age]\(more)}\n"
        }
        let boss = "boss: {by: name, from: boss, onMissing: create}"
        let mapping =
            "sources:\n"
            + source("first.csv", ", relationships: {\(boss), friends: {by: name, from: friends, onMissing: error}}")
            + source("second.csv", ", onMissing: error") + source("third.csv", ", relationships: {\(boss)}")
        let files = [
            try fixture.write("name,age,boss,friends\na,1,b,nobody\n", as: "first.csv"),
            try fixture.write("name,age\nb,2\n", as: "second.csv"),
            try fixture.write("name,age,boss\nc,3,b\n", as: "third.csv"),
        ]
        var options = ImportOptions(limits: RecordBatch.Limits(rows: batches))
        options.writer = writer
        let report = try fixture.run(
            files, .mapping(try ImportMapping(yaml: "import: 1\n" + mapping)), options: options)
        #expect(report.rejected == 2)
        #expect(try fixture.rows(Self.people) == ["b|NULL|NULL|NULL", "c|3|b|NULL"])
    }

    @Test(arguments: [1, 2, 1000])
    func aRecordThatMustBeNewCountsWhereTheOneBeforeItIsRejected(batches: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let lines = ["b,,,", "a,1,b,nobody", "a,2,b,b", "a,3,,", "c,4,,", "c,5,,", "d,6,a,nobody", "d,7,,a"]
        let report = try run(lines, in: fixture, onMatch: .error, batches: batches)
        #expect(try fixture.rows(Self.people) == ["a|2|b|b", "b|NULL|NULL|NULL", "c|4|NULL|NULL", "d|7|NULL|a"])
        #expect(report.rejected == 4)
        let people = try #require(report.entities.first { $0.entity == "Person" })
        #expect(people.inserted == 4 && people.skipped == 0 && people.rejected == 4 && people.related == 3)
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 1000])
    func aRecordThatMayChangeOnlyWhatIsThereIsSkippedWhereThatGoes(batches: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let mapping = """
            sources:
              - files: people.csv
                entity: Person
                key: name
                attributes: [name, age]
                relationships:
                  friends: {by: name, from: friends, separator: '|', onMissing: error}
              - files: changes.csv
                entity: Person
                key: name
                onMissing: skip
                attributes: [name, age]
                relationships:
                  friends: {by: name, from: friends, separator: '|', onMissing: skip, add: true}

            """
        let files = [
            try fixture.write("name,age,friends\na,1,nobody\nb,2,\n", as: "people.csv"),
            try fixture.write("name,age,friends\na,3,b\nb,4,a\n", as: "changes.csv"),
        ]
        let report = try fixture.run(
            files, .mapping(try ImportMapping(yaml: "import: 1\n" + mapping)),
            options: ImportOptions(limits: RecordBatch.Limits(rows: batches)))
        #expect(try fixture.rows(Self.people) == ["b|4|NULL|NULL"])
        #expect(report.rejected == 1 && report.unresolvedLinks == 1)
        let people = try #require(report.entities.first { $0.entity == "Person" })
        #expect(people.inserted == 1 && people.updated == 1 && people.skipped == 1 && people.related == 0)
        #expect(try fixture.faults() == [])
    }

    private static let keys = """
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="code" optional="YES" attributeType="Integer 16"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="fans" \
        inverseEntity="Person"/>
        <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
        inverseEntity="Person"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints></entity>
        """

    /// Imports people with a code that no two may have, and friends who must be there, into a store where a has 1 and b has 2.
    private func runUnique(_ lines: [String], batches: Int) throws -> (report: ImportReport, people: [String]) {
        let fixture = try ImportFixture(entities: Self.keys)
        let mapping = """
            sources:
              - files: people.csv
                entity: Person
                key: name
                attributes: [name, code]
                relationships:
                  friends: {by: name, from: friends, separator: '|', onMissing: error}

            """
        try fixture.run("name,code,friends\na,1,\nb,2,\n", as: "people.csv", mapping: mapping)
        let report = try fixture.run(
            "name,code,friends\n" + lines.map { $0 + "\n" }.joined(), as: "people.csv", mapping: mapping,
            options: ImportOptions(limits: RecordBatch.Limits(rows: batches)))
        #expect(try fixture.faults() == [])
        return (report, try fixture.rows("SELECT ZNAME, ZCODE FROM ZPERSON ORDER BY ZNAME"))
    }

    @Test(arguments: [1, 2, 1000])
    func aRecordIsRejectedWhoseValueAnotherObjectHasAgain(batches: Int) throws {
        let (report, people) = try runUnique(["a,3,nobody", "c,1,", "d,4,", "e,5,c"], batches: batches)
        // Without the first record, the code of the second one would not have been free; and e needs c.
        #expect(people == ["a|1", "b|2", "d|4"])
        #expect(report.rejected == 3)
        #expect(report.firstRejections.count { $0.contains("[1551]") } == 1)
    }

    @Test(arguments: [1, 2, 1000])
    func valuesThatWentRoundAreThereAgain(batches: Int) throws {
        let (report, people) = try runUnique(["a,3,nobody", "b,1,", "c,2,", "d,4,"], batches: batches)
        #expect(people == ["a|1", "b|2", "d|4"])
        #expect(report.rejected == 3)
    }
}

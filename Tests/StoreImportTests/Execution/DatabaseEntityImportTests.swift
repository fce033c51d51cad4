import SQLiteAccess
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// Databases that are imported without a mapping: nothing is applied that only a look at their values suggests.
@Suite struct DatabaseEntityImportTests {
    private func run(_ entities: String, _ sql: String, _ request: EntityRequest) throws -> (
        fixture: ImportFixture, report: ImportReport
    ) {
        let fixture = try ImportFixture(entities: entities)
        let path = fixture.directory.file("source.db")
        let connection = try Connection(path: path, access: .create)
        defer { try? connection.close() }
        try connection.execute(sql)
        return (fixture, try fixture.run([path], .entity(request)))
    }

    private static let person = DraftFixture.entity("Person", "name", "age:Integer 32", "born:Date")

    @Test func aValueThatDoesNotFitRejectsItsRecordNotItsColumn() throws {
        let values = (1...10).map { "('p\($0)', '\($0 == 7 ? "old" : "\($0)")')" }.joined(separator: ",")
        let (fixture, report) = try run(
            Self.person, "CREATE TABLE person (name, age); INSERT INTO person VALUES \(values)",
            EntityRequest(entity: "Person"))
        #expect(report.rejected == 1)
        #expect(report.firstRejections.first?.contains("old") == true)
        #expect(try fixture.rows("SELECT count(*), count(ZAGE) FROM ZPERSON") == ["9|9"])
    }

    @Test func aColumnThatIsUniqueInTheFirstRowsIsNoKey() throws {
        let values = (0..<1200).map { "('p\($0 % 1000)', \($0))" }.joined(separator: ",")
        let (fixture, report) = try run(
            Self.person, "CREATE TABLE person (name, age); INSERT INTO person VALUES \(values)",
            EntityRequest(entity: "Person"))
        #expect(report.entities.map(\.inserted) == [1200] && !report.hasFindings)
        #expect(try fixture.rows("SELECT count(*) FROM ZPERSON") == ["1200"])
    }

    @Test func wordsForNoValueAndFormsOfDatesAreNotGuessed() throws {
        let (fixture, report) = try run(
            Self.person,
            "CREATE TABLE person (name, age, born); INSERT INTO person VALUES ('n/a', 1, NULL), ('b', 'n/a', NULL), "
                + "('c', 3, '31.12.1999'), ('d', 4, '1999-12-31')", EntityRequest(entity: "Person"))
        #expect(report.rejected == 2)
        #expect(try fixture.rows("SELECT ZNAME FROM ZPERSON ORDER BY 1") == ["d", "n/a"])
    }

    @Test func columnsOfASimilarNameAreReportedNotFilledIn() throws {
        let (fixture, report) = try run(
            Self.person,
            "CREATE TABLE person (id INTEGER PRIMARY KEY, title, AGE); INSERT INTO person VALUES (1, 'x', 3)",
            EntityRequest(entity: "Person"))
        #expect(report.findings.count == 1 && report.findings[0].hasSuffix("the name of these columns: title"))
        #expect(try fixture.rows("SELECT ZNAME, ZAGE FROM ZPERSON") == ["NULL|3"])
    }

    @Test func theKeyIsThatOfTheModelOrTheOneThatIsAskedFor() throws {
        let sql = "CREATE TABLE person (name UNIQUE, age); INSERT INTO person VALUES ('a', 1), ('b', 1)"
        #expect(
            try run(Self.person, sql, EntityRequest(entity: "Person", key: ["age"])).report.entities[0].inserted == 1)
        let keyed = DraftFixture.entity("Person", "name", "age:Integer 32", more: DraftFixture.unique("age"))
        #expect(try run(keyed, sql, EntityRequest(entity: "Person")).report.entities[0].inserted == 1)
        let (fixture, _) = try run(Self.person, sql, EntityRequest(entity: "Person"))
        _ = try fixture.run([fixture.directory.file("source.db")], .entity(EntityRequest(entity: "Person")))
        #expect(try fixture.rows("SELECT count(*) FROM ZPERSON") == ["4"])
    }

    @Test func aTableThatIsCalledAsTheEntityIsItAlone() throws {
        let (fixture, report) = try run(
            Self.person,
            "CREATE TABLE old_person (name, age); INSERT INTO old_person VALUES ('x', 1); "
                + "CREATE TABLE people (name, age); INSERT INTO people VALUES ('a', 1)", EntityRequest(entity: "Person")
        )
        #expect(report.sources.map(\.part) == ["people"])
        #expect(try fixture.rows("SELECT ZNAME FROM ZPERSON") == ["a"])
    }

    @Test func aRowOfMoreBytesThanARecordMayHaveIsRejected() throws {
        let fixture = try ImportFixture(entities: Self.person)
        let path = fixture.directory.file("source.db")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES ('123', '45'), ('123', '456'), ('1', '2')")
        try connection.close()
        var limits = RecordLimits()
        limits.bytes = 5
        var source = try SQLiteSource(path: path, selection: .relation("t"), limits: limits)
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        #expect((0..<batch.count).map { batch.problem(of: $0)?.code } == [nil, .tooLarge, nil])
        #expect(batch.problem(of: 1)?.byteCount == 6)
        #expect(batch.text(of: batch.field(1, of: 2)) == "2")
    }
}

import ImportMappings
import ImportTestSupport
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreImport

/// Values of databases have types, and NULL of their own.
@Suite struct DatabaseValueTests {
    private let fixture: ImportFixture
    private let path: String

    init() throws {
        fixture = try ImportFixture(
            entities: DraftFixture.entity("Thing", "name", "size:Integer 32", "weight:Float", "data:Binary"))
        path = fixture.directory.file("things.db")
    }

    private func run(_ sql: String, _ mapping: String) throws -> ImportReport {
        let connection = try Connection(path: path, access: .create)
        defer { try? connection.close() }
        try connection.execute(sql)
        return try fixture.run(
            [path], .mapping(ImportMapping(yaml: "import: 1\ntable: thing\nentity: Thing\n" + mapping)))
    }

    @Test(arguments: [
        ("where: {size: 1}", ["a", "d"]), ("where: {size: [2, 1.5]}", ["b", "c"]),
        ("where: {size: {not: 1}}", ["b", "c", "e"]), ("where: {size: '1.0'}", ["a", "d"]),
        ("where: {size: 9007199254740993}", ["e"]), ("where: {name: a}", ["a"]), ("where: {size: x}", []),
    ])
    func filtersCompareNumbersAsNumbers(_ filter: String, _ names: [String]) throws {
        _ = try run(
            """
            CREATE TABLE thing (name, size);
            INSERT INTO thing VALUES ('a', 1), ('b', 2), ('c', 1.5), ('d', 1.0), ('e', 9007199254740993);
            """, filter + "\nattributes: {name: name}")
        #expect(try fixture.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == names)
    }

    @Test func textsOfSeveralColumnsHaveTheDigitsOfNumbers() throws {
        let report = try run(
            "CREATE TABLE thing (a, b, c); INSERT INTO thing VALUES (-7, 2.5, 'x'), (9223372036854775807, 1e300, NULL)",
            "attributes: {name: {text: '{a}/{b}/{c}'}}")
        #expect(!report.hasFindings)
        #expect(
            try fixture.rows("SELECT ZNAME FROM ZTHING ORDER BY 1") == ["-7/2.5/x", "9223372036854775807/1e+300/"])
    }

    @Test(arguments: [
        ("attributes: {name: name}", ["", "NULL", "\\N", "n/a"]),
        ("settings: {nullTokens: n/a}\nattributes: {name: name}", ["", "NULL", "NULL", "\\N"]),
        ("settings: {emptyAsNull: always}\nattributes: {name: name}", ["NULL", "NULL", "\\N", "n/a"]),
    ])
    func emptyTextsAreNoNulls(_ mapping: String, _ names: [String]) throws {
        let report = try run(
            "CREATE TABLE thing (name); INSERT INTO thing VALUES (''), (NULL), ('\\N'), ('n/a')", mapping)
        #expect(report.rejected == 0)
        #expect(try fixture.rows("SELECT ZNAME FROM ZTHING").sorted() == names)
    }

    @Test func infinityIsAFloat() throws {
        let report = try run(
            "CREATE TABLE thing (weight); INSERT INTO thing VALUES (9e999), (-9e999), (1e39)",
            "attributes: {weight: weight}")
        #expect(report.rejected == 1)
        #expect(report.firstRejections.first?.contains("\"1e+39\"") == true, "\(report.firstRejections)")
        #expect(try fixture.rows("SELECT ZWEIGHT > 1e308, ZWEIGHT < -1e308 FROM ZTHING ORDER BY 1") == ["0|1", "1|0"])
    }

    @Test(arguments: ["base64", "hex"]) func numbersAreNoBinaryData(_ form: String) throws {
        let report = try run(
            "CREATE TABLE thing (data); INSERT INTO thing VALUES (1704103200), (1.5), ('QUI='), (x'4142'), ('4142')",
            "settings: {binary: \(form)}\nattributes: {data: data}")
        #expect(report.rejected == (form == "base64" ? 2 : 3))
        #expect(report.firstRejections.first?.contains("1704103200") == true, "\(report.firstRejections)")
        #expect(
            try fixture.rows("SELECT hex(ZDATA) FROM ZTHING ORDER BY 1")
                == (form == "base64" ? ["4142", "4142", "E35E36"] : ["4142", "4142"]))
    }

    @Test func numbersAndBooleansOfJSONAreNoBinaryData() throws {
        let file = try fixture.write(#"[{"data": true}, {"data": 17041032}, {"data": "QUI="}]"#, as: "things.json")
        let report = try fixture.run(
            [file], .mapping(ImportMapping(yaml: "import: 1\nentity: Thing\nattributes: {data: data}")))
        #expect(report.rejected == 2)
        #expect(try fixture.rows("SELECT hex(ZDATA) FROM ZTHING") == ["4142"])
    }
}

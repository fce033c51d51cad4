import Foundation
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Values that are computed from columns, and sources with lines before their header.
@Suite struct ExpressionImportTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Item"><attribute name="code" attributeType="String"/>
                <attribute name="total" optional="YES" attributeType="Decimal"/>
                <attribute name="count" optional="YES" attributeType="Integer 32"/>
                <attribute name="kind" optional="YES" attributeType="String"/>
                <attribute name="seen" optional="YES" attributeType="Date"/></entity>
                """)
    }

    private static let mapping = """
        entity: Item
        key: code
        attributes:
          code: {expression: 'uppercase:(code)'}
          total: {expression: 'price * amount', columns: {price: Price (EUR)}}
          count: {expression: 'amount + 1'}
          kind: {expression: 'TERNARY(amount > 9, "many", "few")'}
        """

    @Test func expressionsOverColumnsOfText() throws {
        let text = "code,Price (EUR),amount\na007,1.10,3\nb,0.1,10\nc,,\n"
        for _ in 0..<2 {
            let report = try fixture.run(text, as: "i.csv", mapping: Self.mapping)
            #expect(report.rejected == 0)
        }
        #expect(
            try fixture.rows("SELECT ZCODE, ZTOTAL, ZCOUNT, ZKIND FROM ZITEM ORDER BY 1")
                == ["A007|3.3|4|many", "B|1|11|many", "C|NULL|NULL|few"].map {
                    $0.replacingOccurrences(of: "4|many", with: "4|few")
                })
    }

    @Test func whatAnExpressionCannotComputeRejectsItsRecord() throws {
        let report = try fixture.run("code,Price (EUR),amount\na,x,3\nb,2,4\n", as: "i.csv", mapping: Self.mapping)
        #expect(report.rejected == 1)
        #expect(try fixture.rows("SELECT ZCODE, ZTOTAL FROM ZITEM") == ["B|8"])
    }

    /// The reason is the expression's, with the values that it is computed of.
    @Test(arguments: [
        ("count: {expression: 'amount + 1'}", "9223372036854775807", "does not fit", "amount", "9223372036854775807"),
        ("count: {expression: 'amount * 1'}", "x", "computed", "amount", "x"),
        ("total: {expression: 'price * amount', columns: {price: p}}", "y", "computed", "p, amount", "2, y"),
        ("count: {expression: 'CAST(amount, \"NSNumber\")'}", "z", "computed", "amount", "z"),
    ])
    func whyItCannotBeComputedIsSaid(
        attribute: String, text: String, words: String, column: String, value: String
    ) throws {
        var options = ImportOptions()
        options.rejectsDirectory = fixture.directory.file("rejects")
        let report = try fixture.run(
            "code,p,amount\na,2,\(text)\nb,3,4\n", as: "i.csv",
            mapping: "entity: Item\nkey: code\nattributes:\n  code: code\n  \(attribute)\n", options: options)
        #expect(report.rejected == 1)
        let log = try String(contentsOfFile: fixture.directory.file("rejects/rejects.ndjson"), encoding: .utf8)
        #expect(log.contains("\"message\":\"the expression cannot be computed: "), "\(log)")
        #expect(!log.contains("object or list") && log.contains(words), "\(log)")
        #expect(log.contains("\"column\":\"\(column)\"") && log.contains("\"value\":\"\(value)\""), "\(log)")
    }

    /// Neither a text nor a list is taken for an expression that has failed, whatever is in it; and all of a text is the
    /// value that one has failed on.
    @Test func noValueLooksLikeAFailure() throws {
        var options = ImportOptions()
        options.rejectsDirectory = fixture.directory.file("rejects")
        let report = try fixture.run(
            #"[{"code": "a", "n": "x\u0000y\u0000z"}, {"code": "b", "n": 1, "k": ["x\u0000y\u0000z", "c"]}, "#
                + #"{"code": "c", "n": 2, "k": "x\u0000y\u0000z"}, {"code": "d", "n": {"m": 1}}]"#,
            as: "i.json",
            mapping: "entity: Item\nkey: code\nattributes:\n  code: code\n  kind: k\n  count: {expression: 'n + 1'}\n",
            options: options)
        #expect(report.rejected == 2)
        let log = try String(contentsOfFile: fixture.directory.file("rejects/rejects.ndjson"), encoding: .utf8)
        let lines = log.split(separator: "\n")
        #expect(lines.count { $0.contains(#""value":"x\\x00y\\x00z""#) && $0.contains("cannot be computed") } == 1)
        #expect(lines.count { $0.contains("an object or list where a single value is expected") } == 1, "\(log)")
        #expect(try fixture.rows("SELECT ZCODE, ZCOUNT FROM ZITEM ORDER BY 1") == ["c|3", "d|NULL"])
    }

    @Test func aLinkWhoseKeyCannotBeComputedSaysWhy() throws {
        let other = try ImportFixture(
            entities: PersonModel.entity(
                "<attribute name=\"number\" optional=\"YES\" attributeType=\"Integer 64\"/>"))
        let report = try other.run(
            "n,b\n1,9223372036854775807\n2,0\n", as: "i.csv",
            mapping: """
                entity: Person
                key: number
                attributes: {number: n}
                relationships: {boss: {by: number, expression: 'b + 1'}}
                """)
        #expect(report.rejected == 1)
        #expect(report.description.contains("the expression cannot be computed: "), "\(report)")
        #expect(report.description.contains("(b is \"9223372036854775807\")"), "\(report)")
        #expect(try other.rows("SELECT ZNUMBER FROM ZPERSON") == ["2"])
    }

    @Test func anExpressionOverJSONNumbers() throws {
        try fixture.run(
            #"[{"code": "a", "Price (EUR)": 2.5, "amount": 4}]"#, as: "i.json",
            mapping: Self.mapping.replacingOccurrences(of: "Price (EUR)", with: "'\"Price (EUR)\"'"))
        #expect(try fixture.rows("SELECT ZCODE, ZTOTAL, ZCOUNT FROM ZITEM") == ["A|10|5"])
    }

    @Test func linesBeforeTheHeaderArePassedOverAndKeptWithTheRejectedRecords() throws {
        var options = ImportOptions()
        options.rejectsDirectory = fixture.directory.file("rejects")
        let report = try fixture.run(
            "Report of today\r\n\r\ncode,count\r\na,1\r\nb,x\r\n", as: "i.csv",
            mapping: "skipLines: 2\nentity: Item\nkey: code\nattributes: [code, count]\n", options: options)
        #expect(report.rejected == 1)
        #expect(report.firstRejections.first?.contains("i.csv:5:") ?? false)
        #expect(try fixture.rows("SELECT ZCODE, ZCOUNT FROM ZITEM") == ["a|1"])
        let bad = try String(contentsOfFile: fixture.directory.file("rejects/i.rejected.csv"), encoding: .utf8)
        #expect(bad == "Report of today\r\n\r\ncode,count\r\nb,x\r\n")
    }

    @Test func nowIsOneMomentForTheWholeRun() throws {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 1))
        options.now = 700_000_000.5
        let report = try fixture.run(
            "code\na\nb\nc\n", as: "i.csv",
            mapping: """
                entity: Item
                key: code
                attributes:
                  code: code
                  seen: {expression: 'now()', date: dd.MM.yyyy}
                """, options: options)
        #expect(report.rejected == 0)
        #expect(try fixture.rows("SELECT DISTINCT ZSEEN FROM ZITEM") == ["700000000.5"])
        // Without a moment it is the start of the run.
        #expect(ImportOptions().now > 800_000_000)
    }
}

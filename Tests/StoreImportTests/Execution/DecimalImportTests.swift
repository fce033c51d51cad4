import SQLiteAccess
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// Decimals, which stores hold as whole numbers of 64 bits or as doubles.
@Suite struct DecimalImportTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Rate"><attribute name="value" optional="YES" attributeType="Decimal"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="uses" optional="YES" toMany="YES" destinationEntity="Use" inverseName="rate" \
                inverseEntity="Use"/></entity>
                <entity name="Use"><attribute name="number" attributeType="Integer 32"/>
                <relationship name="rate" optional="YES" maxCount="1" destinationEntity="Rate" inverseName="uses" \
                inverseEntity="Rate"/></entity>
                """)
    }

    @Test(arguments: [
        ("0.1", "0.1", false), ("-007.50", "-7.5", false), ("123456789012345", "123456789012345", false),
        ("9007199254740993", "9007199254740993", false), ("9223372036854775807", "9223372036854775807", false),
        ("1e20", "1e+20", false), ("0.30000000000000004", "0.30000000000000004", false),
        ("9223372036854775809", "9.223372036854776e+18", true), ("9007199254740993.5", "9007199254740994", true),
        ("0.1234567890123456789", "0.12345678901234568", true), ("12345678901234.5678", "12345678901234.568", true),
        ("0.3000000000000000000000000000001", "0.3", true), ("1.000000000000000000000000000", "1", false),
    ])
    func aDecimalIsStoredAsTheNumberThatSQLiteHoldsOneWithOtherDigitsIsCounted(
        text: String, stored: String, isRounded: Bool
    ) throws {
        let report = try fixture.run(
            "name,value\na,\(text)\n", as: "r.csv", mapping: "entity: Rate\nkey: name\nattributes: [name, value]\n")
        #expect(report.roundedDecimals == (isRounded ? 1 : 0))
        #expect(report.hasFindings == isRounded)
        #expect(report.findings.contains { $0.contains("r.csv:2: Rate.value") } == isRounded)
        #expect(try fixture.rows("SELECT ZVALUE FROM ZRATE") == [stored])
        let again = try fixture.run(
            "name,value\na,\(text)\n", as: "r.csv", mapping: "entity: Rate\nkey: name\nattributes: [name, value]\n")
        #expect(again.entities.first?.unchanged == 1)
    }

    @Test(arguments: [1, 1000], [1, 1000])
    func aDecimalKeyFindsItsObjectInWhateverFormItComesAndWhateverIsInMemory(
        rows: Int, memory: Int
    ) throws {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.fixedLimits.cachedObjects = memory
        let rates = "value,name\n9007199254740993,a\n0.30,b\n1e20,c\n12345.678901234,d\n7,e\n"
        let mapping = "entity: Rate\nkey: value\nattributes: [name, value]\n"
        for text in [
            rates, rates,
            "value,name\n+9007199254740993,a\n3e-1,b\n100000000000000000000.0,c\n012345.6789012340,d\n7.0,e\n",
        ] {
            try fixture.run(text, as: "r.csv", mapping: mapping, options: options)
            #expect(try fixture.rows("SELECT count(*) FROM ZRATE") == ["5"])
        }
        let report = try fixture.run(
            "number,rate\n1,+9007199254740993\n2,0.3\n3,1E+20\n4,12345.6789012340\n5,7.00\n6,8.5\n7,8.50\n",
            as: "u.csv",
            mapping: """
                entity: Use
                key: number
                attributes: [number]
                relationships: {rate: {by: value, from: rate, onMissing: create}}
                """, options: options)
        #expect(report.rejected == 0)
        #expect(
            try fixture.rows("SELECT u.ZNUMBER, r.ZNAME FROM ZUSE u JOIN ZRATE r ON r.Z_PK = u.ZRATE ORDER BY 1")
                == ["1|a", "2|b", "3|c", "4|d", "5|e", "6|NULL", "7|NULL"])
        #expect(try fixture.rows("SELECT count(*) FROM ZRATE") == ["6"])
    }

    @Test func aKeyWithMoreDigitsThanAreStoredRejectsItsRecord() throws {
        let report = try fixture.run(
            "value,name\n0.1234567890123456789,a\n0.5,b\n", as: "r.csv",
            mapping: "entity: Rate\nkey: value\nattributes: [name, value]\n")
        #expect(report.rejected == 1 && report.roundedDecimals == 0)
        let uses = try fixture.run(
            "number,rate\n1,0.1234567890123456789\n2,0.5\n", as: "u.csv",
            mapping: """
                entity: Use
                key: number
                attributes: [number]
                relationships: {rate: {by: value, from: rate, onMissing: create}}
                """)
        #expect(uses.rejected == 1)
        #expect(uses.firstRejections.first?.contains("more digits than a store keeps") == true)
        #expect(try fixture.rows("SELECT ZNAME FROM ZRATE") == ["b"])
    }
}

import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Two mappings of one entity in one source: records count in their order, whatever the batches.
@Suite struct SeveralMappingsTests {
    @Test(arguments: RandomNumbers.seeds(12), [MatchPolicy.update, .fill, .skip])
    func recordsCountInTheirOrderWhateverTheBatches(seed: Int, policy: MatchPolicy) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let entities = """
            <entity name="Person"><attribute name="name" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 16"/></entity>
            """
        let mapping = """
            objects:
              - {entity: Person, key: name, attributes: {name: mother, age: m}}
              - {entity: Person, key: name, onMatch: \(policy.rawValue), attributes: {name: father, age: f}}

            """
        func person() -> (name: String, age: Int?) {
            (
                "p\(Int.random(in: 0..<6, using: &random))",
                Bool.random(using: &random) ? Int.random(in: 1..<90, using: &random) : nil
            )
        }
        let records = (0..<20).map { _ in (mother: person(), father: person()) }
        var expected: [String: Int?] = [:]
        for record in records {
            expected[record.mother.name] = .some(record.mother.age)
            let (name, age) = record.father
            switch (expected[name], policy) {
            case (nil, _), (_, .update): expected[name] = .some(age)
            case (.some(nil), .fill): expected[name] = .some(age)
            default: break
            }
        }
        let text =
            "mother,m,father,f\n"
            + records.map { record in
                func field(_ age: Int?) -> String { age.map(String.init) ?? "" }
                return
                    "\(record.mother.name),\(field(record.mother.age)),\(record.father.name),\(field(record.father.age))\n"
            }.joined()
        for rows in [1, 2, 3, 7, 40] {
            for commit in ImportOptions.Commit.allCases {
                let fixture = try ImportFixture(entities: entities)
                let options = ImportOptions(limits: RecordBatch.Limits(rows: rows), commit: commit)
                let report = try fixture.run(text, as: "people.csv", mapping: mapping, options: options)
                #expect(report.sources[0].records == 20)
                #expect(
                    try fixture.rows("SELECT ZNAME, ZAGE FROM ZPERSON ORDER BY 1")
                        == expected.sorted { $0.key < $1.key }.map {
                            "\($0.key)|\($0.value.map(String.init) ?? "NULL")"
                        },
                    "\(rows) rows")
            }
        }
    }

    @Test func mappingsThatSayNothingButKeysNeedNoOrder() throws {
        let fixture = try ImportFixture(
            entities: "<entity name=\"Airport\"><attribute name=\"code\" attributeType=\"String\"/></entity>")
        let mapping = """
            objects:
              - {entity: Airport, key: code, onMatch: skip, attributes: {code: From}}
              - {entity: Airport, key: code, onMatch: skip, attributes: {code: To}}

            """
        var batches = 0
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 100))
        options.onCheckpoint = { if $0 == "batch imported" { batches += 1 } }
        try fixture.run("From,To\nA,B\nB,C\nC,A\n", as: "flights.csv", mapping: mapping, options: options)
        #expect(batches == 1)
        #expect(try fixture.rows("SELECT ZCODE FROM ZAIRPORT ORDER BY 1") == ["A", "B", "C"])
    }
}

import Foundation
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// JSON objects whose members are records, each with its key.
@Suite struct KeyedRecordTests {
    private static let entities =
        DraftFixture.entity("Currency", "code", "name", "digits:Integer 16", more: DraftFixture.unique("code"))
    private static let text = """
        {"base": {"x": 1}, "currencies": {
          "EUR": {"name": "Euro", "digits": 2},
          "J\\u0050Y" : {"name": "Yen", "digits": 0},
          "BAD": {"name": "x", "digits": "many"},
          "USD"
            : {"name": "Dollar", "digits": 2}
        }, "later": [1]}
        """

    private func mapping(_ yaml: String) throws -> ImportMapping {
        try ImportMappingReader.read(bytes: Array("import: 1\n\(yaml)\n".utf8), name: "m.yaml").mapping
    }

    private static let attributes = "entity: Currency\nattributes: {code: '@key', name: name, digits: digits}"

    @Test(arguments: [1, 2, 1000], [false, true])
    func membersAreRecordsAndWhatIsRejectedCanBeImportedAgain(rows: Int, isRoot: Bool) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let inner = try #require(Self.text.range(of: "\\{\\s+\"EUR\"[\\s\\S]*\\},", options: .regularExpression))
        let text = isRoot ? String(Self.text[inner].dropLast()) : Self.text
        let source = try fixture.write(text, as: "currencies.json")
        let mapping = try mapping("records: '\(isRoot ? "*" : "currencies.*")'\n" + Self.attributes)
        let folder = fixture.directory.file("rejects")
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.rejectsDirectory = folder
        let report = try fixture.run([source], .mapping(mapping), options: options)
        #expect(report.rejected == 1 && report.findings == [])
        #expect(
            try fixture.rows("SELECT ZCODE, ZNAME, ZDIGITS FROM ZCURRENCY ORDER BY 1")
                == ["EUR|Euro|2", "JPY|Yen|0", "USD|Dollar|2"])
        let rejected = folder + "/currencies.rejected.json"
        let mended = try String(contentsOfFile: rejected, encoding: .utf8).replacingOccurrences(
            of: "\"many\"", with: "3")
        #expect(mended.contains("\"BAD\""))
        let again = try fixture.run([try fixture.write(mended, as: "mended.json")], .mapping(mapping))
        #expect(!again.hasFindings)
        #expect(try fixture.rows("SELECT ZDIGITS FROM ZCURRENCY WHERE ZCODE = 'BAD'") == ["3"])
    }

    @Test func recordsBelowKeysAreRejectedWithTheseKeysAroundThem() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let source = try fixture.write(
            #"{"d\u0061ta": {"größe": [{"code": "A", "digits": "x"}, {"code": "B", "digits": 1}]}}"#, as: "c.json")
        let mapping = try mapping("records: data.größe\nentity: Currency\nattributes: {code: code, digits: digits}")
        let folder = fixture.directory.file("rejects")
        var options = ImportOptions()
        options.rejectsDirectory = folder
        #expect(try fixture.run([source], .mapping(mapping), options: options).rejected == 1)
        let again = try fixture.run([folder + "/c.rejected.json"], .mapping(mapping))
        #expect(again.sources[0].records == 1 && again.rejected == 1)
    }

    @Test func membersOfAPartArePartsObjectsAndSingleValuesAlike() throws {
        let rates =
            "<relationship name='rates' optional='YES' toMany='YES' destinationEntity='Rate' inverseName='base' "
            + "inverseEntity='Base'/>"
        let base =
            "<relationship name='base' optional='YES' maxCount='1' destinationEntity='Base' inverseName='rates' "
            + "inverseEntity='Base'/>"
        let fixture = try ImportFixture(
            entities: DraftFixture.entity("Base", "name", more: rates)
                + DraftFixture.entity("Rate", "code", "value:Double", more: base))
        let source = try fixture.write(
            #"[{"name": "a", "rates": {"EUR": 1.5, "USD": 2}}, {"name": "b", "rates": {}}]"#, as: "rates.json")
        let mapping = try mapping(
            "entity: Base\nattributes: {name: name}\nrelationships:\n  rates: {each: 'rates.*', entity: Rate, "
                + "attributes: {code: '@key', value: .}}")
        #expect(try !fixture.run([source], .mapping(mapping)).hasFindings)
        let rows = try fixture.rows("SELECT ZCODE, ZVALUE FROM ZRATE ORDER BY 1")
        #expect(rows == ["EUR|1.5", "USD|2.0"])
        // The whole document as one record.
        let whole = try fixture.write(#"{"EUR": {"v": 7}, "@key": {"v": 8}}"#, as: "whole.json")
        let each = try self.mapping(
            "layout: concatenated\nobjects:\n- {id: r, each: '*', entity: Rate, attributes: {code: '@key', value: v}}")
        #expect(try fixture.run([whole], .mapping(each)).entities.map(\.inserted) == [2])
        #expect(try fixture.rows("SELECT ZCODE FROM ZRATE WHERE ZVALUE > 6 ORDER BY 1") == ["@key", "EUR"])
    }

    @Test(arguments: [
        #"{"A": {"x": 1} "B": {}}"#, #"{"A" {"x": 1}}"#, #"{A: 1}"#, #"{"A": {"x": 1}"#, "[]",
    ])
    func anObjectThatIsNotOneIsAnErrorWithItsPlace(text: String) throws {
        var options = JSONOptions()
        options.recordPath = "*"
        #expect(throws: SourceError.self) {
            var source = try JSONSource(ByteInput(bytes: Array(text.utf8), name: "t.json"), options: options)
            var batch = RecordBatch()
            while try source.next(into: &batch) {}
        }
    }

    @Test(arguments: [("*", ""), ("rates.*", "rates"), ("rates.day.*", "rates.day")])
    func draftsFindThem(records: String, below: String) throws {
        let fixture = try DraftFixture(Self.entities)
        let members = (0..<5).map { #""C\#($0)": {"name": "n\#($0)", "digits": \#($0)}"# }.joined(separator: ",\n")
        let keys = below.split(separator: ".")
        let text = keys.map { "{\"\($0)\": " }.joined() + "{\(members)}" + keys.map { _ in "}" }.joined()
        let source = try fixture.fixture.write(text, as: "currencies.json")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources[0].format.records == records)
        #expect(
            draft.mapping.sources[0].objects[0].attributes.first { $0.attribute == "code" }?.value == .column("@key"))
        #expect(try fixture.run([source]).entities.map(\.inserted) == [5])
        #expect(try fixture.fixture.rows("SELECT ZCODE FROM ZCURRENCY WHERE ZDIGITS = 3") == ["C3"])
    }

    @Test func aDraftOfManyMembersTakesATimeThatGrowsWithTheirNumber() throws {
        let fixture = try DraftFixture(Self.entities)
        let members = (0..<2000).map { #""C\#($0)": {"name": "n", "digits": 1, "k\#($0)": {"a": 1}}"# }
        let source = try fixture.fixture.write("{\(members.joined(separator: ","))}", as: "currencies.json")
        #expect(try fixture.draft([source]).mapping.sources[0].format.records == "*")
    }
}

import Foundation
import StoreImport
import Testing

@testable import ImportMappings
@testable import MappingDrafting
@testable import RecordConversion

@Suite struct MappingDrafterTests {
    @Test func columnsAreMatchedWhateverPartsTheirWords() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity(
                "Person", "firstName", "personID", "homeURL", "remoteID", more: DraftFixture.unique("personID")))
        let source = try fixture.fixture.write(
            "First Name,id,HOME_URL,shoe size\nAda,1,http://a/,37\nGrace,2,http://g/,38\n", as: "people.csv")
        let draft = try fixture.draft([source])
        let object = try #require(draft.mapping.sources.first?.objects.first)
        #expect(object.entity == "Person")
        #expect(object.key == ["personID"])
        #expect(
            Dictionary(uniqueKeysWithValues: object.attributes.map { ($0.attribute, $0.value) })
                == ["firstName": .column("First Name"), "personID": .column("id"), "homeURL": .column("HOME_URL")])
        #expect(draft.yaml.contains("#   shoe size: \"37\", \"38\""))
        let report = try fixture.fixture.run([source], .mapping(draft.mapping))
        #expect(report.rejected == 0)
        #expect(
            try fixture.fixture.rows("SELECT ZFIRSTNAME, ZPERSONID FROM ZPERSON ORDER BY 2") == ["Ada|1", "Grace|2"])
    }

    @Test(arguments: [
        "Remote ID,name\nx-1,Ada\nx-2,Bob\nx-3,Cid\nx-4,Dan\n", "name,remote_id\nAda,x-1\n", "NAME\nAda\n",
    ])
    func namesOfPropertiesAboveTextsAreTheHeader(text: String) throws {
        let fixture = try DraftFixture(DraftFixture.entity("Tag", "name", "remoteID"))
        let source = try fixture.fixture.write(text, as: "Tag.csv")
        let report = try fixture.run([source])
        #expect(report.rejected == 0)
        let names = text.count { $0 == "\n" } == 5 ? ["Ada", "Bob", "Cid", "Dan"] : ["Ada"]
        #expect(try fixture.fixture.rows("SELECT ZNAME FROM ZTAG ORDER BY 1") == names)
    }

    @Test func textsThatAreNoNamesAreARecord() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Tag", "name", "remoteID"))
        let text = "Eve,x-0\nAda,x-1\nBob,x-2\nCid,x-3\nDan,x-4\n"
        let draft = try fixture.draft([try fixture.fixture.write(text, as: "Tag.csv")])
        #expect(draft.yaml.contains("5 records seen; delimiter comma, no header"))
    }

    @Test func filesOfEqualColumnsWithTheNamesOfTwoEntitiesAreTwoSources() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Page", "url") + DraftFixture.entity("Visit", "url"))
        let names = ["Page.csv", "Visit-1.csv", "Visit-2.csv"]
        let sources = try names.map { name in
            try fixture.fixture.write("url\nhttps://example.com/\(name)\nhttps://example.com/x\n", as: name)
        }
        let draft = try fixture.draft(sources)
        #expect(draft.mapping.sources.map(\.files) == [["Page.csv"], ["Visit-1.csv", "Visit-2.csv"]])
        #expect(draft.mapping.sources.map { $0.objects[0].entity } == ["Page", "Visit"])
        #expect(try fixture.run(sources).rejected == 0)
        #expect(try fixture.fixture.rows("SELECT count(*) FROM ZVISIT") == ["4"])
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let type: String
        let values: [String]
        let expected: ConversionSettings
        var testDescription: String { "\(type) \(values[0])" }

        init(_ type: String, _ values: [String], _ set: (inout ConversionSettings) -> Void = { _ in }) {
            self.type = type
            self.values = values
            var settings = ConversionSettings()
            set(&settings)
            expected = settings
        }
    }

    static let forms = [
        Form("Date", ["2024-02-29", "2023-01-01T10:00:00Z"]),
        Form("Date", ["29.02.2024", "1.3.2024"]) { $0.date = "dd.MM.yyyy" },
        Form("Date", ["02/29/2024", "03/01/2024"]) { $0.date = "MM/dd/yyyy" },
        Form("Date", ["29/02/2024", "01/03/2024"]) { $0.date = "dd/MM/yyyy" },
        Form("Date", ["1700000000", "1710000000"]) { $0.date = "seconds1970" },
        Form("Date", ["1700000000000", "1710000000123"]) { $0.date = "milliseconds1970" },
        Form("Date", ["Sat, 07 Sep 2002 09:42:31 GMT", "Sun, 08 Sep 2002 00:00:00 +0200"]) {
            $0.date = "EEE, dd MMM yyyy HH:mm:ss Z"
        },
        Form("Date", ["2024-02-29", "N/A"]) { $0.nullTokens = ["N/A", "\\N"] },
        Form("Boolean", ["true", "0", "Y"]),
        Form("Boolean", ["ja", "nein"]) { ($0.yes, $0.no) = (["ja"], ["nein"]) },
        Form("Integer 32", ["1,234,567", "12"]) { $0.groupingSeparator = "," },
        Form("Decimal", ["1.234,5", "0,25"]) { ($0.decimalSeparator, $0.groupingSeparator) = (",", ".") },
        Form("Double", ["1,5", "2"]) { $0.decimalSeparator = "," },
        Form("Double", ["1e3", "-0.5", "NULL"]) { $0.nullTokens = ["NULL", "\\N"] },
        Form("UUID", ["3f2504e0-4f89-41d3-9a0c-0305e82c3301"]),
        Form("Binary", ["c3VyZS4=", "YQ=="]),
        Form("Binary", ["cafe", "00ff"]) { $0.binary = "hex" },
        Form("String", ["NULL", ""]),
    ]

    @Test(arguments: forms) func valuesSayHowTheyAreConverted(_ form: Form) throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "value:\(form.type)", "number:Integer 32"))
        let lines = form.values.enumerated().map { "\($0.offset + 1),\"\($0.element)\"\n" }.joined()
        // Unquoted as well: quoted texts are never NULL.
        let source = try fixture.fixture.write(
            "number,value\n"
                + (form.expected.nullTokens == nil ? lines : lines.replacingOccurrences(of: "\"", with: "")),
            as: "things.csv")
        let draft = try fixture.draft([source])
        let attribute = draft.mapping.sources[0].objects[0].attributes.first { $0.attribute == "value" }
        #expect(attribute?.conversion == form.expected, "\(draft.yaml)")
        #expect(try fixture.run([source]).rejected == 0)
    }

    @Test func whatConvertsInNoWayIsLeftToTheReader() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "born:Date", "number:Integer 32"))
        let source = try fixture.fixture.write("number,born\n1,long ago\n2,never\n", as: "things.csv")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources[0].objects[0].attributes.map(\.attribute) == ["number"])
        #expect(draft.yaml.contains("# born: born"))
        #expect(draft.yaml.contains("\"long ago\": not a date"))
        #expect(try fixture.run([source]).rejected == 0)
    }

    /// Columns with values, by their names, and what attributes get which.
    struct Choice: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let attributes: [String]
        let columns: [(name: String, values: [String])]
        let expected: [String: String]
    }

    static let choices = [
        Choice(
            testDescription: "dates for a date, where two names mean it",
            attributes: ["number:Integer 32", "modified:Date"],
            columns: [
                ("number", ["1", "2"]), ("updated", ["5", "7"]), ("modification_date", ["2024-02-29", "2024-03-01"]),
            ],
            expected: ["number": "number", "modified": "modification_date"]),
        Choice(
            testDescription: "a date for dates, where a name means two attributes",
            attributes: ["number:Integer 32", "created", "creation:Date"],
            columns: [("number", ["1", "2"]), ("created_on", ["2024-02-29", "2024-03-01"])],
            expected: ["number": "number", "creation": "created_on"]),
        Choice(
            testDescription: "a text for texts, where a name means two attributes",
            attributes: ["number:Integer 32", "creation:Date", "created"],
            columns: [("number", ["1", "2"]), ("created_on", ["a rainy day", "a sunny one"])],
            expected: ["number": "number", "created": "created_on"]),
        Choice(
            testDescription: "numbers for a number, not the column of its very name",
            attributes: ["number:Integer 32", "size:Integer 32"],
            columns: [("number", ["1", "2"]), ("size", ["S", "M"]), ("thing size", ["37", "38"])],
            expected: ["number": "number", "size": "thing size"]),
        Choice(
            testDescription: "values rather than none", attributes: ["number:Integer 32", "link:URI"],
            columns: [("number", ["1", "2"]), ("url", ["", ""]), ("website", ["http://a/", "http://b/"])],
            expected: ["number": "number", "link": "website"]),
        Choice(
            testDescription: "the equal name, whatever else would fit", attributes: ["number:Integer 32", "phone"],
            columns: [("number", ["1", "2"]), ("tel", ["+1 2", "+1 3"]), ("phone", ["12", "13"])],
            expected: ["number": "number", "phone": "phone"]),
        Choice(
            testDescription: "few that do not convert are no reason",
            attributes: ["number:Integer 32", "size:Integer 32"],
            columns: [
                ("number", (1...40).map(String.init)), ("size", ["none of it"] + (41...79).map(String.init)),
                ("thing size", (1...40).map(String.init)),
            ], expected: ["number": "number", "size": "size"]),
    ]

    @Test(arguments: choices) func valuesDecideWhereNamesDoNot(_ choice: Choice) throws {
        let attributes = choice.attributes.map { attribute in
            let parts = attribute.split(separator: ":").map(String.init)
            return
                "<attribute name='\(parts[0])' optional='YES' attributeType='\(parts.count > 1 ? parts[1] : "String")'/>"
        }
        let fixture = try DraftFixture("<entity name='Thing'>\(attributes.joined())</entity>")
        let lines = choice.columns[0].values.indices.map { row in
            choice.columns.map { $0.values[row] }.joined(separator: ",") + "\n"
        }
        let source = try fixture.fixture.write(
            choice.columns.map(\.name).joined(separator: ",") + "\n" + lines.joined(), as: "things.csv")
        let draft = try fixture.draft([source])
        let object = draft.mapping.sources[0].objects[0]
        #expect(
            Dictionary(uniqueKeysWithValues: object.attributes.map { ($0.attribute, $0.value) })
                == choice.expected.mapValues { .column($0) }, "\(draft.yaml)")
    }

    /// The model's own word for a column is not overruled.
    @Test func aColumnThatTheModelNamesIsMeantWhateverItsValues() throws {
        let fixture = try DraftFixture(
            "<entity name='Thing'><attribute name='number' optional='YES' attributeType='Integer 32'/>"
                + "<attribute name='size' optional='YES' attributeType='Integer 32'><userInfo>"
                + "<entry key='mappedKeyName' value='fit'/></userInfo></attribute></entity>")
        let source = try fixture.fixture.write("number,fit,size\n1,S,37\n2,M,38\n", as: "things.csv")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources[0].objects[0].attributes.map(\.attribute) == ["number"])
        #expect(draft.yaml.contains("# size: fit"), "\(draft.yaml)")
    }

    @Test func daysAndMonthsThatMayBeEitherAreMarked() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "born:Date", "number:Integer 32"))
        let source = try fixture.fixture.write("number,born\n1,01/02/2024\n2,03/04/2024\n", as: "things.csv")
        #expect(try fixture.draft([source]).yaml.contains("or dd/MM/yyyy: no date of the sample tells"))
    }

    @Test func requiredAttributesWithoutColumnAreNamed() throws {
        let fixture = try DraftFixture(
            "<entity name='Thing'><attribute name='number' attributeType='Integer 32'/><attribute name='title' "
                + "attributeType='String'/></entity>")
        let source = try fixture.fixture.write("number,x\n1,2\n", as: "things.csv")
        let draft = try fixture.draft([source])
        #expect(draft.yaml.contains("# title: {constant: ...}  required (String)"))
    }

    @Test func relationshipsAreFoundByTheirNameAndTheOtherKey() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity(
                "Department", "code", "name",
                more: "<relationship name='members' optional='YES' toMany='YES' destinationEntity='Person' "
                    + "inverseName='department' inverseEntity='Person'/>" + DraftFixture.unique("code"))
                + DraftFixture.entity(
                    "Person", "number",
                    more: "<relationship name='department' optional='YES' maxCount='1' destinationEntity='Department' "
                        + "inverseName='members' inverseEntity='Department'/><relationship name='tags' optional='YES' "
                        + "toMany='YES' destinationEntity='Tag' inverseName='people' inverseEntity='Tag'/>"
                        + DraftFixture.unique("number"))
                + DraftFixture.entity(
                    "Tag", "name",
                    more: "<relationship name='people' optional='YES' toMany='YES' destinationEntity='Person' "
                        + "inverseName='tags' inverseEntity='Person'/>" + DraftFixture.unique("name")))
        let people = try fixture.fixture.write(
            "number,department_code,tags\n1,A,x|y\n2,B,\n3,A,y\n", as: "people.csv")
        let departments = try fixture.fixture.write("code,name\nA,Art\nB,Biology\n", as: "departments.csv")
        let draft = try fixture.draft([people, departments])
        let relationships = draft.mapping.sources[0].objects[0].relationships
        #expect(
            relationships == [
                RelationshipMapping(
                    relationship: "department",
                    target: .key(.init(attribute: "code", value: .column("department_code")))),
                RelationshipMapping(
                    relationship: "tags",
                    target: .key(.init(attribute: "name", value: .column("tags"), separator: "|", missing: .create))),
            ])
        #expect(try fixture.run([people, departments]).rejected == 0)
        #expect(
            try fixture.fixture.rows(
                "SELECT p.ZNUMBER, d.ZNAME FROM ZPERSON p JOIN ZDEPARTMENT d ON d.Z_PK = p.ZDEPARTMENT ORDER BY 1")
                == ["1|Art", "2|Biology", "3|Art"])
        #expect(try fixture.fixture.rows("SELECT count(*) FROM ZTAG") == ["2"])
        // And again: what is there already is found.
        let report = try fixture.run([people, departments])
        #expect(report.entities.allSatisfy { $0.inserted == 0 && $0.updated == 0 })
    }

    @Test func aFileThatFitsNothingIsLeftOutAndAloneAnError() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "number:Integer 32", "title"))
        let good = try fixture.fixture.write("number,title\n1,a\n", as: "things.csv")
        let bad = try fixture.fixture.write("p,q\n1,a\n", as: "other.csv")
        let draft = try fixture.draft([good, bad])
        #expect(draft.mapping.sources.count == 1)
        #expect(draft.yaml.contains("#   other.csv: no entity for its records (p, q)"))
        #expect(throws: MappingDraftError(.nothingMatches(["other.csv: no entity for its records (p, q)"]))) {
            try fixture.draft([bad])
        }
        // Unless somebody says what the records are.
        #expect(try fixture.draft([bad], entity: "Thing").mapping.sources[0].objects[0].entity == "Thing")
        #expect(throws: MappingDraftError(.unknownEntity("Thinge", suggestion: "Thing"))) {
            try fixture.draft([bad], entity: "Thinge")
        }
    }

    @Test func partsOfOneExportAreOneSource() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "number:Integer 32", "title"))
        let first = try fixture.fixture.write("number,title\n1,a\n", as: "things-1.csv")
        let second = try fixture.fixture.write("number,title\n2,b\n", as: "things-2.csv")
        let draft = try fixture.draft([first, second])
        #expect(draft.mapping.sources.map(\.files) == [["things-1.csv", "things-2.csv"]])
        #expect(try fixture.run([first, second]).rejected == 0)
        #expect(try fixture.fixture.rows("SELECT count(*) FROM ZTHING") == ["2"])
    }
}

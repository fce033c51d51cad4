import DocumentReading
import ImportTestSupport
import RecordConversion
import Testing

@testable import ImportMappings
@testable import RecordSources

@Suite struct ImportMappingReaderTests {
    @Test func aFileForOneSourceHasItsKeysAtTheTop() throws {
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                files: employees.csv
                entity: Employee
                key: employeeID
                attributes:
                  employeeID: ID
                  firstName: First Name
                relationships:
                  department: Department
                """)
        let object = ObjectMapping(
            entity: "Employee", key: ["employeeID"],
            attributes: [
                AttributeMapping(attribute: "employeeID", value: .column("ID")),
                AttributeMapping(attribute: "firstName", value: .column("First Name")),
            ],
            relationships: [
                RelationshipMapping(
                    relationship: "department",
                    target: .key(RelationshipMapping.KeyTarget(attribute: nil, value: .column("Department"))))
            ])
        let source = SourceMapping(name: "employees.csv", files: ["employees.csv"], objects: [object])
        #expect(mapping == ImportMapping(sources: [source]))
    }

    private func source(_ keys: String) throws -> SourceMapping {
        let mapping = try ImportMapping(yaml: "import: 1\n" + keys + "\nentity: A\n")
        return try #require(mapping.sources.first)
    }

    @Test func aDelimitedFormatIsReadWithAllItsKeys() throws {
        let format = try source(
            """
            format: csv
            delimiter: tab
            quote: none
            escape: \\
            newline: lf
            header: false
            columns: [a, b]
            comment: '#'
            encoding: windows-1252
            skipLines: 2
            ragged: true
            """
        ).format
        var expected = SourceFormat(kind: .csv)
        expected.delimiter = "\t"
        expected.quote = ""
        expected.escape = "\\"
        expected.newline = .lineFeed
        expected.hasHeader = false
        expected.columns = ["a", "b"]
        expected.comment = "#"
        expected.encoding = "windows-1252"
        expected.skippedLines = 2
        expected.allowsRaggedRecords = true
        #expect(format == expected)
    }

    @Test func otherFormatsAreReadWithTheirKeys() throws {
        var json = SourceFormat(kind: .json)
        json.layout = .lines
        json.records = "data.items"
        #expect(try source("{format: json, layout: lines, records: data.items}".unfolded).format == json)
        var xml = SourceFormat(kind: .xml)
        xml.records = "g:feed/g:entry"
        xml.namespaces = ["g": "urn:g"]
        #expect(try source("format: xml\nrecords: g:feed/g:entry\nnamespaces: {g: 'urn:g'}").format == xml)
        var query = SourceFormat()
        query.query = "SELECT 1\nFROM t\n"
        #expect(try source("query: |\n  SELECT 1\n  FROM t").format == query)
    }

    private func attribute(_ value: String) throws -> AttributeMapping {
        let mapping = try ImportMapping(yaml: "import: 1\nentity: A\nattributes:\n  a: \(value)\n")
        return try #require(mapping.sources.first?.objects.first?.attributes.first)
    }

    @Test func aValueComesFromAColumnAListAConstantATextOrAnExpression() throws {
        #expect(try attribute("First Name").value == .column("First Name"))
        #expect(try attribute("12").value == .column("12"))
        #expect(try attribute("[mobile, phone]").value == .firstOf(["mobile", "phone"]))
        #expect(try attribute("{from: [mobile, phone]}").value == .firstOf(["mobile", "phone"]))
        #expect(try attribute("{constant: ''}").value == .constant(""))
        #expect(try attribute("{text: '{a b}/{c}'}").value == .template(TextTemplate("{a b}/{c}")))
        #expect(
            try attribute("{expression: price * net.amount, columns: {price: 'Price (EUR)'}}").value
                == .expression(
                    MappedExpression(
                        "price * net.amount", columns: ["price": "Price (EUR)", "net.amount": "net.amount"])))
    }

    @Test func attributesCalledAsTheirColumnsAreAList() throws {
        let mapping = try ImportMapping(yaml: "import: 1\nentity: A\nattributes: [code, name]\n")
        let attributes = mapping.sources.first?.objects.first?.attributes
        #expect(attributes?.map(\.attribute) == ["code", "name"])
        #expect(attributes?.map(\.value) == [.column("code"), .column("name")])
    }

    @Test func settingsAreReadAtAllLevels() throws {
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                settings: {date: dd.MM.yyyy, timeZone: Europe/Berlin, locale: de, nullTokens: [NA, n/a]}
                sources:
                  - settings: {decimalSeparator: ',', groupingSeparator: '.', trim: true, emptyAsNull: always}
                    entity: A
                    attributes:
                      a: {from: A, yes: ja, no: [nein, n]}
                      b: {from: B, binary: file, folder: photos, nullTokens: []}
                      c: {from: C, groupingSeparator: none, default: 0}
                      d: {from: D, default: null}
                """)
        #expect(mapping.settings.date == "dd.MM.yyyy")
        #expect(mapping.settings.timeZone == "Europe/Berlin")
        #expect(mapping.settings.locale == "de")
        #expect(mapping.settings.nullTokens == ["NA", "n/a"])
        let source = try #require(mapping.sources.first)
        #expect(source.settings.decimalSeparator == ",")
        #expect(source.settings.groupingSeparator == ".")
        #expect(source.settings.trims == true)
        #expect(source.settings.emptyAsNull == "always")
        let attributes = source.objects[0].attributes
        #expect(attributes[0].conversion.yes == ["ja"])
        #expect(attributes[0].conversion.no == ["nein", "n"])
        #expect(attributes[1].conversion.binary == "file")
        #expect(attributes[1].conversion.folder == "photos")
        #expect(attributes[1].conversion.nullTokens == [])
        #expect(attributes[2].conversion.groupingSeparator == "")
        #expect(attributes[2].defaultValue == "0" && !attributes[2].keepsNull)
        #expect(attributes[3].defaultValue == nil && attributes[3].keepsNull)
    }

    private func relationship(_ value: String) throws -> RelationshipMapping {
        let mapping = try ImportMapping(yaml: "import: 1\nentity: A\nrelationships:\n  r: \(value)\n")
        return try #require(mapping.sources.first?.objects.first?.relationships.first)
    }

    @Test func aRelationshipIsFoundByKey() throws {
        typealias Target = RelationshipMapping.KeyTarget
        #expect(
            try relationship("{by: name, from: Skills, separator: ;, onMissing: create}").target
                == .key(Target(attribute: "name", value: .column("Skills"), separator: ";", missing: .create)))
        let parts = [
            RelationshipMapping.KeyPart(attribute: "country.code", value: .column("Country")),
            RelationshipMapping.KeyPart(attribute: "number", value: .constant("1")),
        ]
        #expect(
            try relationship("{by: {country.code: Country, number: {constant: 1}}, entity: B, onMissing: error}").target
                == .key(Target(entity: "B", parts: parts, missing: .required)))
        let links = try relationship("{by: id, from: member, add: true, order: position}")
        #expect(links.adds)
        #expect(links.order == "position")
    }

    @Test func objectsInsideRelationshipsAreFurtherObjectsOfTheRecord() throws {
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                entity: Track
                relationships:
                  segments:
                    each: trkseg[*]
                    entity: Segment
                    relationships:
                      points:
                        each: trkpt[*]
                        entity: Point
                        attributes: {lat: '@lat'}
                  author: {entity: Person, key: name, attributes: {name: author.name}}
                """)
        let objects = try #require(mapping.sources.first?.objects)
        #expect(objects.map(\.entity) == ["Track", "Segment", "Point", "Person"])
        #expect(objects.map(\.id) == [nil, "#1", "#2", "#3"])
        #expect(objects.map(\.parent) == [nil, nil, "#1", nil])
        #expect(objects.map(\.records) == [nil, "trkseg[*]", "trkpt[*]", nil])
        #expect(objects[0].relationships.map(\.target) == [.object("#1"), .object("#3")])
        #expect(objects[1].relationships.map(\.target) == [.object("#2")])
    }

    @Test func severalObjectsOfOneRecordAreAList() throws {
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                objects:
                  - {id: from, entity: Airport, key: code, onMatch: skip, attributes: {code: Origin}}
                  - id: to
                    entity: Airport
                    key: [code, kind]
                    onMissing: error
                  - entity: Flight
                    relationships: {from: {object: from}, to: {object: to}}
                  - {id: leg, each: 'legs[*]', entity: Leg}
                  - {id: stop, in: leg, each: stops, entity: Stop}
                """)
        let objects = try #require(mapping.sources.first?.objects)
        #expect(objects.map(\.id) == ["from", "to", nil, "leg", "stop"])
        #expect(objects[0].onMatch == .skip)
        #expect(objects[1].onMissing == .error)
        #expect(objects[1].key == ["code", "kind"])
        #expect(objects[2].relationships.map(\.target) == [.object("from"), .object("to")])
        #expect(objects[4].parent == "leg")
    }

    static let filters: [(String, RecordFilter)] = [
        ("{Status: active}", .isIn("Status", ["active"])),
        ("{Status: [active, leave]}", .isIn("Status", ["active", "leave"])),
        ("{Status: {is: ''}}", .isIn("Status", [""])),
        ("{Status: {not: [a, b]}}", .not(.isIn("Status", ["a", "b"]))),
        ("{Mail: {present: true}}", .isPresent("Mail")),
        ("{Mail: {present: false}}", .not(.isPresent("Mail"))),
        ("{A: 1, B: 2}", .all([.isIn("A", ["1"]), .isIn("B", ["2"])])),
        (
            "{any of: [{A: 1}, {B: 2, C: 3}]}",
            .any([.isIn("A", ["1"]), .all([.isIn("B", ["2"]), .isIn("C", ["3"])])])
        ),
        ("{none of: [{A: 1}, {B: 2}]}", .not(.any([.isIn("A", ["1"]), .isIn("B", ["2"])]))),
        ("{all of: [{A: 1}, {A: [1, 2]}]}", .all([.isIn("A", ["1"]), .isIn("A", ["1", "2"])])),
    ]

    @Test(arguments: filters.indices) func filtersAreRead(index: Int) throws {
        let (text, filter) = Self.filters[index]
        #expect(try source("where: " + text).filter == filter)
    }

    @Test func placesOfTheMappingAreKnown() throws {
        let yaml = """
            import: 1
            sources:
              - files: a.csv
                entity: A
                key: [x,
                      y]
                attributes:
                  x: {from: X, date: iso8601}
                relationships:
                  b: {by: {c: C}}
            """
        let document = try ImportMappingReader.read(bytes: Array(yaml.utf8), name: "m.yaml")
        func place(_ place: MappingPlace) -> String { document.location(of: place).description }
        #expect(place(MappingPlace(source: 0, object: 0, key: "entity")) == "m.yaml:4:13")
        #expect(place(MappingPlace(source: 0, object: 0, key: "key.1")) == "m.yaml:6:11")
        #expect(place(MappingPlace(source: 0, object: 0, property: "x", key: "date")) == "m.yaml:8:20")
        #expect(place(MappingPlace(source: 0, object: 0, property: "x", key: "locale")) == "m.yaml:8:7")
        #expect(place(MappingPlace(source: 0, object: 0, property: "b", key: "by.0")) == "m.yaml:10:16")
        #expect(place(MappingPlace(source: 7)) == "m.yaml:1:1")
        let error = document.error("no", at: MappingPlace(source: 0, object: 0, key: "entity"))
        #expect(error.description == "m.yaml:4:13: no\n    entity: A\n            ^")
    }
}

extension String {
    /// A flow mapping as lines of a block.
    fileprivate var unfolded: String { dropFirst().dropLast().split(separator: ", ").joined(separator: "\n") }
}

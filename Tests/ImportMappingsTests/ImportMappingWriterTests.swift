import DocumentReading
import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordConversion
@testable import RecordSources

@Suite struct ImportMappingWriterTests {
    @Test func aMappingIsWrittenAsAPersonWould() throws {
        let yaml = """
            import: 1
            settings: {date: dd.MM.yyyy, decimalSeparator: ','}
            files: employees*.csv
            delimiter: tab
            header: false
            where:
              Status: [active, leave]
              Name: {present: true}
            entity: Employee
            key: [employeeID, department]
            sourceKey: Nr
            onMatch: fill
            attributes:
              employeeID: ID
              phone: [Mobile, Phone]
              hired: {from: Hired, timeZone: Europe/Berlin}
              isActive: {from: Active, 'yes': [ja, j], 'no': nein, default: nein}
              note: {from: Note, default: null}
              title: {from: Title, default: 'null'}
              country: {constant: DE}
              name: {text: '{First} {Last}'}
              total: {expression: price * 2, columns: {price: Price (EUR)}}
            relationships:
              department: Department
              manager: {by: employeeID, from: Manager}
              skills: {by: name, from: Skills, separator: ';', onMissing: create}
              place:
                by: {country.code: Country, number: {from: Number, groupingSeparator: none}}
                onMissing: error
              address: {entity: Address, attributes: {street: Street}}
              team:
                sourceKey: [Company, {text: 't-{Team}'}]
                entity: Squad
                onMissing: error
              mentors: {sourceKey: Mentors, separator: ';'}

            """
        let text = ImportMappingWriter.yaml(try ImportMapping(yaml: yaml))
        #expect(text == yaml, "\(text)")
    }

    @Test func severalSourcesAreAList() throws {
        let yaml = """
            import: 1
            sources:
              - files: '*.sqlite'
                query: |
                  SELECT *
                  FROM a
                entity: A
              - name: second
                files: [b.json, c.json]
                format: json
                objects:
                  - id: one
                    entity: B
                  - in: one
                    each: parts[*]
                    entity: C
                    relationships:
                      owner: {object: one, add: true}

            """
        let mapping = try ImportMapping(yaml: yaml.replacing("in: one", with: "id: two\n        in: one"))
        #expect(ImportMappingWriter.yaml(mapping).replacing("id: two\n        ", with: "") == yaml)
    }

    @Test func commentsStandAroundWhatTheyAreAbout() throws {
        let mapping = try ImportMapping(
            yaml: "import: 1\nsources: [{entity: A, attributes: {a: b, long: 'c d'}}, {entity: B}]")
        let comments: [MappingPlace: MappingComment] = [
            MappingPlace(): MappingComment(before: ["Head", "", "more"]),
            MappingPlace(source: 0): MappingComment(before: ["first"]),
            MappingPlace(source: 0, object: 0, property: "a"): MappingComment(beside: "text"),
            MappingPlace(source: 0, object: 0, property: "long"): MappingComment(before: ["why"], beside: "line\nend"),
            MappingPlace(source: 0, object: 0, key: "attributes"): MappingComment(after: ["z: "]),
            MappingPlace(source: 1, object: 0, key: "relationships"): MappingComment(after: ["none"]),
        ]
        #expect(
            ImportMappingWriter.yaml(mapping, comments: comments) == """
                # Head

                # more
                import: 1
                sources:
                  # first
                  - entity: A
                    attributes:
                      a: b       # text
                      # why
                      long: c d  # line end
                      # z: \("")
                  - entity: B
                      # none

                """)
    }

    // MARK: Round trips of mappings that no person wrote

    private static let names = [
        "a", "First Name", "x:y", "1", "null", "- b", "ü{", "c, d", "it's", "\"q\"", "#h", "k\tv\u{1}",
    ]

    private static func name(_ random: inout RandomNumbers) -> String { names.randomElement(using: &random) ?? "" }

    private static func settings(_ random: inout RandomNumbers) -> ConversionSettings {
        var settings = ConversionSettings()
        guard Int.random(in: 0..<3, using: &random) == 0 else { return settings }
        if Bool.random(using: &random) {
            settings.date = ["iso8601", "yyyy-MM-dd'T'HH:mm", "%d, %m"].randomElement(using: &random)
        }
        if Bool.random(using: &random) {
            settings.nullTokens = [[], ["NA"], ["-", "n, a"]].randomElement(using: &random)
        }
        if Bool.random(using: &random) { settings.yes = ["ja", "no way"] }
        if Bool.random(using: &random) { settings.trims = Bool.random(using: &random) }
        if Bool.random(using: &random) { settings.groupingSeparator = ["", ","].randomElement(using: &random) }
        if Bool.random(using: &random) { settings.timeZone = "+01:00" }
        if Bool.random(using: &random) { settings.emptyAsNull = "unless-quoted" }
        return settings
    }

    private static func origin(_ random: inout RandomNumbers) throws -> ValueOrigin {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .constant(["", "12", "a: b", "x\ny"].randomElement(using: &random) ?? "")
        case 1: return .firstOf(["a", name(&random)])
        case 2: return .template(try TextTemplate("{a} {{b}} {First Name}"))
        case 3: return .expression(MappedExpression("p + q.r", columns: ["p": name(&random), "q.r": "q.r"]))
        default: return .column(name(&random))
        }
    }

    private static func filter(_ random: inout RandomNumbers, depth: Int = 0) -> RecordFilter {
        switch Int.random(in: 0..<(depth > 3 ? 2 : 6), using: &random) {
        case 0: return .isIn(name(&random), (0...Int.random(in: 0..<3, using: &random)).map { _ in name(&random) })
        case 1: return .isPresent(name(&random))
        case 2: return .not(filter(&random, depth: depth + 1))
        case 3: return .all((0...Int.random(in: 0..<3, using: &random)).map { _ in filter(&random, depth: depth + 1) })
        default: return .any((0...Int.random(in: 0..<3, using: &random)).map { _ in filter(&random, depth: depth + 1) })
        }
    }

    private static func objects(_ random: inout RandomNumbers) throws -> [ObjectMapping] {
        let count = Int.random(in: 1..<5, using: &random)
        let isListed = Bool.random(using: &random)
        var objects: [ObjectMapping] = []
        for index in 0..<count {
            var object = ObjectMapping(entity: "E\(index)")
            if isListed || index > 0 { object.id = isListed ? "id \(index)" : "#\(index)" }
            if object.id != nil, Bool.random(using: &random) { object.records = "a[*].b" }
            if object.id != nil, Bool.random(using: &random) { object.filter = filter(&random) }
            if index > 1, Bool.random(using: &random) { object.parent = objects[index - 1].id }
            object.key = [[], ["a"], ["a", "b c"]].randomElement(using: &random) ?? []
            object.onMatch = MatchPolicy.allCases.randomElement(using: &random) ?? .update
            object.onMissing = MissingPolicy.allCases.randomElement(using: &random) ?? .create
            for attribute in ["a", "b", "date"] where Bool.random(using: &random) {
                let value = try origin(&random)
                var text: String?
                if case .constant = value {} else if Bool.random(using: &random) { text = name(&random) }
                object.attributes.append(
                    AttributeMapping(
                        attribute: attribute, value: value, conversion: settings(&random), defaultValue: text))
                if case .constant = value {
                } else if text == nil {
                    object.attributes[object.attributes.count - 1].keepsNull = Bool.random(using: &random)
                }
            }
            objects.append(object)
        }
        for index in objects.indices {
            for name in ["r", "s"] where Bool.random(using: &random) {
                var relationship: RelationshipMapping
                let other = Int.random(in: 0..<count, using: &random)
                if let id = objects[other].id, Bool.random(using: &random) {
                    relationship = RelationshipMapping(relationship: name, target: .object(id))
                } else {
                    var target = RelationshipMapping.KeyTarget(
                        attribute: Bool.random(using: &random) ? "k.l" : nil, value: try origin(&random),
                        conversion: settings(&random),
                        separator: [nil, "\t", ", "].randomElement(using: &random) ?? nil,
                        missing: MissingTarget.allCases.randomElement(using: &random) ?? .find)
                    if Bool.random(using: &random) {
                        let part = RelationshipMapping.KeyPart(attribute: "m", value: try origin(&random))
                        target = RelationshipMapping.KeyTarget(
                            entity: "F",
                            parts: [RelationshipMapping.KeyPart(attribute: "n", value: .column("n")), part])
                    }
                    relationship = RelationshipMapping(relationship: name, target: .key(target))
                }
                relationship.adds = Bool.random(using: &random)
                if Bool.random(using: &random) { relationship.order = Self.name(&random) }
                objects[index].relationships.append(relationship)
            }
        }
        return objects
    }

    private static func format(_ random: inout RandomNumbers) -> SourceFormat {
        var format = SourceFormat()
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            format.kind = .csv
            format.delimiter = ["\t", ";", "||", " "].randomElement(using: &random)
            format.quote = ["", "'"].randomElement(using: &random)
            format.newline = DelimitedDialect.Newline.allCases.randomElement(using: &random)
            format.columns = ["a", "b c"]
            format.skippedLines = 3
            format.allowsRaggedRecords = true
        case 1:
            format.records = "/a/b"
            format.namespaces = ["a": "urn:a", "": "urn:b"]
        case 2: format.layout = .concatenated
        case 3: format.table = "t t"
        default: format.query = "SELECT *\nFROM t\n  WHERE 'x' = \"y\"" + (Bool.random(using: &random) ? "\n" : "")
        }
        return format
    }

    @Test(.long, arguments: 0..<400) func whatIsWrittenIsReadBack(seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        var mapping = ImportMapping(settings: Self.settings(&random), sources: [])
        for index in 0..<Int.random(in: 1..<4, using: &random) {
            var source = SourceMapping(name: "", objects: try Self.objects(&random))
            source.files = [[], ["a.csv"], ["a b.csv", "*.x"]].randomElement(using: &random) ?? []
            source.format = Self.format(&random)
            source.settings = Self.settings(&random)
            source.name =
                Bool.random(using: &random)
                ? "n: \(index)" : source.files.first ?? source.format.table ?? "source \(index + 1)"
            if Bool.random(using: &random) { source.filter = Self.filter(&random) }
            mapping.sources.append(source)
        }
        let text = ImportMappingWriter.yaml(mapping)
        do throws(DocumentErrors) {
            let read = try ImportMappingReader.read(bytes: Array(text.utf8), name: "m").mapping
            #expect(read == mapping, "\(text)")
        } catch {
            Issue.record("\(error)\n\(text)")
        }
    }
}

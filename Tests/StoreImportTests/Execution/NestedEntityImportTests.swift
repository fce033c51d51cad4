import StoreImport
import TestSupport
import Testing

/// Imports of JSON and XML files into one entity without a mapping.
@Suite struct NestedEntityImportTests {
    private let fixture: ImportFixture
    private let plan = ImportRun.Plan.entity(EntityRequest(entity: "Product"))

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Product"><attribute name="sku" attributeType="String"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="unitPrice" optional="YES" attributeType="Double"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="sku"/></uniquenessConstraint>
                </uniquenessConstraints></entity>
                """)
    }

    private func run(_ text: String, _ name: String) throws -> ImportReport {
        try fixture.run([try fixture.write(text, as: name)], plan)
    }

    private func products() throws -> [String] {
        try fixture.rows("SELECT ZSKU, ZNAME, ZUNITPRICE FROM ZPRODUCT ORDER BY 1")
    }

    @Test(arguments: [
        (
            #"{"name": "export", "data": [{"sku": "a", "name": "x", "unit_price": 1.5}, {"sku": "b"}]}"#,
            "data" as String?
        ),
        (#"{"page": {"no": 1, "items": [{"SKU": "a", "Name": "x", "unitPrice": 1.5}, {"SKU": "b"}]}}"#, "page.items"),
        (#"[{"sku": "a", "name": "x"}, {"sku": "b"}, {"sku": "a", "unitPrice": 1.5}]"#, nil),
        ("\u{FEFF}{\"sku\": \"a\", \"name\": \"x\", \"unitPrice\": 1.5}\n\n{\"sku\": \"b\"}\n", nil),
    ])
    func recordsOfJSONAreFoundWhereTheyLie(text: String, part: String?) throws {
        let report = try run(text, "p.json")
        #expect(report.sources.map(\.part) == [part])
        #expect(!report.hasFindings)
        #expect(try products() == ["a|x|1.5", "b|NULL|NULL"])
    }

    @Test func aDocumentThatIsARecordItselfStaysOneWhateverLiesInIt() throws {
        let report = try run(#"{"sku": "a", "name": "x", "parts": [{"name": "p"}, {"name": "q"}]}"#, "p.json")
        #expect(report.sources.map(\.records) == [1])
        #expect(
            report.findings == [
                "\(fixture.directory.file("p.json")): no attribute of Product has the name of these columns: parts"
            ])
        #expect(try products() == ["a|x|NULL"])
    }

    @Test func recordsOfXMLAreTheElementsThatFit() throws {
        let text = """
            <c:catalog xmlns:c="http://example.org/c" xmlns:d="http://example.org/d"><owner id="1"><name>o</name></owner>
            <c:product sku="a"><c:name><![CDATA[x <y>]]></c:name><d:unit-price>1.5</d:unit-price></c:product>
            <c:product sku="b"/></c:catalog>
            """
        let report = try run(text, "p.xml")
        #expect(report.sources.map(\.part) == ["/c:catalog/c:product"])
        #expect(try products() == ["a|x <y>|1.5", "b|NULL|NULL"])
    }

    private let keyed = ImportRun.Plan.entity(EntityRequest(entity: "Product", key: ["sku"]))

    @Test(arguments: [
        ("<l><a sku='1'/><a sku='2'/><b sku='3'/><b sku='4'/></l>", "p.xml", "/l/a, /l/b may all be meant"),
        (#"{"a": {"x": 1}, "b": {"x": 2}}"#, "p.json", "the columns are a, b"),
        (#"[{"x": 1}]"#, "p.json", "begin with --draft-mapping"),
        ("a,a\n1,2\n", "p.csv", "the columns are a, a"),
        ("name\nx\n", "p.csv", "the key needs the property"),
        ("sku,SKU\n1,2\n", "p.csv", "two columns have the attribute's name"),
    ])
    func whatFitsNoAttributeOrFitsTwiceIsRefusedBeforeARecordIsRead(
        text: String, name: String, message: String
    ) throws {
        let error = #expect(throws: ImportPlanError.self) {
            try fixture.run([try fixture.write(text, as: name)], keyed)
        }
        #expect(error?.description.contains(message) ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func columnsWithoutANameAreShownByTheirPlace() throws {
        let report = try run("sku,,name,\na,1,x,\n", "p.csv")
        #expect(report.findings.first?.hasSuffix(#"these columns: "" (column 2), "" (column 4)"#) ?? false)
        #expect(try products() == ["a|x|NULL"])
    }
}

import Foundation
import ImportMappings
import PersistentStores
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Relationships by key and within a record: keys, join tables, inverses, order.
@Suite struct RelationshipImportTests {
    private static let entities = """
        <entity name="Department">
            <attribute name="code" attributeType="String"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="people" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="department" inverseEntity="Person"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Person">
            <attribute name="number" attributeType="Integer 32"/>
            <relationship name="department" optional="YES" maxCount="1" destinationEntity="Department" \
        inverseName="people" inverseEntity="Department"/>
            <relationship name="badge" optional="YES" maxCount="1" destinationEntity="Badge" \
        inverseName="owner" inverseEntity="Badge"/>
            <relationship name="skills" optional="YES" toMany="YES" destinationEntity="Skill" \
        inverseName="people" inverseEntity="Skill"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Badge">
            <attribute name="code" attributeType="String"/>
            <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" \
        inverseName="badge" inverseEntity="Person"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Skill">
            <attribute name="name" attributeType="String"/>
            <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" \
        inverseName="skills" inverseEntity="Person"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        """

    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(entities: Self.entities)
    }

    private func key(
        _ relationship: String, _ column: String, separator: String? = nil, _ missing: MissingTarget = .create
    ) -> RelationshipMapping {
        RelationshipMapping(
            relationship: relationship,
            target: .key(.init(attribute: nil, value: .column(column), separator: separator, missing: missing)))
    }

    private func people(_ relationships: RelationshipMapping...) -> SourceMapping {
        SourceMapping(
            name: "people", files: ["people*"],
            objects: [
                ObjectMapping(
                    entity: "Person", attributes: [AttributeMapping(attribute: "number", value: .column("number"))],
                    relationships: relationships)
            ])
    }

    private var departments: SourceMapping {
        SourceMapping(
            name: "departments", files: ["departments*"],
            objects: [
                ObjectMapping(
                    entity: "Department",
                    attributes: ["code", "title"].map { AttributeMapping(attribute: $0, value: .column($0)) })
            ])
    }

    private let membership = """
        SELECT p.ZNUMBER, d.ZCODE FROM ZPERSON p LEFT JOIN ZDEPARTMENT d ON d.Z_PK = p.ZDEPARTMENT ORDER BY 1
        """
    private let skills = """
        SELECT p.ZNUMBER, group_concat(s.ZNAME) FROM ZPERSON p JOIN Z_3SKILLS j ON j.Z_3PEOPLE = p.Z_PK
        JOIN ZSKILL s ON s.Z_PK = j.Z_4SKILLS GROUP BY 1 ORDER BY 1
        """

    @Test(arguments: [1, 1000])
    func aToOneByKeyFindsWhatComesEarlierAndWhatComesLater(rows: Int) throws {
        let sources = [
            try fixture.write("number,dept\n1,b\n2,a\n3,\n4,b\n", as: "people.csv"),
            try fixture.write("code,title\na,Art\nb,Biology\n", as: "departments.csv"),
        ]
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        for order in [[0, 1], [1, 0]] {
            let mappings = [people(key("department", "dept", .find)), departments]
            let report = try fixture.run(
                sources, .mapping(ImportMapping(sources: order.map { mappings[$0] })), options: options)
            #expect(report.unresolvedLinks == 0 && report.rejected == 0)
            #expect(try fixture.rows(membership) == ["1|b", "2|a", "3|NULL", "4|b"])
        }
        #expect(try fixture.rows("SELECT count(*), count(Z_FOK_DEPARTMENT) FROM ZPERSON") == ["4|3"])
        #expect(try fixture.rows("SELECT sum(Z_OPT), count(*) FROM ZDEPARTMENT") == ["2|2"])
    }

    @Test func aToOneToNothingIsReportedOrItsRecordIsRejectedWhereItIsRequired() throws {
        let source = try fixture.write("number,dept\n1,x\n", as: "people.csv")
        let find = try fixture.run(
            [source], .mapping(ImportMapping(sources: [people(key("department", "dept", .find))])))
        #expect(find.unresolvedLinks + find.rejected > 0 || !find.findings.isEmpty)
        #expect(try fixture.rows(membership) == ["1|NULL"])
        let more = try fixture.write("number,dept\n2,x\n", as: "people2.csv")
        let required = try fixture.run(
            [more], .mapping(ImportMapping(sources: [people(key("department", "dept", .required))])))
        #expect(required.rejected == 1)
        #expect(try fixture.rows(membership) == ["1|NULL"])
    }

    @Test func aOneToOneChangesBothSidesAndLeavesNobodyBehindWhoThinksItIsStillTheirs() throws {
        let mapping = ImportRun.Plan.mapping(ImportMapping(sources: [people(key("badge", "badge"))]))
        try fixture.run([try fixture.write("number,badge\n1,a\n2,b\n", as: "people.csv")], mapping)
        let sides =
            "SELECT p.ZNUMBER, b.ZCODE, b.ZOWNER = p.Z_PK FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE ORDER BY 1"
        #expect(try fixture.rows(sides) == ["1|a|1", "2|b|1"])
        try fixture.run([try fixture.write("number,badge\n2,a\n", as: "people2.csv")], mapping)
        #expect(try fixture.rows(sides) == ["1|NULL|NULL", "2|a|1"])
        #expect(try fixture.rows("SELECT ZCODE, ZOWNER IS NULL FROM ZBADGE ORDER BY 1") == ["a|0", "b|1"])
    }

    @Test func aToManyFromAListFillsTheJoinTableOnceAndAnotherListReplacesIt() throws {
        let mapping = ImportRun.Plan.mapping(ImportMapping(sources: [people(key("skills", "skills", separator: ";"))]))
        let source = try fixture.write("number,skills\n1,go;swift\n2,swift\n", as: "people.csv")
        let first = try fixture.run([source], mapping)
        #expect(first.entities.map(\.related).reduce(0, +) == 3)
        #expect(try fixture.rows(skills) == ["1|go,swift", "2|swift"])
        let second = try fixture.run([source], mapping)
        #expect(second.entities.map(\.related).reduce(0, +) == 0)
        #expect(second.entities.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.unrelated == 0 })
        let third = try fixture.run([try fixture.write("number,skills\n1,c;swift\n", as: "people2.csv")], mapping)
        #expect(third.entities.first { $0.entity == "Person" }?.unrelated == 1)
        #expect(try fixture.rows(skills) == ["1|swift,c", "2|swift"])
    }

    @Test func partsOfARecordBecomeObjectsThatAreLinkedToIt() throws {
        let source = SourceMapping(
            name: "departments",
            objects: [
                ObjectMapping(
                    entity: "Department",
                    attributes: [AttributeMapping(attribute: "code", value: .column("code"))],
                    relationships: [RelationshipMapping(relationship: "people", target: .object("person"))]),
                ObjectMapping(
                    id: "person", entity: "Person", records: "people[*]",
                    attributes: [AttributeMapping(attribute: "number", value: .column("number"))]),
            ])
        let text =
            #"[{"code": "a", "people": [{"number": 3}, {"number": 1}]}, {"code": "b", "people": [{"number": 2}]}]"#
        let path = try fixture.write(text, as: "departments.json")
        let plan = ImportRun.Plan.mapping(ImportMapping(sources: [source]))
        try fixture.run([path], plan)
        #expect(try fixture.rows(membership) == ["1|a", "2|b", "3|a"])
        #expect(
            try fixture.rows("SELECT ZNUMBER FROM ZPERSON ORDER BY ZDEPARTMENT, Z_FOK_DEPARTMENT") == ["3", "1", "2"])
        let second = try fixture.run([path], plan)
        #expect(second.entities.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.related == 0 })
    }

    @Test func anObjectMadeOfItsKeyNeedsNothingElse() throws {
        let plan = ImportRun.Plan.mapping(ImportMapping(sources: [people(key("department", "dept"))]))
        let source = try fixture.write("number,dept\n1,b\n2,b\n", as: "people.csv")
        let report = try fixture.run([source], plan)
        #expect(report.entities.first { $0.entity == "Department" }?.inserted == 1)
        #expect(try fixture.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Department'") == ["1"])
    }
}

import SQLiteAccess
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// Objects that are made because records name them: one for each key, whatever the look-up keeps in memory.
@Suite struct FindOrCreateImportTests {
    private static func entities(isUnique: Bool) -> String {
        let constraint = """
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>\
            </uniquenessConstraints>
            """
        return """
            <entity name="Project"><attribute name="code" attributeType="String"/>
            <attribute name="alias" optional="YES" attributeType="String" defaultValueString="none"/>
            <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="projects" \
            inverseEntity="Person"/>
            <relationship name="leads" optional="YES" toMany="YES" destinationEntity="Person" inverseName="lead" \
            inverseEntity="Person"/>\(isUnique ? constraint : "")</entity>
            <entity name="Person"><attribute name="number" attributeType="Integer 32"/>
            <relationship name="projects" optional="YES" toMany="YES" destinationEntity="Project" inverseName="people" \
            inverseEntity="Project"/>
            <relationship name="lead" optional="YES" maxCount="1" destinationEntity="Project" inverseName="leads" \
            inverseEntity="Project"/></entity>
            """
    }

    private static let mapping = """
        entity: Person
        key: number
        attributes: [number]
        relationships:
          lead: {by: code, from: lead, onMissing: create}
          projects: {by: code, from: projects, separator: '|', onMissing: create}
        """

    private func check(_ fixture: ImportFixture, _ leads: [Int], _ projects: [[Int]]) throws {
        let codes = Set(leads).union(projects.joined())
        #expect(
            try fixture.rows("SELECT count(*), count(DISTINCT ZCODE) FROM ZPROJECT") == [
                "\(codes.count)|\(codes.count)"
            ])
        let found = try fixture.rows(
            "SELECT p.ZNUMBER, l.ZCODE FROM ZPERSON p JOIN ZPROJECT l ON l.Z_PK = p.ZLEAD ORDER BY p.ZNUMBER")
        #expect(found == leads.enumerated().map { "\($0)|c\($1)" })
        let links = projects.reduce(0) { $0 + Set($1).count }
        #expect(try fixture.rows("SELECT count(*) FROM Z_1PROJECTS") == ["\(links)"])
    }

    private func text(_ leads: [Int], _ projects: [[Int]]) -> String {
        "number,lead,projects\n"
            + zip(leads, projects).enumerated().map { number, names in
                "\(number),c\(names.0),\(names.1.map { "c\($0)" }.joined(separator: "|"))\n"
            }.joined()
    }

    @Test(arguments: [1, 2, 3, 7], [true, false])
    func aLookUpThatHasToLetItsMemoryGoInABatchForgetsNothingOfTheBatch(
        limit: Int, isUnique: Bool
    ) throws {
        for bytes in [false, true] {
            let fixture = try ImportFixture(entities: Self.entities(isUnique: isUnique))
            // Each code comes again behind more others than are remembered.
            let leads = (0..<40).map { $0 % 13 }
            let projects = (0..<40).map { number in (0..<5).map { (number * 3 + $0 * 7) % 29 } }
            var options = ImportOptions(limits: RecordBatch.Limits(rows: 17))
            if bytes {
                options.fixedLimits.cachedKeyBytes = limit * 10
            } else {
                options.fixedLimits.cachedObjects = limit
            }
            options.fixedLimits.fetchedKeys = limit
            options.fixedLimits.waitingLinks = limit
            let report = try fixture.run(text(leads, projects), as: "p.csv", mapping: Self.mapping, options: options)
            #expect(report.rejected == 0 && report.unresolvedLinks == 0)
            try check(fixture, leads, projects)
            let again = try fixture.run(text(leads, projects), as: "p.csv", mapping: Self.mapping, options: options)
            #expect(again.entities.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.related == 0 })
        }
    }

    @Test(.long) func moreCodesThanAreKeptInMemoryAreMadeOnceEachInABatchOfAllRecords() throws {
        let fixture = try ImportFixture(entities: Self.entities(isUnique: true))
        // Two records behind the last that fits name those that came first.
        let count = ImportLimits().cachedObjects + 10
        let leads = (0..<count + 20).map { $0 % count }
        let projects = leads.map { lead in lead % 1000 == 0 ? [lead, lead / 2, count + lead / 10] : [] }
        let options = ImportOptions(limits: RecordBatch.Limits(rows: leads.count))
        try fixture.run(text(leads, projects), as: "p.csv", mapping: Self.mapping, options: options)
        try check(fixture, leads, projects)
    }

    @Test func whatOneLookUpMakesAnotherOneFindsByEachOfItsValues() throws {
        let fixture = try ImportFixture(entities: Self.entities(isUnique: false))
        let report = try fixture.run(
            "number,lead,projects\n1,a,none\n2,b,none|x\n", as: "p.csv",
            mapping: """
                entity: Person
                key: number
                attributes: [number]
                relationships:
                  lead: {by: code, from: lead, onMissing: create}
                  projects: {by: alias, from: projects, separator: '|'}
                """)
        #expect(report.unresolvedLinks == 1)
        #expect(try fixture.rows("SELECT ZCODE, ZALIAS FROM ZPROJECT ORDER BY 1") == ["a|none", "b|none"])
        #expect(try fixture.rows("SELECT count(*) FROM Z_1PROJECTS") == ["2"])
    }
}

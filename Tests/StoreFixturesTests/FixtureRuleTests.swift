import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFixtures
import TestSupport
import Testing

/// What a model asks for is in the store.
@Suite struct FixtureRuleTests {
    private let folder: FixtureFolder

    init() throws {
        folder = try FixtureFolder()
    }

    private func model(_ entities: EntityDescription...) -> ManagedObjectModel {
        ManagedObjectModel(entities: entities)
    }

    private func attribute(
        _ name: String, _ type: AttributeType = .string, optional: Bool = false, minimum: AttributeValue? = nil,
        maximum: AttributeValue? = nil, pattern: String? = nil, predicates: [String] = [],
        default value: AttributeValue? = nil
    ) -> AttributeDescription {
        AttributeDescription(
            name: name, type: type, isOptional: optional, defaultValue: value,
            validation: AttributeValidation(
                minimum: minimum, maximum: maximum, regularExpression: pattern,
                otherPredicates: predicates.map { ValidationPredicate(predicateFormat: $0) }))
    }

    private func values(_ sql: String, name: String = "store.sqlite") throws -> [SQLiteValue] {
        try SQLiteStore(path: folder.directory.file(name)).connection.rows(sql).map { $0[0] }
    }

    @Test func entitiesThatDifferInCaseOnlyAreRefusedWithTheTableThatTheyWouldShare() throws {
        let model = model(
            EntityDescription(name: "Person", attributes: [attribute("a")]),
            EntityDescription(name: "PERSON", attributes: [attribute("a")]))
        let path = folder.directory.file("store.sqlite")
        #expect(throws: StoreError(.sharedTable("ZPERSON", entities: ["PERSON", "Person"]), path: path)) {
            try folder.make(model, rows: 1)
        }
        #expect(!FileSystem.isThere(path))
    }

    @Test func anEntityThatIsTooWideForATableIsRefusedWithTheNumberOfItsColumns() throws {
        let model = model(
            EntityDescription(name: "Wide", attributes: (0..<2_000).map { attribute("a\($0)", optional: true) }))
        let path = folder.directory.file("store.sqlite")
        #expect(throws: StoreError(.tooManyColumns(table: "ZWIDE", count: 2_003, maximum: 2_000), path: path)) {
            try folder.make(model, rows: 1)
        }
    }

    @Test func attributesKeepTheirBoundsAndReachThem() throws {
        let model = model(
            EntityDescription(
                name: "Thing",
                attributes: [
                    attribute("small", .integer16, minimum: .integer(-3), maximum: .integer(5)),
                    attribute("wide", .integer64),
                    attribute("late", .date, minimum: .date(5e8), maximum: .date(5e8 + 86_400)),
                    attribute("share", .float, minimum: .real(0.1), maximum: .real(0.2)),
                    attribute("price", .decimal, minimum: .decimal("0.01"), maximum: .decimal("99.99")),
                    attribute("code", pattern: "[A-Z]{2}-\\d{3}"),
                    attribute("tag", minimum: .integer(2), maximum: .integer(4)),
                    attribute("long", minimum: .integer(400), maximum: .integer(500)), attribute("flag", .boolean),
                ]))
        try folder.make(model, rows: 64)
        #expect(try folder.faults(model) == [])
        let extremes = "SELECT min(ZSMALL) FROM ZTHING UNION ALL SELECT max(ZSMALL) FROM ZTHING"
        #expect(try values(extremes).map(\.integer) == [-3, 5])
        #expect(try values("SELECT min(ZWIDE) FROM ZTHING") == [.integer(.min)])
        #expect(try values("SELECT max(ZWIDE) FROM ZTHING") == [.integer(.max)])
        let tags = try values("SELECT ZTAG FROM ZTHING").compactMap(\.string)
        #expect(tags.contains { $0.utf8.count > $0.utf16.count }, "some are not ASCII")
        #expect(Set(tags.map(\.utf16.count)).isSuperset(of: [2, 4]))
    }

    @Test(arguments: [
        ("SELF IN {\"red\", \"green\"}", ["green", "red"]), ("SELF == \"only\"", ["only"]),
        ("length == 0", [""]), ("SELF IN {\"a\", \"b\", \"c\"} AND SELF != \"b\"", ["a", "c"]),
    ])
    func predicatesThatListValues(_ predicate: String, _ expected: [String]) throws {
        let model = model(EntityDescription(name: "Thing", attributes: [attribute("kind", predicates: [predicate])]))
        try folder.make(model, rows: 40)
        #expect(try values("SELECT DISTINCT ZKIND FROM ZTHING ORDER BY 1").compactMap(\.string) == expected)
    }

    @Test(arguments: [
        ("SELF BEGINSWITH \"x-\"", "ZWORD GLOB 'x-*'"), ("SELF ENDSWITH \".png\"", "ZWORD GLOB '*.png'"),
        ("SELF CONTAINS \"ing\"", "ZWORD GLOB '*ing*'"), ("length > 3 AND length < 6", "length(ZWORD) BETWEEN 4 AND 5"),
        ("SELF MATCHES \"[a-c]{4}\"", "ZWORD GLOB '[a-c][a-c][a-c][a-c]'"), ("SELF LIKE \"a?c*\"", "ZWORD GLOB 'a?c*'"),
    ])
    func predicatesOnTexts(_ predicate: String, _ condition: String) throws {
        let model = model(EntityDescription(name: "Thing", attributes: [attribute("word", predicates: [predicate])]))
        let report = try folder.make(model, rows: 40)
        #expect(report.findings.isEmpty)
        #expect(try values("SELECT count(*) FROM ZTHING WHERE \(condition)") == [.integer(40)])
    }

    @Test(arguments: [
        ("SELF > 10 AND SELF <= 12", "ZSIZE BETWEEN 11 AND 12"), ("SELF BETWEEN {5, 7}", "ZSIZE BETWEEN 5 AND 7"),
        ("SELF IN {2, 4, 8}", "ZSIZE IN (2, 4, 8)"), ("modulus:by:(SELF, 10) == 0 AND SELF >= 0", "ZSIZE % 10 = 0"),
    ])
    func predicatesOnNumbers(_ predicate: String, _ condition: String) throws {
        let model = model(
            EntityDescription(name: "Thing", attributes: [attribute("size", .integer32, predicates: [predicate])]))
        let report = try folder.make(model, rows: 40)
        #expect(report.findings.isEmpty)
        #expect(try values("SELECT count(*) FROM ZTHING WHERE \(condition)") == [.integer(40)])
    }

    @Test func whatCannotBeMadeIsSaid() throws {
        let model = model(
            EntityDescription(name: "Free", attributes: [attribute("twice", optional: true, pattern: "([a-z]{3})\\1")]),
            EntityDescription(
                name: "Bound", attributes: [attribute("twice", pattern: "([a-z]{3})\\1")],
                relationships: [RelationshipDescription(name: "free", destinationEntityName: "Free")]),
            EntityDescription(
                name: "Follower",
                relationships: [
                    RelationshipDescription(name: "bound", destinationEntityName: "Bound", isOptional: false)
                ]))
        let report = try folder.make(model)
        #expect(
            report.findings.map { "\($0.code.rawValue) \($0.subject)" }.sorted() == [
                "no-objects Bound", "no-objects Follower", "no-values Free.twice",
            ])
        #expect(report.findings.contains { $0.message.contains("([a-z]{3})\\1, which has a back reference") })
        #expect(report.entities.map(\.objects).sorted() == [0, 0, 20])
        #expect(report.hasWarnings)
    }

    @Test func aRangeWithoutValuesLeavesTheAttributeEmpty() throws {
        let model = model(
            EntityDescription(
                name: "Thing",
                attributes: [
                    attribute("none", .integer16, optional: true, minimum: .integer(5), maximum: .integer(4)),
                    attribute("far", .integer16, optional: true, minimum: .integer(40_000)),
                    attribute("text", optional: true, minimum: .integer(5), maximum: .integer(2)),
                ]))
        let report = try folder.make(model)
        #expect(report.findings.map(\.subject) == ["Thing.far", "Thing.none", "Thing.text"])
        #expect(try values("SELECT count(ZNONE) + count(ZFAR) + count(ZTEXT) FROM ZTHING") == [.integer(0)])
    }

    @Test func countsOfRelationshipsDecideHowManyObjectsThereAre() throws {
        func many(_ name: String, to: String, _ inverse: String, _ least: Int, _ most: Int) -> RelationshipDescription {
            RelationshipDescription(
                name: name, destinationEntityName: to, inverseName: inverse, isToMany: true, isOptional: false,
                minimumCount: least, maximumCount: most)
        }
        func one(_ name: String, to: String, _ inverse: String) -> RelationshipDescription {
            RelationshipDescription(name: name, destinationEntityName: to, inverseName: inverse, isOptional: false)
        }
        let model = model(
            EntityDescription(name: "Car", relationships: [many("wheels", to: "Wheel", "car", 4, 4)]),
            EntityDescription(name: "Wheel", relationships: [one("car", to: "Car", "wheels")]),
            EntityDescription(name: "Match", relationships: [many("teams", to: "Team", "matches", 2, 2)]),
            EntityDescription(name: "Team", relationships: [many("matches", to: "Match", "teams", 1, 3)]),
            EntityDescription(name: "Key", relationships: [one("lock", to: "Lock", "key")]),
            EntityDescription(name: "Lock", relationships: [one("key", to: "Key", "lock")]))
        let report = try folder.make(model, rows: 10)
        #expect(try folder.faults(model) == [])
        let counts = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.objects) })
        #expect(counts["Car"] == 10 && counts["Wheel"] == 40 && counts["Key"] == 10 && counts["Lock"] == 10)
        #expect(report.findings.map(\.subject) == ["Wheel"])
    }

    @Test func enormousDemandsEndQuickly() throws {
        let link = RelationshipDescription(
            name: "others", destinationEntityName: "Thing", inverseName: "others", isToMany: true, isOptional: false,
            minimumCount: .max)
        let model = model(
            EntityDescription(
                name: "Text", attributes: [attribute("long", minimum: .integer(.max)), attribute("size", .double)]),
            EntityDescription(name: "Thing", relationships: [link]))
        let report = try folder.make(model, rows: 10)
        #expect(report.entities.map(\.objects) == [0, 0])
    }

    @Test func demandsThatContradictEachOtherLeaveNoObjects() throws {
        // Each has two that have nobody else: there would have to be ever more.
        let model = model(
            EntityDescription(
                name: "Cell",
                relationships: [
                    RelationshipDescription(
                        name: "halves", destinationEntityName: "Cell", inverseName: "whole", isToMany: true,
                        isOptional: false, minimumCount: 2),
                    RelationshipDescription(
                        name: "whole", destinationEntityName: "Cell", inverseName: "halves", isOptional: false),
                ]),
            EntityDescription(name: "Other"))
        let report = try folder.make(model, rows: 10)
        #expect(report.entities.map(\.objects) == [0, 10])
        #expect(report.findings.map(\.code) == [.noObjects])
    }

    @Test func uniquenessHoldsOverHeirsAndSeveralAttributes() throws {
        let model = model(
            EntityDescription(
                name: "Base", isAbstract: true, attributes: [attribute("name", maximum: .integer(6))],
                uniquenessConstraints: [["name"]]),
            EntityDescription(name: "Left", superentityName: "Base", attributes: [attribute("level", .integer16)]),
            EntityDescription(
                name: "Right", superentityName: "Base",
                attributes: [
                    attribute("row", .integer16, minimum: .integer(1), maximum: .integer(8)),
                    attribute("column", .integer16, minimum: .integer(1), maximum: .integer(8)),
                    attribute("flag", .boolean),
                ],
                uniquenessConstraints: [["row", "column"]]),
            EntityDescription(
                name: "Rare", attributes: [attribute("kind", predicates: ["SELF IN {\"a\", \"b\", \"c\"}"])],
                uniquenessConstraints: [["kind"]]))
        let report = try folder.make(model, rows: 50)
        #expect(try folder.faults(model) == [])
        #expect(report.entities.first { $0.name == "Right" }?.objects == 50)
        #expect(report.entities.first { $0.name == "Rare" }?.objects == 3)
    }

    @Test(arguments: [("items.@count", "owner.name", "now()"), ("count( items )", "SELF.owner.name", "now( )")])
    func derivedAttributesHaveTheirValues(number: String, path: String, now: String) throws {
        var count = attribute("itemCount", .integer64, optional: true)
        count.derivationExpression = number
        var copy = attribute("ownerName", optional: true)
        copy.derivationExpression = path
        var moment = attribute("changed", .date, optional: true)
        moment.derivationExpression = now
        let model = model(
            EntityDescription(
                name: "Box", attributes: [attribute("name"), count, moment],
                relationships: [
                    RelationshipDescription(
                        name: "items", destinationEntityName: "Item", inverseName: "owner", isToMany: true)
                ]),
            EntityDescription(
                name: "Item", attributes: [copy],
                relationships: [
                    RelationshipDescription(name: "owner", destinationEntityName: "Box", inverseName: "items")
                ]))
        try folder.make(model, rows: 30)
        #expect(try values("SELECT count(*) > 4 FROM sqlite_master WHERE type = 'trigger'") == [.integer(1)])
        let counts = "(SELECT count(*) FROM ZITEM WHERE ZOWNER = ZBOX.Z_PK)"
        #expect(try values("SELECT count(*) FROM ZBOX WHERE ZITEMCOUNT <> \(counts)") == [.integer(0)])
        #expect(try values("SELECT sum(ZITEMCOUNT) > 10 FROM ZBOX") == [.integer(1)])
        let others = "SELECT count(*) FROM ZITEM JOIN ZBOX b ON b.Z_PK = ZOWNER WHERE ZOWNERNAME <> b.ZNAME"
        #expect(try values(others) == [.integer(0)])
        #expect(try values("SELECT count(ZCHANGED) > 15 FROM ZBOX") == [.integer(1)])
    }

    @Test func derivedAttributesWithoutKnownTriggersAreComputed() throws {
        func derived(_ name: String, _ type: AttributeType, _ derivation: String) -> AttributeDescription {
            var result = attribute(name, type, optional: true)
            result.derivationExpression = derivation
            return result
        }
        let model = model(
            EntityDescription(
                name: "Box",
                attributes: [
                    attribute("name"), derived("loud", .string, "uppercase:(name)"),
                    derived("folded", .string, "canonical:(name)"), derived("weight", .double, "items.@sum.weight"),
                    derived("pieces", .integer32, "items.@sum.pieces"), derived("tagCount", .integer64, "tags.@count"),
                    derived("odd", .date, "items.@sum.weight"), derived("whole", .integer64, "items.@sum.weight"),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "items", destinationEntityName: "Item", inverseName: "owner", isToMany: true),
                    RelationshipDescription(
                        name: "tags", destinationEntityName: "Tag", inverseName: "boxes", isToMany: true),
                ]),
            EntityDescription(
                name: "Item", attributes: [attribute("weight", .double), attribute("pieces", .integer16)],
                relationships: [
                    RelationshipDescription(name: "owner", destinationEntityName: "Box", inverseName: "items")
                ]),
            EntityDescription(
                name: "Tag",
                relationships: [
                    RelationshipDescription(
                        name: "boxes", destinationEntityName: "Box", inverseName: "tags", isToMany: true)
                ]),
            EntityDescription(name: "BigBox", superentityName: "Box"))
        let report = try folder.make(model, rows: 30)
        func subjects(_ code: FixtureFinding.Code) -> Set<String> {
            Set(report.findings.filter { $0.code == code }.map(\.subject))
        }
        #expect(subjects(.notDerived) == ["Box.odd", "Box.whole"])
        #expect(
            subjects(.noTrigger) == ["Box.loud", "Box.folded", "Box.weight", "Box.pieces", "Box.tagCount"])
        #expect(try values("SELECT count(*) FROM ZBOX WHERE ZLOUD IS NULL AND ZNAME IS NOT NULL") == [.integer(0)])
        let ascii = "NOT (ZNAME GLOB '*[^ -~]*')"
        #expect(try values("SELECT count(*) FROM ZBOX WHERE ZLOUD <> upper(ZNAME) AND \(ascii)") == [.integer(0)])
        #expect(try values("SELECT count(*) FROM ZBOX WHERE ZFOLDED <> lower(ZNAME) AND \(ascii)") == [.integer(0)])
        func sum(_ column: String) -> String { "(SELECT total(\(column)) FROM ZITEM WHERE ZOWNER = ZBOX.Z_PK)" }
        #expect(
            try values("SELECT count(*) FROM ZBOX WHERE NOT abs(ZWEIGHT - \(sum("ZWEIGHT"))) <= 1e-9 * abs(ZWEIGHT)")
                == [.integer(0)])
        #expect(try values("SELECT count(*) FROM ZBOX WHERE ZPIECES IS NOT \(sum("ZPIECES"))") == [.integer(0)])
        #expect(try values("SELECT sum(ZTAGCOUNT) - (SELECT count(*) FROM Z_1TAGS) FROM ZBOX") == [.integer(0)])
        #expect(try values("SELECT sum(ZTAGCOUNT) > 10 FROM ZBOX") == [.integer(1)])
        #expect(try folder.faults(model) == [])
    }

    @Test func theSameSeedGivesTheSameBytes() throws {
        var data = AttributeDescription(name: "data", type: .binaryData, isOptional: true)
        data.allowsExternalBinaryDataStorage = true
        let model = model(
            EntityDescription(
                name: "Thing",
                attributes: [
                    data, attribute("name"), attribute("badge", .uuid), attribute("map", .transformable),
                ]))
        let report = try folder.make(model, rows: 40, seed: 5, name: "a.sqlite")
        try folder.make(model, rows: 40, seed: 5, name: "b.sqlite")
        try folder.make(model, rows: 40, seed: 6, name: "c.sqlite")
        #expect(report.externalFiles > 0)
        func bytes(_ name: String) throws -> [UInt8] { try SourceBytes.read(folder.directory.file(name)) }
        #expect(try bytes("a.sqlite") == bytes("b.sqlite"))
        #expect(try bytes("a.sqlite") != bytes("c.sqlite"))
        let files = try FileSystem.names(in: folder.directory.file(".a_SUPPORT/_EXTERNAL_DATA")).sorted()
        #expect(files.count == report.externalFiles)
        #expect(files == (try FileSystem.names(in: folder.directory.file(".b_SUPPORT/_EXTERNAL_DATA")).sorted()))
        for name in files {
            #expect(try bytes(".a_SUPPORT/_EXTERNAL_DATA/" + name) == bytes(".b_SUPPORT/_EXTERNAL_DATA/" + name))
        }
    }

    @Test func anAttributeThatStaysKeepsItsDataInTheNextVersion() throws {
        let old = model(
            EntityDescription(name: "Thing", attributes: [attribute("name"), attribute("size", .integer32)]))
        let new = model(
            EntityDescription(
                name: "Thing",
                attributes: [attribute("name"), attribute("note", optional: true), attribute("size", .double)]))
        try folder.make(old, name: "old.sqlite")
        try folder.make(new, name: "new.sqlite")
        let sql = "SELECT ZNAME FROM ZTHING ORDER BY Z_PK"
        #expect(try values(sql, name: "old.sqlite") == values(sql, name: "new.sqlite"))
    }

    @Test func whatIsThereStays() throws {
        let model = model(EntityDescription(name: "Thing", attributes: [attribute("name")]))
        try folder.directory.write("mine", to: "store.sqlite")
        #expect(throws: StoreError.self) { try folder.make(model) }
        try FileSystem.createDirectory(folder.directory.file(".other_SUPPORT"))
        #expect(throws: StoreError.self) { try folder.make(model, name: "other.sqlite") }
        try folder.directory.write("a log", to: "third.sqlite-wal")
        #expect(throws: StoreError.self) { try folder.make(model, name: "third.sqlite") }
        #expect(
            try FileSystem.names(in: folder.directory.path).sorted() == [
                ".other_SUPPORT", "store.sqlite", "third.sqlite-wal",
            ])
    }

    @Test func aRunThatIsCancelledLeavesNothing() throws {
        var data = AttributeDescription(name: "data", type: .binaryData)
        data.allowsExternalBinaryDataStorage = true
        let model = try ResolvedModel(model(EntityDescription(name: "Thing", attributes: [data])))
        var options = FixtureOptions(rows: 1500, seed: 1)
        options.isCancelled = { true }
        #expect(throws: FixtureError.cancelled) { try folder.make(model, options) }
        #expect(try FileSystem.names(in: folder.directory.path) == [])
    }

    @Test(arguments: [true, false])
    func aRelationshipWhoseInverseHasAnotherOneAsItsOwnLeadsNowhere(isOptional: Bool) throws {
        func toOne(_ name: String, _ entity: String, inverse: String, optional: Bool = true) -> RelationshipDescription
        {
            RelationshipDescription(
                name: name, destinationEntityName: entity, inverseName: inverse, isOptional: optional)
        }
        let model = model(
            EntityDescription(
                name: "Artist", attributes: [attribute("name")],
                relationships: [toOne("thumbnail", "Image", inverse: "owner")]),
            EntityDescription(
                name: "Image", attributes: [attribute("name")],
                relationships: [
                    toOne("owner", "Artist", inverse: "thumbnail"),
                    toOne("artist", "Artist", inverse: "thumbnail", optional: isOptional),
                ]))
        let report = try folder.make(model, rows: 12)
        #expect(try folder.faults(model) == [])
        #expect(try values("SELECT count(*) FROM ZIMAGE WHERE ZARTIST IS NOT NULL") == [.integer(0)])
        #expect(
            try values("SELECT count(*) > 0 FROM ZIMAGE WHERE ZOWNER IS NOT NULL") == [.integer(isOptional ? 1 : 0)])
        #expect(report.findings.contains { $0.code == .noLinks && $0.subject == "Image.artist" })
        #expect(report.findings.contains { $0.code == .noObjects && $0.subject == "Image" } == !isOptional)
    }
}

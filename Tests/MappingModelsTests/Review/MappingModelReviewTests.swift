import GeneratedStores
import ManagedObjectModels
import Testing

@testable import MappingModels

@Suite struct MappingModelReviewTests {
    private static func problems(_ mappings: [EntityMapping]) throws -> [String] {
        let source = try resolved([
            entity(
                "A", [attribute("text"), attribute("number", .integer32)],
                [relationship("one", to: "C", inverse: "many")]),
            entity("C", [attribute("name")], [relationship("many", to: "A", inverse: "one", many: true)]),
        ])
        let destination = try resolved([
            entity(
                "B", [attribute("text"), attribute("needed", .integer16, optional: false)],
                [relationship("one", to: "C", inverse: "many")]),
            entity("C", [attribute("name")], [relationship("many", to: "B", inverse: "one", many: true)]),
            entity("Base", abstract: true),
        ])
        return MappingModelReview(
            MappingModel(entityMappings: mappings), source: source, destination: destination,
            sourceHashes: ["A": [1]], destinationHashes: ["B": [2]]
        ).problems.map { "\($0.place.key ?? $0.place.property ?? "") \($0.kind)\($0.isWarning ? "?" : "")" }
    }

    private static let rest = EntityMapping(
        name: "C", type: .copy, sourceEntityName: "C", destinationEntityName: "C")

    private static func mapping(
        _ attributes: [PropertyMapping] = [], _ relationships: [PropertyMapping] = []
    ) -> EntityMapping {
        EntityMapping(
            name: "AToB", type: .transform, sourceEntityName: "A", destinationEntityName: "B",
            attributeMappings: attributes + [PropertyMapping(name: "needed", valueExpression: "1")],
            relationshipMappings: relationships)
    }

    @Test func aRightMappingHasNoProblems() throws {
        let found = try Self.problems([
            Self.mapping(
                [
                    PropertyMapping(
                        name: "text",
                        valueExpression: "FUNCTION($source.entity, \"name\") + $entityMapping.name + $source.one.name"),
                    PropertyMapping(name: "text2"),
                ].dropLast(),
                [
                    PropertyMapping(
                        name: "one",
                        valueExpression: "FUNCTION($manager, "
                            + "\"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"C\", $source.one)")
                ]), Self.rest,
        ])
        #expect(found == [])
    }

    @Test(arguments: [
        (PropertyMapping(name: "txet"), "txet unknownProperty"),
        (PropertyMapping(name: "one"), "one misplaced"),
        (PropertyMapping(name: "text", valueExpression: "$source.number"), "value typeMismatch"),
        (PropertyMapping(name: "text", valueExpression: "$source.one"), "value typeMismatch"),
        (PropertyMapping(name: "text", valueExpression: "$source.one.nam"), "value unknownKeyPath"),
        (PropertyMapping(name: "text", valueExpression: "$source.valueForKey:(\"txt\")"), "value unknownKeyPath"),
        (
            PropertyMapping(name: "text", valueExpression: "'x' + TERNARY(1 == $source.nr, 'a', 'b')"),
            "value unknownKeyPath"
        ),
        (PropertyMapping(name: "text", valueExpression: "uppercase($source.one.@nam.nam)"), "value unknownKeyPath"),
        (
            PropertyMapping(name: "text", valueExpression: "FUNCTION($entityPolicy, \"convert\", $source.name)"),
            "value unknownKeyPath"
        ),
    ])
    func attributesThatDoNotFitAreFound(_ property: PropertyMapping, _ expected: String) throws {
        #expect(try Self.problems([Self.mapping([property]), Self.rest]) == [expected])
    }

    @Test(arguments: [
        (PropertyMapping(name: "text"), "text misplaced"),
        (PropertyMapping(name: "two"), "two unknownProperty"),
        (PropertyMapping(name: "one", sourceMappingName: "CToC"), "mapping unknownMapping"),
        (
            PropertyMapping(
                name: "one",
                valueExpression: "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
                    + "\"X\", $source.two)"), "value unknownMapping|value unknownKeyPath"
        ),
    ])
    func relationshipsThatDoNotFitAreFound(_ property: PropertyMapping, _ expected: String) throws {
        #expect(try Self.problems([Self.mapping([], [property]), Self.rest]).joined(separator: "|") == expected)
    }

    @Test(arguments: [
        ("text == 'x' AND one.name LIKE 'y*'", []), ("one.many.@count > 1", []), ("nr > 1", ["filter unknownKeyPath"]),
        ("ANY one.many.nr > 1", ["filter unknownKeyPath"]), ("x >", ["filter unknownKeyPath"]),
    ])
    func filtersThatDoNotFitAreFound(_ filter: String, _ expected: [String]) throws {
        var mapping = Self.mapping()
        mapping.sourceFilter = filter
        #expect(try Self.problems([mapping, Self.rest]) == expected)
    }

    @Test func entitiesThatDoNotFitAreFound() throws {
        var wrongHash = Self.mapping()
        wrongHash.sourceEntityVersionHash = [9]
        wrongHash.destinationEntityVersionHash = [2]
        #expect(try Self.problems([wrongHash, Self.rest]) == ["sourceHash hashMismatch"])
        #expect(
            try Self.problems([
                EntityMapping(name: "X", type: .transform, sourceEntityName: "a", destinationEntityName: "Base"),
                EntityMapping(name: "Y", type: .transform, sourceEntityName: "A", destinationEntityName: "Base"),
                Self.rest,
            ]) == ["source unknownEntity", "destination abstractDestination"])
        #expect(try Self.problems([Self.rest]) == [" notMapped?"])
        var empty = Self.mapping()
        empty.attributeMappings = []
        #expect(
            try Self.problems([empty, empty, Self.rest]).sorted() == [
                " duplicate", " requiredNotFilled", " requiredNotFilled",
            ])
        empty.migrationPolicyClassName = "P"
        #expect(try Self.problems([empty, Self.rest]) == [" requiredNotFilled?"])
    }
}

import ManagedObjectModels
import ObjectValidation
import PersistentStores
import Testing

@Suite struct CountRuleTests {
    @Test(
        arguments: [
            // none is allowed where the relationship is optional, whatever the minimum
            (true, 2, 3, [nil, 1580, nil, nil, 1590]),
            (false, 2, 3, [1580, 1580, nil, nil, 1590]),
            (false, 1, 0, [1580, nil, nil, nil, nil]),
            (true, 0, 1, [nil, nil, 1590, 1590, 1590]),
        ] as [(Bool, Int, Int, [Int?])])
    func eachNumberOfDestinations(isOptional: Bool, minimum: Int, maximum: Int, codes: [Int?]) throws {
        let rule = try #require(
            CountRule(
                try relationship(isToMany: true, isOptional: isOptional, minimum: minimum, maximum: maximum)))
        #expect((0...4).map { rule.fault(Int64($0))?.code } == codes)
    }

    @Test func aRequiredToOneNeedsAnObject() throws {
        let rule = try #require(
            CountRule(try relationship(isToMany: false, isOptional: false, minimum: 0, maximum: 0)))
        #expect(rule.fault(0) == .missingRelationship)
        #expect(rule.fault(1) == nil)
    }

    private func relationship(
        isToMany: Bool, isOptional: Bool, minimum: Int, maximum: Int
    ) throws -> ResolvedRelationship {
        let model = try ResolvedModel(
            ManagedObjectModel(entities: [
                EntityDescription(
                    name: "E", attributes: [],
                    relationships: [
                        RelationshipDescription(
                            name: "r", destinationEntityName: "E", inverseName: "b", isToMany: isToMany,
                            isOptional: isOptional, minimumCount: minimum, maximumCount: maximum),
                        RelationshipDescription(name: "b", destinationEntityName: "E", inverseName: "r"),
                    ])
            ]))
        return try #require(model.entities[0].relationship(named: "r"))
    }
}

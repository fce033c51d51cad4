import Foundation
import GeneratedStores
import ManagedObjectModels
import MappingModels
import Testing

@Suite struct ModelDifferenceTests {
    private func difference(
        _ source: [EntityDescription], _ destination: [EntityDescription]
    ) throws -> ModelDifference {
        ModelDifference(try correspondence(source, destination))
    }

    private func property(
        _ name: String, _ source: [EntityDescription], _ destination: [EntityDescription]
    ) throws -> PropertyDifference {
        let all = try difference(source, destination).entities.flatMap(\.properties)
        return try #require(all.first { $0.name == name })
    }

    @Test func equalModelsDoNotDiffer() throws {
        let model = [entity("A", unique: [["x"]], [attribute("x")], [relationship("r", to: "A")])]
        let difference = try difference(model, model)
        #expect(difference.isEmpty)
        #expect(difference.risk == .none)
        #expect(!difference.changesVersionHashes)
        #expect(difference.text == "no differences\n")
    }

    @Test func entitiesComeGoAndAreRenamed() throws {
        let difference = try difference(
            [entity("Gone"), entity("Ghost", abstract: true), entity("Old")],
            [entity("Added"), entity("New", renamedFrom: "Old")])
        #expect(difference.entities.map(\.name) == ["Added", "Ghost", "Gone", "New"])
        #expect(difference.entities.map(\.kind) == [.added, .removed, .removed, .renamed])
        #expect(difference.entities.map(\.risk) == [.none, .none, .destructive, .rename])
        #expect(difference.entities.last?.formerName == "Old")
        #expect(difference.risk == .destructive)
        #expect(difference.entities.allSatisfy { $0.changesVersionHash })
    }

    @Test func propertiesComeGoAndAreRenamed() throws {
        let difference = try difference(
            [entity("A", [attribute("gone"), attribute("old")])],
            [entity("A", [attribute("added"), attribute("new", renamedFrom: "old")])])
        let properties = try #require(difference.entities.first).properties
        #expect(properties.map(\.name) == ["added", "gone", "new"])
        #expect(properties.map(\.kind) == [.added, .removed, .renamed])
        #expect(properties.map(\.ownRisk) == [.none, .destructive, .rename])
        #expect(properties.first?.summary == "String, optional")
        #expect(properties.last?.formerName == "old")
    }

    /// A change of one facet of a property, and how it is judged.
    struct FacetCase<Property: Sendable>: Sendable, CustomTestStringConvertible {
        let facet: ModelFacet
        let risk: ChangeRisk
        let changesHash: Bool
        let source: Property
        let destination: Property
        var testDescription: String { "\(facet.label), \(risk.rawValue)" }

        init(
            _ facet: ModelFacet, _ risk: ChangeRisk, hash: Bool, from source: Property, _ edit: (inout Property) -> Void
        ) {
            self.facet = facet
            self.risk = risk
            changesHash = hash
            self.source = source
            var destination = source
            edit(&destination)
            self.destination = destination
        }
    }

    typealias AttributeCase = FacetCase<AttributeDescription>
    typealias RelationshipCase = FacetCase<RelationshipDescription>

    static let attributeCases: [AttributeCase] = [
        AttributeCase(.type, .destructive, hash: true) { $0.type = .date },
        AttributeCase(.optional, .dataDependent, hash: true) { $0.isOptional = false },
        AttributeCase(.optional, .none, hash: true, from: attribute("x", default: .string(""))) {
            $0.isOptional = false
        },
        AttributeCase(.optional, .none, hash: true, from: attribute("x", optional: false)) { $0.isOptional = true },
        AttributeCase(.transient, .destructive, hash: true) { $0.isTransient = true },
        AttributeCase(.transient, .none, hash: true, from: attribute("x", transient: true)) { $0.isTransient = false },
        AttributeCase(.transient, .dataDependent, hash: true, from: attribute("x", optional: false, transient: true)) {
            $0.isTransient = false
        },
        AttributeCase(.derivation, .destructive, hash: true) { $0.derivationExpression = "now()" },
        AttributeCase(.derivation, .none, hash: true, from: attribute("x", derived: "now()")) {
            $0.derivationExpression = "y"
        },
        AttributeCase(.derivation, .none, hash: true, from: attribute("x", derived: "now()")) {
            $0.derivationExpression = nil
        },
        AttributeCase(.derivation, .dataDependent, hash: true, from: attribute("x", optional: false, derived: "now()"))
        {
            $0.derivationExpression = nil
        },
        AttributeCase(.externalStorage, .destructive, hash: true, from: attribute("x", .binaryData, external: true)) {
            $0.allowsExternalBinaryDataStorage = false
        },
        AttributeCase(.type, .none, hash: false, from: attribute("x", .date, derived: "now()")) { $0.type = .double },
        AttributeCase(.defaultValue, .none, hash: false) { $0.defaultValue = .string("d") },
        AttributeCase(.minimum, .dataDependent, hash: false) { $0.validation.minimum = .integer(1) },
        AttributeCase(.maximum, .dataDependent, hash: false) { $0.validation.maximum = .integer(1) },
        AttributeCase(
            .maximum, .none, hash: false,
            from: AttributeDescription(name: "x", type: .integer16, validation: .init(maximum: .integer(5)))
        ) { $0.validation.maximum = .integer(6) },
        AttributeCase(
            .minimum, .none, hash: false,
            from: AttributeDescription(name: "x", type: .integer16, validation: .init(minimum: .integer(5)))
        ) { $0.validation.minimum = nil },
        AttributeCase(.pattern, .dataDependent, hash: false) { $0.validation.regularExpression = "a+" },
        AttributeCase(.validation, .dataDependent, hash: false) {
            $0.validation.otherPredicates = [ValidationPredicate(predicateFormat: "SELF != \"a\"")]
        },
        AttributeCase(.externalStorage, .none, hash: true) { $0.allowsExternalBinaryDataStorage = true },
        AttributeCase(.preservedInHistory, .none, hash: true) { $0.preservesValueInHistoryOnDeletion = true },
        AttributeCase(.cloudEncryption, .none, hash: false) { $0.allowsCloudEncryption = true },
        AttributeCase(.valueTransformer, .dataDependent, hash: false) { $0.valueTransformerName = "T" },
        AttributeCase(.valueClass, .none, hash: false) { $0.attributeValueClassName = "C" },
        AttributeCase(.scalarValues, .none, hash: false) { $0.usesScalarValueType = true },
        AttributeCase(.indexed, .none, hash: false) { $0.isIndexed = true },
        AttributeCase(.syncable, .none, hash: false) { $0.isSyncable = false },
        AttributeCase(.spotlight, .none, hash: false) { $0.isSpotlightIndexed = true },
        AttributeCase(.truthFile, .none, hash: false) { $0.isStoredInTruthFile = true },
        AttributeCase(.renamingIdentifier, .none, hash: false) { $0.renamingIdentifier = "y" },
        AttributeCase(.hashModifier, .none, hash: true) { $0.versionHashModifier = "1" },
        AttributeCase(.userInfo, .none, hash: false) { $0.userInfo = ["k": "v"] },
    ]

    @Test(arguments: attributeCases)
    func attributeFacetsAreFoundAndJudged(_ change: AttributeCase) throws {
        let found = try property("x", [entity("A", [change.source])], [entity("A", [change.destination])])
        #expect(found.kind == .changed)
        #expect(found.changes.map(\.facet) == [change.facet])
        #expect(found.risk == change.risk)
        #expect(found.changesVersionHash == change.changesHash)
        let entity = try difference([entity("A", [change.source])], [entity("A", [change.destination])]).entities.first
        #expect(entity?.changesVersionHash == change.changesHash)
    }

    static let relationshipCases: [RelationshipCase] = [
        RelationshipCase(.cardinality, .destructive, hash: false) { $0.isToMany = false },
        RelationshipCase(.cardinality, .none, hash: false, from: relationship("x", to: "A")) { $0.isToMany = true },
        RelationshipCase(.ordered, .none, hash: true) { $0.isOrdered = true },
        RelationshipCase(
            .ordered, .destructive, hash: true, from: relationship("x", to: "A", many: true, ordered: true)
        ) { $0.isOrdered = false },
        RelationshipCase(.optional, .dataDependent, hash: true) { $0.isOptional = false },
        RelationshipCase(.minimumCount, .dataDependent, hash: true) { $0.minimumCount = 2 },
        RelationshipCase(.maximumCount, .dataDependent, hash: true) { $0.maximumCount = 2 },
        RelationshipCase(.destination, .none, hash: true) { $0.destinationEntityName = "P" },
        RelationshipCase(.destination, .dataDependent, hash: true) { $0.destinationEntityName = "B" },
        RelationshipCase(.transient, .destructive, hash: true) { $0.isTransient = true },
        RelationshipCase(.deleteRule, .none, hash: false) { $0.deleteRule = .cascade },
        RelationshipCase(.indexed, .none, hash: false) { $0.isIndexed = true },
        RelationshipCase(.hashModifier, .none, hash: true) { $0.versionHashModifier = "1" },
        RelationshipCase(.userInfo, .none, hash: false) { $0.userInfo = ["k": "v"] },
        RelationshipCase(.inverse, .none, hash: true) { $0.inverseName = "y" },
    ]

    @Test(arguments: relationshipCases)
    func relationshipFacetsAreFoundAndJudged(_ change: RelationshipCase) throws {
        func model(_ relationship: RelationshipDescription) -> [EntityDescription] {
            var model = [entity("P"), entity("A", parent: "P", [], [relationship]), entity("B", parent: "P")]
            if let inverse = relationship.inverseName {
                model[1].relationships.append(GeneratedStores.relationship(inverse, to: "A", inverse: "x"))
            }
            return model
        }
        let found = try property("x", model(change.source), model(change.destination))
        #expect(found.changes.map(\.facet) == [change.facet])
        #expect(found.risk == change.risk)
        #expect(found.changesVersionHash == change.changesHash)
    }

    @Test func namesThatFollowARenamingAreNoRisk() throws {
        let difference = try difference(
            [
                entity("A", [], [relationship("r", to: "B", inverse: "old")]),
                entity("B", [], [relationship("old", to: "A", inverse: "r")]), entity("C", parent: "B"),
            ],
            [
                entity("A", [], [relationship("r", to: "D", inverse: "new")]),
                entity("D", renamedFrom: "B", [], [relationship("new", to: "A", inverse: "r", renamedFrom: "old")]),
                entity("C", parent: "D"),
            ])
        let found = difference.entities.flatMap(\.properties).first { $0.name == "r" }
        #expect(found?.changes.map(\.facet) == [.destination, .inverse])
        #expect(found?.risk == ChangeRisk.none)
        #expect(difference.entities.first { $0.name == "C" }?.changes.map(\.risk) == [ChangeRisk.none])
        #expect(difference.risk == .rename)
    }

    @Test func entityFacetsAreFoundAndJudged() throws {
        var old = entity("A", [attribute("x")])
        old.managedObjectClassName = "A"
        var new = entity("A", abstract: true, unique: [["x"]], [attribute("x")])
        new.managedObjectClassName = "MyA"
        new.fetchIndexes = [
            FetchIndexDescription(name: "byX", elements: [.init(propertyName: "x", isAscending: false)])
        ]
        new.userInfo = ["k": "v"]
        let changes = try #require(try difference([old], [new]).entities.first).changes
        #expect(
            changes.map(\.facet) == [.managedObjectClass, .abstract, .uniquenessConstraint, .fetchIndex, .userInfo])
        #expect(changes.map(\.risk) == [.none, .dataDependent, .dataDependent, .none, .none])
        #expect(changes.map(\.changesVersionHash) == [false, true, true, false, false])
        #expect(changes.map(\.new) == ["MyA", "yes", "x", "x descending", "\"v\""])
    }

    @Test func aConstraintThatFollowsARenamedAttributeIsNoRisk() throws {
        let difference = try difference(
            [entity("A", unique: [["x"]], [attribute("x")])],
            [entity("A", unique: [["y"]], [attribute("y", renamedFrom: "x")])])
        #expect(difference.entities.first?.changes.map(\.risk) == [ChangeRisk.none, .none])
    }

    @Test func mergedHierarchiesAreDestructive() throws {
        let difference = try difference(
            [entity("A"), entity("B")], [entity("P"), entity("A", parent: "P"), entity("B", parent: "P")])
        #expect(difference.entities.map(\.risk) == [.destructive, .destructive, .none])
    }

    @Test func aPropertyThatMovesUpIsNotLost() throws {
        let found = try difference(
            [entity("P"), entity("A", parent: "P", [attribute("x", optional: false)])],
            [entity("P", [attribute("x", optional: false)]), entity("A", parent: "P")])
        #expect(found.entities.map(\.name) == ["A", "P"])
        #expect(found.entities.first?.properties.isEmpty == true)
        let moved = try #require(found.entities.last?.properties.first)
        #expect(moved.changes.map(\.facet) == [.declaringEntity])
        #expect(moved.changes.first?.old == "A")
        // Objects of P itself have no value.
        #expect(moved.risk == .dataDependent)
        #expect(moved.changes.first?.explanation?.hasSuffix("objects of P") == true)
    }

    @Test func aPropertyThatMovesDownIsLostWhereItDoesNotArrive() throws {
        let found = try difference(
            [entity("P", abstract: true, [attribute("x")]), entity("A", parent: "P"), entity("B", parent: "P")],
            [entity("P", abstract: true), entity("A", parent: "P", [attribute("x")]), entity("B", parent: "P")])
        let removed = try #require(found.entities.first { $0.name == "P" }?.properties.first)
        #expect(removed.kind == .removed)
        #expect(removed.explanation == "its values in B are dropped")
        #expect(found.entities.first { $0.name == "A" }?.properties.first?.changes.map(\.facet) == [.declaringEntity])
    }

    @Test func anHeirsHashFollowsItsParents() throws {
        let found = try difference(
            [entity("P"), entity("A", parent: "P"), entity("B")],
            [entity("P", [attribute("x")]), entity("A", parent: "P"), entity("B")])
        #expect(found.entities.map(\.name) == ["A", "P"])
        #expect(found.entities.allSatisfy { $0.changesVersionHash })
    }

    @Test func knownHashesDecide() throws {
        let pairs = try correspondence([entity("A")], [entity("A", [attribute("x")])])
        let found = ModelDifference(pairs, sourceHashes: ["A": [1]], destinationHashes: ["A": [1]])
        #expect(!found.changesVersionHashes)
    }

    @Test func theModelsOwnChangesAreListed() throws {
        var new = ManagedObjectModel(entities: [entity("A")], versionIdentifiers: ["2"])
        new.configurations = [ConfigurationDescription(name: "Cloud", entityNames: ["A"], isUsedWithCloudKit: true)]
        new.fetchRequestTemplates = [FetchRequestTemplate(name: "all", entityName: "A", predicateFormat: "x == 1")]
        new.composites = [CompositeDescription(name: "Point", elements: [attribute("x", .double)])]
        let found = ModelDifference(
            ModelCorrespondence(source: try resolved([entity("A")]), destination: try ResolvedModel(new)))
        #expect(found.entities.isEmpty)
        #expect(
            found.changes.map(\.facet) == [.versionIdentifiers, .compositeType, .configuration, .fetchRequestTemplate])
        #expect(found.changes.map(\.new) == ["2", "x Double", "A (CloudKit)", "A where x == 1"])
        #expect(!found.isEmpty)
    }

    @Test func fetchedPropertiesPairByName() throws {
        func model(_ predicate: String?) -> [EntityDescription] {
            var model = entity("A")
            model.fetchedProperties =
                predicate.map {
                    [
                        FetchedPropertyDescription(
                            name: "f",
                            fetchRequest: FetchRequestTemplate(name: "r", entityName: "A", predicateFormat: $0))
                    ]
                } ?? []
            return [model]
        }
        #expect(try property("f", model(nil), model("a")).kind == .added)
        #expect(try property("f", model("a"), model(nil)).risk == .none)
        #expect(try property("f", model("a"), model("b")).changes.map(\.facet) == [.fetchRequest])
        #expect(try difference(model("a"), model("b")).entities.first?.changesVersionHash == false)
    }

    @Test func theTextIsAlignedAndGrouped() throws {
        let text = try difference(
            [entity("Car", [attribute("maker"), attribute("year", .decimal)]), entity("Old")],
            [
                entity("Car", [attribute("brand", renamedFrom: "maker"), attribute("year", .integer32)]),
                entity("New", renamedFrom: "Old"),
            ]
        ).text
        #expect(
            text == """
                ~ entity Car   [other version hash]
                  > brand  was maker                    rename: versions of the app before this one look for maker
                  ~ year   type: Decimal -> Integer 32  destructive: the values must be converted, \
                which needs a custom mapping model

                > entity New (was Old)   rename: versions of the app before this one look for Old   [other version hash]

                """)
    }

    @Test func theJSONFormReadsBack() throws {
        let found = try difference(
            [entity("A", [attribute("x")]), entity("B")], [entity("A", [attribute("x", .date)])])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(found)
        #expect(try JSONDecoder().decode(ModelDifference.self, from: data) == found)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""facet":"type","new":"Date","old":"String","risk":"destructive""#))
    }
}

extension ModelDifferenceTests.FacetCase<AttributeDescription> {
    init(_ facet: ModelFacet, _ risk: ChangeRisk, hash: Bool, _ edit: (inout AttributeDescription) -> Void) {
        self.init(facet, risk, hash: hash, from: attribute("x"), edit)
    }
}

extension ModelDifferenceTests.FacetCase<RelationshipDescription> {
    init(_ facet: ModelFacet, _ risk: ChangeRisk, hash: Bool, _ edit: (inout RelationshipDescription) -> Void) {
        self.init(facet, risk, hash: hash, from: relationship("x", to: "A", many: true), edit)
    }
}

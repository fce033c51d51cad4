import ManagedObjectModels
import Testing

@Suite
struct ModelHashesTests {
    private func hashes(_ model: ManagedObjectModel) throws -> [String: EntityHash] {
        let list = ModelHashes.entityHashes(of: try ResolvedModel(model))
        return Dictionary(uniqueKeysWithValues: list.map { ($0.entityName, $0) })
    }

    private func model(
        _ entities: EntityDescription..., composites: [CompositeDescription] = []
    ) -> ManagedObjectModel {
        ManagedObjectModel(entities: entities, composites: composites)
    }

    @Test
    func theEntityOfXcodesTemplateHasTheHashThatEverySuchAppsStoreHas() throws {
        let event = EntityDescription(
            name: "Event", attributes: [AttributeDescription(name: "timeStamp", type: .date, isOptional: true)])
        let hash = try hashes(model(event))["Event"]
        #expect(hash?.hash.hex == "5431c046d30e7f32c2cc809958add1e7579ad104a3aa8fc4846e97d7af01cc79")
        #expect(hash?.isProven == true)
    }

    @Test
    func aDerivedAttributeCountsAsItsExpression() throws {
        let item = EntityDescription(
            name: "Item",
            attributes: [
                AttributeDescription(name: "updatedAt", type: .date, isOptional: true, derivationExpression: "now()"),
                AttributeDescription(name: "timestamp", type: .date, isOptional: true),
            ])
        let hash = try hashes(model(item))["Item"]
        #expect(hash?.hash.hex == "b6c91c38d3288d74e7155424d5e50ee447978b1b6f5185360196366ab209d12b")
        #expect(hash?.isProven == true)
    }

    @Test
    func aCompositeAttributeCountsAsItsElements() throws {
        let ingredient = EntityDescription(
            name: "Ingredient",
            attributes: [
                AttributeDescription(name: "id", type: .uuid), AttributeDescription(name: "value", type: .double),
                AttributeDescription(name: "unit", type: .composite, compositeName: "Unit"),
            ],
            relationships: [
                RelationshipDescription(
                    name: "ingredientBase", destinationEntityName: "IngredientBase", isOptional: false)
            ])
        let unit = CompositeDescription(
            name: "Unit", elements: [AttributeDescription(name: "unit", type: .string, isOptional: true)])
        let hash = try hashes(model(ingredient, EntityDescription(name: "IngredientBase"), composites: [unit]))
        #expect(hash["Ingredient"]?.hash.hex == "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a")
        #expect(hash["Ingredient"]?.isProven == true)
    }

    @Test
    func featuresWhosePartIsNotConfirmedAreNamed() throws {
        var parent = EntityDescription(name: "Parent")
        parent.attributes = [
            AttributeDescription(
                name: "both", type: .binaryData, allowsExternalBinaryDataStorage: true,
                preservesValueInHistoryOnDeletion: true),
            AttributeDescription(name: "folded", type: .string, derivationExpression: "canonical:(both)"),
            AttributeDescription(name: "counted", type: .integer64, derivationExpression: "friends.@count"),
            AttributeDescription(name: "open", type: .undefined),
            AttributeDescription(name: "hidden", type: .undefined, isTransient: true),
        ]
        parent.relationships = [
            RelationshipDescription(
                name: "friends", destinationEntityName: "Parent", inverseName: "friends", isToMany: true)
        ]
        let heir = EntityDescription(
            name: "Erbe ä", superentityName: "Parent", uniquenessConstraints: [["b"], ["A"]])
        let found = try hashes(model(parent, heir))
        #expect(
            Set(found["Parent"]?.doubts ?? []) == [
                .externalAndPreserved(attribute: "both"),
                .derivation(attribute: "folded", expression: "canonical:(both)"), .undefinedType(attribute: "open"),
            ])
        #expect(found["Erbe ä"]?.doubts.contains(.inheritedSelfInverse(relationship: "friends")) == true)
        #expect(found["Erbe ä"]?.doubts.contains(.name("Erbe ä")) == true)
        #expect(found["Erbe ä"]?.doubts.contains(.constraintOrder) == false)
        #expect(found["Erbe ä"]?.doubts.contains(.undefinedType(attribute: "open")) == true)
    }

    @Test
    func whatMakesStoresIncompatibleChangesTheHashAndNothingElseDoes() throws {
        var entity = EntityDescription(
            name: "E", attributes: [AttributeDescription(name: "a", type: .string)],
            relationships: [RelationshipDescription(name: "r", destinationEntityName: "E")])
        let before = try #require(try hashes(model(entity))["E"]).hash

        func hash(_ change: (inout EntityDescription) -> Void) throws -> VersionHash? {
            var changed = entity
            change(&changed)
            return try hashes(model(changed))["E"]?.hash
        }
        #expect(try hash { $0.attributes[0].isOptional = true } != before)
        #expect(try hash { $0.attributes[0].type = .uri } != before)
        #expect(try hash { $0.attributes[0].isTransient = true } != before)
        #expect(try hash { $0.attributes[0].versionHashModifier = "1" } != before)
        #expect(try hash { $0.attributes[0].allowsExternalBinaryDataStorage = true } != before)
        #expect(try hash { $0.relationships[0].isToMany = true } == before)
        #expect(try hash { $0.relationships[0].maximumCount = 0 } != before)
        #expect(try hash { $0.relationships[0].minimumCount = 1 } != before)
        #expect(try hash { $0.relationships[0].isOrdered = true } != before)
        #expect(try hash { $0.relationships[0].inverseName = "other" } != before)
        #expect(try hash { $0.relationships[0].inverseName = "r" } == before)
        #expect(try hash { $0.isAbstract = true } != before)
        #expect(try hash { $0.versionHashModifier = "1" } != before)
        #expect(try hash { $0.uniquenessConstraints = [["a"]] } != before)
        #expect(try hash { $0.managedObjectClassName = "C" } == before)
        #expect(try hash { $0.renamingIdentifier = "D" } == before)
        #expect(try hash { $0.attributes[0].defaultValue = .string("x") } == before)
        #expect(try hash { $0.attributes[0].renamingIdentifier = "b" } == before)
        #expect(try hash { $0.relationships[0].deleteRule = .cascade } == before)
        #expect(try hash { $0.fetchIndexes = [FetchIndexDescription(name: "i", elements: [])] } == before)
        entity.attributes.reverse()
        #expect(try hashes(model(entity))["E"]?.hash == before)
    }

    @Test
    func anHeirsHashDependsOnItsSuperentity() throws {
        let heir = EntityDescription(name: "Heir", superentityName: "Base")
        let plain = try hashes(model(EntityDescription(name: "Base"), heir))
        let modified = try hashes(model(EntityDescription(name: "Base", versionHashModifier: "1"), heir))
        #expect(plain["Heir"]?.hash != modified["Heir"]?.hash)
    }

    @Test
    func theBytesOfAHashReadAndWriteAsHexadecimalDigitsAndAsBase64() throws {
        let bytes = (0..<32).map { UInt8($0 * 8) }
        let hash = try #require(VersionHash(bytes: bytes))
        #expect(hash.bytes == bytes)
        #expect(VersionHash(hex: hash.hex) == hash)
        #expect(VersionHash(hex: hash.hex.uppercased()) == hash)
        #expect(VersionHash(base64: hash.base64) == hash)
        #expect(hash.description == hash.hex)
        #expect(VersionHash(bytes: Array(bytes.dropLast())) == nil)
        #expect(VersionHash(hex: "xyz") == nil)
        #expect(VersionHash(base64: "AAAA") == nil)
    }
}

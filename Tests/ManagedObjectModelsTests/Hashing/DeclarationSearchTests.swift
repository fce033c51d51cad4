import ManagedObjectModels
import Testing

/// The changes of declarations that give a hash.
@Suite struct DeclarationSearchTests {
    private static let entity = EntityDescription(
        name: "A",
        attributes: [
            AttributeDescription(name: "x", type: .string, isOptional: false),
            AttributeDescription(name: "y", type: .integer64, isOptional: true),
            AttributeDescription(name: "z", type: .date, isOptional: true),
        ],
        relationships: [RelationshipDescription(name: "b", destinationEntityName: "B", maximumCount: 1)])

    private static func model(_ change: (inout EntityDescription) -> Void) -> ManagedObjectModel {
        var entity = entity
        change(&entity)
        return ManagedObjectModel(entities: [entity, EntityDescription(name: "B")])
    }

    private func change(_ other: (inout EntityDescription) -> Void, effort: Int = 100_000) throws -> String? {
        let hash = try #require(ModelHashes.hash(of: "A", in: Self.model(other)))
        return DeclarationSearch(effort: effort).change(of: "A", in: Self.model { _ in }, giving: hash.bytes)
    }

    @Test func aSingleChangeIsNamed() throws {
        #expect(try change { $0.attributes[0].isOptional = true } == "x is optional")
        #expect(try change { $0.attributes[1].type = .double } == "y is of the type Double")
        #expect(try change { $0.uniquenessConstraints = [["x"]] } == "x is unique")
        #expect(try change { $0.attributes.removeFirst() } == "does not have x")
    }

    @Test func twoChangesAreBothNamed() throws {
        let found = try change {
            $0.attributes[0].isOptional = true
            $0.attributes[1].isOptional = false
        }
        #expect(found == "x is optional, and y is required")
        let removed = try change {
            $0.attributes.removeFirst()
            $0.attributes[0].type = .double
        }
        #expect(removed == "does not have x, and y is of the type Double")
    }

    @Test func threeChangesOfAllKindsAreNamed() throws {
        let found = try change {
            $0.attributes[0].isOptional = true
            $0.attributes[1].type = .double
            $0.relationships[0].isToMany = true
            $0.relationships[0].maximumCount = 0
        }
        #expect(found == "x is optional, y is of the type Double, and b is to-many")
    }

    /// Two changes of one property that are no single one are not tried.
    @Test func otherChangesAreNotFound() throws {
        #expect(try change { $0.attributes[1].name = "other" } == nil)
        let found = try change {
            $0.attributes[1].isOptional = false
            $0.attributes[1].allowsExternalBinaryDataStorage = true
        }
        #expect(found == nil)
    }

    /// A class that got many properties since, some of them in a constraint.
    @Test func manyNewPropertiesAreNamed() throws {
        var entity = EntityDescription(
            name: "A", attributes: (0..<5).map { AttributeDescription(name: "p\($0)", type: .string) })
        let old = entity
        entity.attributes += ["q", "r", "s", "t"].map { AttributeDescription(name: $0, type: .date) }
        entity.uniquenessConstraints = [["q", "r"], ["s"]]
        let hash = try #require(ModelHashes.hash(of: "A", in: ManagedObjectModel(entities: [old])))
        let found = DeclarationSearch(effort: 200_000).change(
            of: "A", in: ManagedObjectModel(entities: [entity]), giving: hash.bytes)
        #expect(found == "does not have q, does not have r, does not have s, and does not have t")
    }

    @Test func manyLikelyChangesAreNamed() throws {
        let found = try change {
            $0.attributes[0].isOptional = true
            $0.attributes[1].isOptional = false
            $0.attributes.removeAll { $0.name == "z" }
            $0.relationships[0].isOptional = false
        }
        #expect(found == "x is optional, y is required, does not have z, and b is required")
    }

    /// Inherited properties are not the entity's own, and its parents keep theirs.
    @Test func anEntityWithAParentKeepsWhatItInherits() throws {
        func model(_ change: (inout EntityDescription) -> Void) -> ManagedObjectModel {
            var child = Self.entity
            child.superentityName = "Parent"
            change(&child)
            let parent = EntityDescription(
                name: "Parent", attributes: [AttributeDescription(name: "inherited", type: .date)])
            return ManagedObjectModel(entities: [child, parent, EntityDescription(name: "B")])
        }
        let hash = try #require(ModelHashes.hash(of: "A", in: model { $0.attributes[1].type = .date }))
        let found = DeclarationSearch().change(of: "A", in: model { _ in }, giving: hash.bytes)
        #expect(found == "y is of the type Date")
    }

    @Test func theSearchEndsWithItsEffort() throws {
        #expect(try change({ $0.attributes[0].isOptional = true }, effort: 3) == nil)
        #expect(try change({ $0.attributes[0].isOptional = true }, effort: 0) == nil)
    }

    @Test func oneEntityHasTheHashThatItHasInTheWholeModel() throws {
        let model = Self.model { _ in }
        #expect(try ModelHashes.hash(of: "A", in: model) == ModelHashes.hashes(of: ResolvedModel(model))["A"])
        #expect(ModelHashes.hash(of: "C", in: model) == nil)
    }
}

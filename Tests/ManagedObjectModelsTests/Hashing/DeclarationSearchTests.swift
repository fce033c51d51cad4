import ManagedObjectModels
import Testing

/// The one change of a declaration that gives a hash.
@Suite struct DeclarationSearchTests {
    private static let entity = EntityDescription(
        name: "A",
        attributes: [
            AttributeDescription(name: "x", type: .string, isOptional: false),
            AttributeDescription(name: "y", type: .integer64, isOptional: true),
        ])

    private static func model(_ change: (inout EntityDescription) -> Void) -> ManagedObjectModel {
        var entity = entity
        change(&entity)
        return ManagedObjectModel(entities: [entity, EntityDescription(name: "B")])
    }

    private func change(_ other: (inout EntityDescription) -> Void, effort: Int = 10_000) throws -> String? {
        let hash = try #require(ModelHashes.hash(of: "A", in: Self.model(other)))
        var search = DeclarationSearch(effort: effort)
        return search.change(of: "A", in: Self.model { _ in }, giving: hash.bytes)
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

    @Test func threeChangesAreNotFound() throws {
        let found = try change {
            $0.attributes[0].isOptional = true
            $0.attributes[1].isOptional = false
            $0.attributes[1].allowsExternalBinaryDataStorage = true
        }
        #expect(found == nil)
    }

    @Test func theSearchEndsWithItsEffort() throws {
        #expect(try change({ $0.attributes[0].isOptional = true }, effort: 3) == nil)
    }

    @Test func oneEntityHasTheHashThatItHasInTheWholeModel() throws {
        let model = Self.model { _ in }
        #expect(try ModelHashes.hash(of: "A", in: model) == ModelHashes.hashes(of: ResolvedModel(model))["A"])
        #expect(ModelHashes.hash(of: "C", in: model) == nil)
    }
}

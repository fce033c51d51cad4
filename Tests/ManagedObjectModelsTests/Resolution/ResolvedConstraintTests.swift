import ManagedObjectModels
import Testing

/// Uniqueness constraints with those that an entity inherits.
@Suite struct ResolvedConstraintTests {
    private static func model() throws -> ResolvedModel {
        func entity(_ name: String, under parent: String?, _ constraints: [[String]]) -> EntityDescription {
            var entity = EntityDescription(name: name)
            entity.superentityName = parent
            entity.uniquenessConstraints = constraints
            return entity
        }
        return try ResolvedModel(
            ManagedObjectModel(entities: [
                entity("Top", under: nil, [["a"], ["b", "c"]]), entity("Middle", under: "Top", []),
                entity("Bottom", under: "Middle", [[], ["d"]]), entity("Other", under: "Top", [["e"]]),
            ]))
    }

    @Test func theNearestComeFirstInTheOrderOfTheModel() throws {
        let model = try Self.model()
        func constraints(_ name: String) throws -> [String] {
            let slot = try #require(model.entity(named: name)).slot
            return model.uniquenessConstraints(of: slot).map { constraint in
                "\(model.entities[constraint.entity].name) \(constraint.place) \(constraint.properties.joined(separator: "+"))"
            }
        }
        #expect(try constraints("Top") == ["Top 0 a", "Top 1 b+c"])
        #expect(try constraints("Middle") == ["Top 0 a", "Top 1 b+c"])
        // One without properties says nothing, and counts among the places.
        #expect(try constraints("Bottom") == ["Bottom 1 d", "Top 0 a", "Top 1 b+c"])
        #expect(try constraints("Other") == ["Other 0 e", "Top 0 a", "Top 1 b+c"])
    }
}

import GeneratedStores
import ManagedObjectModels

/// A model of people with bosses: one entity, and a to-one with its inverse.
enum PeopleModel {
    static func resolved() throws -> ResolvedModel {
        try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "Person", [attribute("name")],
                    [
                        relationship("boss", to: "Person", inverse: "staff"),
                        relationship("staff", to: "Person", inverse: "boss", many: true),
                    ])
            ]))
    }
}

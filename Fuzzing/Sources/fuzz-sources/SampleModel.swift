import ManagedObjectModels

/// A model that drafts are made for.
enum SampleModel {
    static func model() throws -> ResolvedModel {
        func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
            AttributeDescription(name: name, type: type, isOptional: true)
        }
        return try ResolvedModel(
            ManagedObjectModel(entities: [
                EntityDescription(
                    name: "A",
                    attributes: [
                        attribute("a", .string), attribute("b", .date), attribute("c", .decimal),
                        attribute("d", .boolean), attribute("e", .binaryData),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "rs", destinationEntityName: "R", inverseName: "a", isToMany: true)
                    ]),
                EntityDescription(
                    name: "R", attributes: [attribute("x", .integer32), attribute("text", .string)],
                    relationships: [RelationshipDescription(name: "a", destinationEntityName: "A", inverseName: "rs")]),
            ]))
    }
}

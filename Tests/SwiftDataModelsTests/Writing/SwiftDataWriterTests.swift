import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct SwiftDataWriterTests {
    private func readBack(_ text: String) throws -> ModelVersions {
        let source = try SourceFolder(text)
        let versions = try ModelVersions(path: source.folder.path, swiftData: SwiftDataSelection())
        // They are read before the folder goes.
        for version in versions.versions { _ = try version.document() }
        return versions
    }

    @Test
    func whatSourcesDeclareComesBackWithItsHashes() throws {
        let versions = try ModelVersions(path: Samples.path + "/Trips", swiftData: SwiftDataSelection())
        let writer = try SwiftDataWriter(versions.versions.map { ($0.name, try $0.document()) })
        #expect(writer.warnings.isEmpty, "\(writer.warnings)")
        let again = try readBack(writer.text)
        #expect(again.versions.map(\.name) == ["TripsSchemaV1", "TripsSchemaV2"])
        for (old, new) in zip(versions.versions, again.versions) {
            let (model, other) = try (old.model(), new.model())
            #expect(
                try ModelHashes.hashes(of: ResolvedModel(model)) == ModelHashes.hashes(of: ResolvedModel(other)))
            #expect(model.versionIdentifiers == other.versionIdentifiers)
            for (entity, copy) in zip(model.entities, other.entities) {
                #expect(entity.attributes.map(\.defaultValue) == copy.attributes.map(\.defaultValue))
                #expect(entity.relationships == copy.relationships)
                #expect(entity.fetchIndexes == copy.fetchIndexes)
                #expect(
                    entity.uniquenessConstraints.sorted { $0[0] < $1[0] }
                        == copy.uniquenessConstraints.sorted { $0[0] < $1[0] })
            }
        }
    }

    /// The model in a store may not name the class of an array; its default tells.
    @Test(
        arguments: [
            ([], nil, nil, "[String] = []", "[String] is assumed"),
            ([.string("a")], nil, nil, "[String] = [\"a\"]", nil),
            ([AttributeValue.binary([1])], nil, nil, "[Data] = [Data([1])]", nil),
            ([.string("a")], "Tags", nil, "Tags", "the default value"),
            ([.string("a")], nil, "TagTransformer", "NSObject", "the default value"),
        ] as [([AttributeValue], String?, String?, String, String?)])
    func anArrayHasTheTypeThatItsDefaultTells(
        elements: [AttributeValue], className: String?, transformer: String?, declaration: String, warning: String?
    ) throws {
        let attribute = AttributeDescription(
            name: "tags", type: .transformable, defaultValue: .array(elements), valueTransformerName: transformer,
            attributeValueClassName: className)
        let model = ManagedObjectModel(entities: [EntityDescription(name: "A", attributes: [attribute])])
        let writer = try SwiftDataWriter([("V1", ModelDocument(model: model))])
        #expect(writer.text.contains("var tags: \(declaration)\n"), "\(writer.text)")
        #expect(writer.warnings.count == (warning == nil ? 0 : 1), "\(writer.warnings)")
        #expect(warning.map { "\(writer.warnings)".contains($0) } ?? true, "\(writer.warnings)")
    }

    @Test
    func everyTypeAndOptionIsWritten() throws {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid,
            .uri, .transformable,
        ]
        var attributes = types.enumerated().map { index, type in
            AttributeDescription(name: "a\(index)", type: type, isOptional: index % 2 == 0)
        }
        attributes.append(
            AttributeDescription(
                name: "class", type: .string, renamingIdentifier: "old \"name\"", defaultValue: .string("a\\\n\"é")))
        attributes.append(AttributeDescription(name: "shown", type: .integer64, isTransient: true))
        attributes.append(
            AttributeDescription(name: "photo", type: .binaryData, allowsExternalBinaryDataStorage: true))
        attributes.append(
            AttributeDescription(
                name: "tags", type: .transformable, defaultValue: .array([.string("a"), .string("\"b\"")]),
                valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: "Array<String>"))
        let entity = EntityDescription(
            name: "Thing", attributes: attributes,
            relationships: [
                RelationshipDescription(
                    name: "others", destinationEntityName: "Thing", inverseName: "back", isToMany: true),
                RelationshipDescription(
                    name: "back", destinationEntityName: "Thing", inverseName: "others", deleteRule: .deny),
                RelationshipDescription(name: "alone", destinationEntityName: "Thing", isOptional: false),
                RelationshipDescription(name: "itself", destinationEntityName: "Thing", inverseName: "itself"),
            ], uniquenessConstraints: [["a0", "a1"], ["class"]])
        let model = ManagedObjectModel(entities: [entity])
        let writer = try SwiftDataWriter([("Model 1", ModelDocument(model: model))])
        #expect(writer.warnings.isEmpty, "\(writer.warnings)\n\(writer.text)")
        let again = try readBack(writer.text).current()
        #expect(again.name == "Model1")
        let copy = try #require(try again.model().entity(named: "Thing"))
        #expect(
            try ModelHashes.hashes(of: ResolvedModel(again.model())) == ModelHashes.hashes(of: ResolvedModel(model)))
        #expect(copy.attributes.first { $0.name == "class" }?.defaultValue == .string("a\\\n\"é"))
        let tags = copy.attributes.first { $0.name == "tags" }
        #expect(tags?.defaultValue == .array([.string("a"), .string("\"b\"")]))
        #expect(copy.attributes.first { $0.name == "class" }?.renamingIdentifier == "old \"name\"")
    }

    @Test
    func whatSwiftDataHasNoPlaceForIsNamed() throws {
        let entity = EntityDescription(
            name: "A", isAbstract: true,
            attributes: [
                AttributeDescription(name: "d", type: .date, derivationExpression: "now()"),
                AttributeDescription(name: "u", type: .undefined, isTransient: true),
            ],
            relationships: [
                RelationshipDescription(name: "r", destinationEntityName: "A", isToMany: true, isOrdered: true)
            ],
            fetchedProperties: [])
        let writer = try SwiftDataWriter([("M", ModelDocument(model: ManagedObjectModel(entities: [entity])))])
        let text = writer.warnings.map(\.description).joined(separator: "\n")
        for part in ["abstract", "derivation", "Undefined", "order", "version hash"] {
            #expect(text.contains(part), "\(part): \(text)")
        }
    }
}

internal import KeyedArchives
internal import PredicateExpressions

/// Writes compiled mapping models, in the classes and keys of `NSMappingModel`
/// (docs/format/mapping-models.md#compiled-form).
enum CompiledMappingWriter {
    private typealias Reference = KeyedArchiveBuilder.Reference
    private typealias Content = (key: String, content: KeyedArchiveBuilder.Content)

    /// Throws `MappingModelWritingError` for an expression that cannot be parsed or archived.
    static func bytes(of model: MappingModel) throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        var archiver = PredicateArchiver()
        var mappings: [Reference] = []
        for mapping in model.entityMappings {
            mappings.append(try add(mapping, &archiver, to: &builder))
        }
        let names = model.entityMappings.map { builder.string($0.name) }
        let root = builder.object(
            ArchivedClass("NSMappingModel"),
            [
                ("NSEntityMappings", .reference(builder.array(mappings, isMutable: true))),
                (
                    "NSEntityMappingsByName",
                    .reference(builder.dictionary(Array(zip(names, mappings)), isMutable: true))
                ),
            ])
        return builder.bytes(root: root)
    }

    private static func add(
        _ mapping: EntityMapping, _ archiver: inout PredicateArchiver, to builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        let place = MappingModelPlace(entityMapping: mapping.name)
        let fetch = try add(mapping.effectiveSourceExpression, at: place, &archiver, to: &builder)
        var content: [Content] = [
            ("NSMappingName", .reference(builder.string(mapping.name))),
            ("NSMappingType", .inline(.integer(Int64(mapping.type.rawValue)))),
            ("NSSourceEntityName", .reference(builder.string(mapping.sourceEntityName))),
            ("NSSourceEntityVersionHash", .reference(data(mapping.sourceEntityVersionHash, &builder))),
            ("NSDestinationEntityName", .reference(builder.string(mapping.destinationEntityName))),
            ("NSDestinationEntityVersionHash", .reference(data(mapping.destinationEntityVersionHash, &builder))),
            ("NSSourceExpression", .reference(fetch)),
            ("NSEntityMigrationPolicyClassName", .reference(builder.string(mapping.migrationPolicyClassName))),
            (
                "NSUserInfo",
                .reference(ArchivedUserInfo.add(FerryUserInfo.userInfo(of: mapping), to: &builder) ?? .null)
            ),
        ]
        for (key, properties) in [
            ("NSAttributeMappings", mapping.attributeMappings),
            ("NSRelationshipMappings", mapping.relationshipMappings),
        ] {
            var list: [Reference] = []
            for property in properties {
                list.append(try add(property, of: mapping, &archiver, to: &builder))
            }
            content.append((key, .reference(builder.array(list, isMutable: true))))
        }
        return builder.object(ArchivedClass("NSEntityMapping"), content)
    }

    private static func add(
        _ property: PropertyMapping, of mapping: EntityMapping, _ archiver: inout PredicateArchiver,
        to builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        let place = MappingModelPlace(entityMapping: mapping.name, property: property.name)
        let value = try add(property.valueExpression, at: place, &archiver, to: &builder)
        var transforms = Reference.null
        if !property.transforms.isEmpty {
            var list: [Reference] = []
            for transform in property.transforms {
                let value = try add(transform.valueExpression, at: place, &archiver, to: &builder)
                list.append(
                    builder.object(
                        ArchivedClass("NSPropertyTransform"),
                        [
                            ("NSPropertyName", .reference(builder.string(transform.propertyName))),
                            ("NSValueExpression", .reference(value)),
                            ("NSReplaceMissingValueOnly", .inline(.boolean(transform.replacesMissingValueOnly))),
                        ]))
            }
            transforms = builder.array(list)
        }
        let userInfo = ArchivedUserInfo.add(FerryUserInfo.userInfo(of: property), to: &builder) ?? .null
        return builder.object(
            ArchivedClass("NSPropertyMapping"),
            [
                ("NSDestinationPropertyName", .reference(builder.string(property.name))),
                ("NSValueExpression", .reference(value)),
                ("NSPropertyTransforms", .reference(transforms)),
                ("NSUserInfo", .reference(userInfo)),
            ])
    }

    private static func add(
        _ text: String?, at place: MappingModelPlace, _ archiver: inout PredicateArchiver,
        to builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        guard let text else { return .null }
        let expression = try ExpressionArchive.expression(text, at: place)
        do {
            return try archiver.add(expression, to: &builder)
        } catch {
            throw MappingModelWritingError("the expression cannot be archived: \(error)", at: place)
        }
    }

    private static func data(_ bytes: [UInt8]?, _ builder: inout KeyedArchiveBuilder) -> Reference {
        bytes.map { builder.scalar(.data($0)) } ?? .null
    }
}

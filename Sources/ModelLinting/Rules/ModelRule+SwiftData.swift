internal import ManagedObjectModels

/// Features of Core Data models that `@Model` classes lack (docs/format/swiftdata.md).
extension ModelRule {
    /// The rules for models that will become SwiftData models.
    static let swiftData: [ModelRule] = [swiftDataEntities, swiftDataAttributes, swiftDataOrder, swiftDataIndexes]

    static let swiftDataEntities = ModelRule(
        .swiftDataAbstractEntity, .swiftDataParent, .swiftDataFetchedProperty, .swiftDataEntityIdentity
    ) { subject in
        subject.model.entities.flatMap { entity -> [LintFinding] in
            let description = entity.description
            var findings: [LintFinding] = []
            if description.isAbstract {
                findings.append(subject.finding(.swiftDataAbstractEntity, entity, "the entity is abstract"))
            }
            if let parent = description.superentityName {
                findings.append(subject.finding(.swiftDataParent, entity, "the entity has the parent \(parent)"))
            }
            if description.renamingIdentifier != nil || description.versionHashModifier != nil {
                findings.append(
                    subject.finding(
                        .swiftDataEntityIdentity, entity, "the entity has a renaming identifier or a hash modifier"))
            }
            return findings
                + description.fetchedProperties.map { property in
                    subject.finding(
                        .swiftDataFetchedProperty, property.name, of: entity, "the property is a fetched property")
                }
        }
    }

    static let swiftDataAttributes = ModelRule(
        .swiftDataType, .swiftDataDerivation, .swiftDataValidation, .swiftDataTransformer
    ) { subject in
        subject.attributes.flatMap { entity, attribute -> [LintFinding] in
            func finding(_ code: LintCode, _ message: String) -> LintFinding {
                subject.finding(code, attribute.name, of: entity, message)
            }
            var findings: [LintFinding] = []
            if attribute.type == .undefined || attribute.type == .objectID {
                findings.append(finding(.swiftDataType, "the attribute's type is \(attribute.type.name)"))
            }
            if attribute.isDerived { findings.append(finding(.swiftDataDerivation, "the attribute is derived")) }
            if !attribute.validation.isEmpty {
                findings.append(finding(.swiftDataValidation, "the attribute has validation rules"))
            }
            if attribute.type == .transformable, attribute.attributeValueClassName == nil {
                findings.append(finding(.swiftDataTransformer, "the transformable attribute names no class of values"))
            }
            return findings
        }
    }

    static let swiftDataOrder = ModelRule(.swiftDataOrdered) { subject in
        subject.relationships.filter { $1.isOrdered }.map { entity, relationship in
            subject.finding(.swiftDataOrdered, relationship.name, of: entity, "the relationship is ordered")
        }
    }

    static let swiftDataIndexes = ModelRule(.swiftDataIndex) { subject in
        subject.model.entities.flatMap { entity in
            entity.description.fetchIndexes.filter { index in
                index.partialIndexPredicate != nil
                    || index.elements.contains { $0.propertyName == nil || $0.collation != .binary }
            }.map { index in
                subject.finding(
                    .swiftDataIndex, entity: entity.name, at: .fetchIndex(index.name, entity: entity.name),
                    "the index \(index.name) has a condition, an expression or a collation")
            }
        }
    }
}

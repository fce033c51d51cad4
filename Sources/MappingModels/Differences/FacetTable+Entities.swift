internal import ManagedObjectModels

extension FacetTable {
    init(_ entity: EntityDescription) {
        add(.parent, entity.superentityName)
        add(.abstract, entity.isAbstract, usually: false)
        add(.managedObjectClass, entity.managedObjectClassName)
        for constraint in entity.uniquenessConstraints {
            let text = FacetText.constraint(constraint)
            add(.uniquenessConstraint, detail: text, text)
        }
        for index in entity.fetchIndexes {
            add(.fetchIndex, detail: index.name, FacetText.index(index))
        }
        for index in entity.compoundIndexes {
            let text = index.joined(separator: ", ")
            add(.compoundIndex, detail: text, text)
        }
        add(.codeGeneration, entity.codeGenerationType)
        add(.spotlightDisplayName, entity.coreSpotlightDisplayNameExpression)
        add(.syncable, entity.isSyncable, usually: true)
        add(.renamingIdentifier, entity.renamingIdentifier)
        add(.hashModifier, entity.versionHashModifier)
        add(userInfo: entity.userInfo)
    }

    init(_ model: ManagedObjectModel) {
        let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
        add(.versionIdentifiers, identifiers.isEmpty ? nil : identifiers.joined(separator: ", "))
        for composite in model.composites {
            let elements = composite.elements.map { "\($0.name) \($0.type.name)" }
            add(.compositeType, detail: composite.name, elements.joined(separator: ", "))
        }
        for configuration in model.configurations {
            add(
                .configuration, detail: configuration.name,
                configuration.entityNames.sorted().joined(separator: ", ")
                    + (configuration.isUsedWithCloudKit ? " (CloudKit)" : ""))
        }
        for template in model.fetchRequestTemplates {
            add(.fetchRequestTemplate, detail: template.name, FacetText.fetchRequest(template))
        }
    }
}

internal import ManagedObjectModels

extension FacetTable {
    init(_ attribute: AttributeDescription) {
        add(.type, attribute.type.name)
        add(.composite, attribute.compositeName)
        add(.derivation, attribute.derivationExpression)
        add(.optional, attribute.isOptional ? "yes" : "no")
        add(.transient, attribute.isTransient, usually: false)
        add(.defaultValue, attribute.defaultValue.map(FacetText.value))
        add(.minimum, attribute.validation.minimum.map(FacetText.value))
        add(.maximum, attribute.validation.maximum.map(FacetText.value))
        add(.pattern, attribute.validation.regularExpression)
        for predicate in attribute.validation.otherPredicates {
            add(.validation, detail: predicate.predicateFormat, predicate.warning.map(FacetText.quoted) ?? "yes")
        }
        add(.valueTransformer, attribute.valueTransformerName)
        add(.valueClass, attribute.attributeValueClassName)
        add(.externalStorage, attribute.allowsExternalBinaryDataStorage, usually: false)
        add(.preservedInHistory, attribute.preservesValueInHistoryOnDeletion, usually: false)
        add(.cloudEncryption, attribute.allowsCloudEncryption, usually: false)
        add(.scalarValues, attribute.usesScalarValueType.map { $0 ? "yes" : "no" })
        add(.indexed, attribute.isIndexed, usually: false)
        add(.syncable, attribute.isSyncable, usually: true)
        add(.spotlight, attribute.isSpotlightIndexed, usually: false)
        add(.truthFile, attribute.isStoredInTruthFile, usually: false)
        add(.renamingIdentifier, attribute.renamingIdentifier)
        add(.hashModifier, attribute.versionHashModifier)
        add(userInfo: attribute.userInfo)
    }

    init(_ relationship: RelationshipDescription) {
        add(.destination, relationship.destinationEntityName)
        add(.inverse, relationship.inverseName)
        add(.cardinality, relationship.isToMany ? "to-many" : "to-one")
        add(.ordered, relationship.isOrdered, usually: false)
        add(.optional, relationship.isOptional ? "yes" : "no")
        add(.transient, relationship.isTransient, usually: false)
        add(.minimumCount, String(relationship.minimumCount))
        add(.maximumCount, relationship.maximumCount == 0 ? "unlimited" : String(relationship.maximumCount))
        add(.deleteRule, relationship.deleteRule.name)
        add(.indexed, relationship.isIndexed, usually: false)
        add(.syncable, relationship.isSyncable, usually: true)
        add(.spotlight, relationship.isSpotlightIndexed, usually: false)
        add(.truthFile, relationship.isStoredInTruthFile, usually: false)
        add(.renamingIdentifier, relationship.renamingIdentifier)
        add(.hashModifier, relationship.versionHashModifier)
        add(userInfo: relationship.userInfo)
    }

    init(_ property: FetchedPropertyDescription) {
        add(.fetchRequest, FacetText.fetchRequest(property.fetchRequest))
        add(.optional, property.isOptional ? "yes" : "no")
        add(.syncable, property.isSyncable, usually: true)
        add(userInfo: property.userInfo)
    }
}

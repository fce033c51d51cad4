/// Attributes in the order in which Xcode writes them.
extension ModelContentsWriter {
    func write(_ entity: EntityDescription, to xml: inout XMLTextBuilder) {
        xml.begin(
            "entity",
            [
                ("name", entity.name), ("representedClassName", entity.managedObjectClassName),
                ("isAbstract", yes(entity.isAbstract)), ("parentEntity", entity.superentityName),
                ("elementID", entity.renamingIdentifier), ("versionHashModifier", entity.versionHashModifier),
                ("syncable", entity.isSyncable ? "YES" : "NO"), ("codeGenerationType", entity.codeGenerationType),
                ("coreSpotlightDisplayNameExpression", entity.coreSpotlightDisplayNameExpression),
            ])
        for attribute in entity.attributes { write(attribute, to: &xml) }
        for relationship in entity.relationships { write(relationship, to: &xml) }
        for property in entity.fetchedProperties {
            xml.begin(
                "fetchedProperty",
                [
                    ("name", property.name), ("optional", yes(property.isOptional)),
                    ("syncable", noUnless(property.isSyncable)),
                ])
            if !property.fetchRequest.name.isEmpty { write(property.fetchRequest, to: &xml) }
            write(property.userInfo, to: &xml)
            xml.end("fetchedProperty")
        }
        for index in entity.fetchIndexes { write(index, to: &xml) }
        write(entity.compoundIndexes, as: ("compoundIndexes", "compoundIndex", "index"), to: &xml)
        write(
            entity.uniquenessConstraints, as: ("uniquenessConstraints", "uniquenessConstraint", "constraint"), to: &xml)
        write(entity.userInfo, to: &xml)
        xml.end("entity")
    }

    func write(_ attribute: AttributeDescription, to xml: inout XMLTextBuilder) {
        let isDate = attribute.type == .date
        let bounds = attribute.validation
        xml.begin(
            "attribute",
            [
                ("name", attribute.name), ("optional", yes(attribute.isOptional)),
                ("transient", yes(attribute.isTransient)),
                ("attributeType", attribute.type == .undefined ? nil : attribute.type.name),
                ("allowsExternalBinaryDataStorage", yes(attribute.allowsExternalBinaryDataStorage)),
                ("allowsCloudEncryption", yes(attribute.allowsCloudEncryption)), ("composite", attribute.compositeName),
                ("minDateTimeInterval", bounds.minimum?.contentsInterval),
                ("minValueString", bounds.minimum?.contentsText),
                ("maxDateTimeInterval", bounds.maximum?.contentsInterval),
                ("maxValueString", bounds.maximum?.contentsText),
                ("defaultDateTimeInterval", isDate ? attribute.defaultValue?.contentsInterval : nil),
                ("defaultValueString", attribute.defaultValue?.contentsText),
                ("derived", yes(attribute.isDerived)), ("derivationExpression", attribute.derivationExpression),
                ("regularExpressionString", bounds.regularExpression),
                ("usesScalarValueType", attribute.usesScalarValueType.map { $0 ? "YES" : "NO" }),
                ("valueTransformerName", attribute.valueTransformerName),
                ("customClassName", attribute.attributeValueClassName), ("elementID", attribute.renamingIdentifier),
                ("indexed", yes(attribute.isIndexed)),
                ("preserveAfterDeletion", yes(attribute.preservesValueInHistoryOnDeletion)),
                ("spotlightIndexingEnabled", yes(attribute.isSpotlightIndexed)),
                ("storedInTruthFile", yes(attribute.isStoredInTruthFile)),
                ("versionHashModifier", attribute.versionHashModifier), ("syncable", noUnless(attribute.isSyncable)),
            ])
        write(attribute.userInfo, to: &xml)
        xml.end("attribute")
    }

    private func write(_ relationship: RelationshipDescription, to xml: inout XMLTextBuilder) {
        let maximumCount = relationship.isToMany && relationship.maximumCount == 0 ? nil : relationship.maximumCount
        xml.begin(
            "relationship",
            [
                ("name", relationship.name), ("optional", yes(relationship.isOptional)),
                ("transient", yes(relationship.isTransient)), ("toMany", yes(relationship.isToMany)),
                ("minCount", relationship.minimumCount == 0 ? nil : String(relationship.minimumCount)),
                ("maxCount", maximumCount.map { String($0) }), ("deletionRule", relationship.deleteRule.name),
                ("ordered", yes(relationship.isOrdered)), ("destinationEntity", relationship.destinationEntityName),
                ("inverseName", relationship.inverseName),
                ("inverseEntity", relationship.inverseName.map { _ in relationship.destinationEntityName }),
                ("elementID", relationship.renamingIdentifier), ("indexed", yes(relationship.isIndexed)),
                ("spotlightIndexingEnabled", yes(relationship.isSpotlightIndexed)),
                ("storedInTruthFile", yes(relationship.isStoredInTruthFile)),
                ("versionHashModifier", relationship.versionHashModifier),
                ("syncable", noUnless(relationship.isSyncable)),
            ])
        write(relationship.userInfo, to: &xml)
        xml.end("relationship")
    }

    func write(_ request: FetchRequestTemplate, to xml: inout XMLTextBuilder) {
        xml.add(
            "fetchRequest",
            [
                ("name", request.name), ("entity", request.entityName), ("predicateString", request.predicateFormat),
                ("includeSubentities", noUnless(request.includesSubentities)),
                ("includePropertyValues", noUnless(request.includesPropertyValues)),
                ("includesPendingChanges", noUnless(request.includesPendingChanges)),
                ("returnObjectsAsFaults", noUnless(request.returnsObjectsAsFaults)),
                ("returnDistinctResults", yes(request.returnsDistinctResults)),
                ("resultType", request.resultType == 0 ? nil : String(request.resultType)),
                ("fetchLimit", request.fetchLimit == 0 ? nil : String(request.fetchLimit)),
                ("fetchBatchSize", request.fetchBatchSize == 0 ? nil : String(request.fetchBatchSize)),
            ])
    }

    private func write(_ index: FetchIndexDescription, to xml: inout XMLTextBuilder) {
        xml.begin("fetchIndex", [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate)])
        for element in index.elements {
            xml.add(
                "fetchIndexElement",
                [
                    ("property", element.propertyName), ("expression", element.expression),
                    ("type", element.collation == .binary ? "Binary" : "RTree"),
                    ("order", element.isAscending ? "ascending" : "descending"),
                ])
        }
        xml.end("fetchIndex")
    }

    private func write(
        _ lists: [[String]], as names: (outer: String, list: String, item: String), to xml: inout XMLTextBuilder
    ) {
        guard !lists.isEmpty else { return }
        xml.begin(names.outer, [])
        for list in lists {
            xml.begin(names.list, [])
            for name in list { xml.add(names.item, [("value", name)]) }
            xml.end(names.list)
        }
        xml.end(names.outer)
    }

    private func write(_ userInfo: [String: String], to xml: inout XMLTextBuilder) {
        guard !userInfo.isEmpty else { return }
        xml.begin("userInfo", [])
        for (key, value) in userInfo.sorted(by: { ModelResolver.precedes($0.key, $1.key) }) {
            xml.add("entry", [("key", key), ("value", value)])
        }
        xml.end("userInfo")
    }

    /// Returns the text of a flag that is written only if it is set, as most are.
    private func yes(_ flag: Bool) -> String? { flag ? "YES" : nil }

    /// Returns the text of a flag that is on by default.
    private func noUnless(_ flag: Bool) -> String? { flag ? nil : "NO" }
}

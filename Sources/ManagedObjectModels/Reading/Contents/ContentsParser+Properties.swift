import DocumentReading

extension ContentsParser {
    /// Reads an attribute of an entity or of a composite, from its start tag on.
    func attribute(unique names: inout Set<String>) throws(ModelError) -> AttributeDescription {
        let line = reader.line
        propertyName = ownName
        defer { propertyName = nil }
        var attribute = AttributeDescription(name: "", type: .undefined)
        var values = ContentsAttributeValues()
        var name: String?
        var otherIdentifier: String?
        var isDerived = false
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .optional: attribute.isOptional = flag(at: place)
            case .transient: attribute.isTransient = flag(at: place)
            case .attributeType:
                let text = value(at: place)
                if let type = AttributeType(name: text) {
                    attribute.type = type
                } else {
                    warnUnparsed(at: place, text, expected: "an attribute type")
                }
            case .indexed: attribute.isIndexed = flag(at: place)
            case .elementID: attribute.renamingIdentifier = filledValue(at: place)
            case .renamingIdentifier: otherIdentifier = filledValue(at: place)
            case .versionHashModifier: attribute.versionHashModifier = filledValue(at: place)
            case .defaultValueString: values.defaultText = value(at: place)
            case .defaultDateTimeInterval: values.defaultInterval = value(at: place)
            case .minValueString: values.minimumText = value(at: place)
            case .minDateTimeInterval: values.minimumInterval = value(at: place)
            case .maxValueString: values.maximumText = value(at: place)
            case .maxDateTimeInterval: values.maximumInterval = value(at: place)
            case .regularExpressionString: attribute.validation.regularExpression = filledValue(at: place)
            case .composite: attribute.compositeName = filledValue(at: place)
            case .derived: isDerived = flag(at: place)
            case .derivationExpression: attribute.derivationExpression = value(at: place)
            case .valueTransformerName: attribute.valueTransformerName = filledValue(at: place)
            case .customClassName: attribute.attributeValueClassName = filledValue(at: place)
            case .allowsExternalBinaryDataStorage: attribute.allowsExternalBinaryDataStorage = flag(at: place)
            case .preserveAfterDeletion: attribute.preservesValueInHistoryOnDeletion = flag(at: place)
            case .allowsCloudEncryption: attribute.allowsCloudEncryption = flag(at: place)
            case .usesScalarValueType: attribute.usesScalarValueType = flag(at: place)
            case .syncable: attribute.isSyncable = flag(at: place)
            case .spotlightIndexingEnabled: attribute.isSpotlightIndexed = flag(at: place)
            case .storedInTruthFile: attribute.isStoredInTruthFile = flag(at: place)
            default: warnUnknownAttribute(at: place, of: .attribute)
            }
        }
        attribute.name = try declare(name, of: .attribute, unique: &names, line: line)
        attribute.renamingIdentifier = attribute.renamingIdentifier ?? otherIdentifier
        // Xcode writes derived="YES" together with the expression; an attribute without the expression is still
        // derived.
        if isDerived, attribute.derivationExpression == nil { attribute.derivationExpression = "" }
        for code in values.assign(to: &attribute) { warn(code) }
        if attribute.type == .composite {
            declarations.uses.append(
                .init(
                    .composite, of: attribute.compositeName ?? "", entity: entityName, property: attribute.name,
                    line: line))
        }
        attribute.userInfo = try propertyUserInfo(of: .attribute)
        return attribute
    }

    /// Reads a relationship, from its start tag on.
    func relationship(unique names: inout Set<String>) throws(ModelError) -> RelationshipDescription {
        let line = reader.line
        propertyName = ownName
        defer { propertyName = nil }
        var relationship = RelationshipDescription(name: "", destinationEntityName: "", isOptional: false)
        var name: String?
        var otherIdentifier: String?
        var maximumCount: Int?
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .optional: relationship.isOptional = flag(at: place)
            case .transient: relationship.isTransient = flag(at: place)
            case .toMany: relationship.isToMany = flag(at: place)
            case .ordered: relationship.isOrdered = flag(at: place)
            case .minCount: relationship.minimumCount = count(at: place) ?? 0
            case .maxCount: maximumCount = count(at: place)
            case .deletionRule:
                let text = value(at: place)
                if let rule = DeleteRule(name: text) {
                    relationship.deleteRule = rule
                } else {
                    warnUnparsed(at: place, text, expected: "Nullify, Cascade, Deny or No Action")
                }
            case .destinationEntity: relationship.destinationEntityName = value(at: place)
            case .inverseName: relationship.inverseName = filledValue(at: place)
            // This is always the destination, since the name of the inverse is looked up there.
            case .inverseEntity: continue
            case .elementID: relationship.renamingIdentifier = filledValue(at: place)
            case .renamingIdentifier: otherIdentifier = filledValue(at: place)
            case .versionHashModifier: relationship.versionHashModifier = filledValue(at: place)
            case .indexed: relationship.isIndexed = flag(at: place)
            case .syncable: relationship.isSyncable = flag(at: place)
            case .spotlightIndexingEnabled: relationship.isSpotlightIndexed = flag(at: place)
            case .storedInTruthFile: relationship.isStoredInTruthFile = flag(at: place)
            default: warnUnknownAttribute(at: place, of: .relationship)
            }
        }
        relationship.maximumCount = maximumCount ?? (relationship.isToMany ? 0 : 1)
        relationship.name = try declare(name, of: .relationship, unique: &names, line: line)
        relationship.renamingIdentifier = relationship.renamingIdentifier ?? otherIdentifier
        declarations.uses.append(
            .init(
                .destination, of: relationship.destinationEntityName, entity: entityName, property: relationship.name,
                line: line))
        relationship.userInfo = try propertyUserInfo(of: .relationship)
        return relationship
    }

    /// Reads a fetched property, from its start tag on.
    func fetchedProperty(unique names: inout Set<String>) throws(ModelError) -> FetchedPropertyDescription {
        let line = reader.line
        propertyName = ownName
        defer { propertyName = nil }
        var name: String?
        var isOptional = false
        var isSyncable = true
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .optional: isOptional = flag(at: place)
            case .syncable: isSyncable = flag(at: place)
            default: warnUnknownAttribute(at: place, of: .fetchedProperty)
            }
        }
        let declared = try declare(name, of: .fetchedProperty, unique: &names, line: line)
        var request: FetchRequestTemplate?
        var userInfo: [String: String] = [:]
        try forEachChild { (element) throws(ModelError) in
            switch element {
            case .fetchRequest: request = try self.fetchRequest()
            case .userInfo: userInfo = try self.userInfo()
            default: try self.skipUnknownElement(in: .fetchedProperty)
            }
        }
        return FetchedPropertyDescription(
            name: declared, fetchRequest: request ?? FetchRequestTemplate(name: "", entityName: ""),
            isOptional: isOptional, isSyncable: isSyncable, userInfo: userInfo)
    }

    /// Registers a property's name, which must be unique in the entity.
    private func declare(
        _ name: String?, of element: ContentsElement, unique names: inout Set<String>, line: Int
    ) throws(ModelError) -> String {
        let name = try require(name, of: element)
        guard names.insert(name).inserted else { throw error(.duplicateProperty, line: line) }
        if let entityName { lines[.property(name, entity: entityName)] = line }
        return name
    }

    private func propertyUserInfo(of property: ContentsElement) throws(ModelError) -> [String: String] {
        var userInfo: [String: String] = [:]
        try forEachChild { (element) throws(ModelError) in
            guard element == .userInfo else { return try self.skipUnknownElement(in: property) }
            userInfo = try self.userInfo()
        }
        return userInfo
    }
}

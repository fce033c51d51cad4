import KeyedArchives
import PredicateExpressions

extension CompiledModelBuilding {
    /// Adds the content that all properties have, and its summary.
    private mutating func common(
        name: String, renamingIdentifier: String?, modifier: String?, userInfo: [String: String],
        flags: (optional: Bool, transient: Bool, readOnly: Bool), summary: Int64 = 0,
        bounds: [(predicate: Reference, warning: Reference)] = []
    ) -> Content {
        var bits = PropertyFlags.always | summary
        var content: Content = [
            ("NSPropertyName", .reference(builder.string(name))),
            ("NSRenamingIdentifier", .reference(builder.string(renamingIdentifier ?? name))),
            ("NSEntity", .reference(currentEntity)),
        ]
        if flags.optional {
            bits |= PropertyFlags.optional
            content.append(("NSIsOptional", .inline(true)))
        }
        if flags.transient {
            bits |= PropertyFlags.transient
            content.append(("NSIsTransient", .inline(true)))
        }
        if flags.readOnly {
            bits |= PropertyFlags.readOnly
            content.append(("NSIsReadOnly", .inline(true)))
        }
        if bounds.isEmpty {
            bits |= PropertyFlags.noValidation | PropertyFlags.noWarnings
        } else {
            content.append(
                ("NSValidationPredicates", .reference(builder.array(bounds.map(\.predicate), isMutable: true))))
            content.append(("NSValidationWarnings", .reference(builder.array(bounds.map(\.warning), isMutable: true))))
        }
        if userInfo.isEmpty {
            bits |= PropertyFlags.noUserInfo
        } else {
            content.append(("NSUserInfo", .reference(self.userInfo(userInfo))))
        }
        if let modifier {
            content.append(("NSVersionHashModifier", .reference(builder.string(modifier))))
        } else {
            bits |= PropertyFlags.noModifier
        }
        content.append(("_P", .inline(.integer(bits))))
        return content
    }

    /// Warns about these flags: no known compiled model shows how they are archived.
    private mutating func warnOfIndexing(spotlight: Bool, externalRecord: Bool) {
        if spotlight { warn(.notWritable("the Spotlight indexing flag")) }
        if externalRecord { warn(.notWritable("the external record flag")) }
    }

    // MARK: Attributes

    mutating func add(_ attribute: AttributeDescription) throws -> Reference {
        warnOfIndexing(spotlight: attribute.isSpotlightIndexed, externalRecord: attribute.isStoredInTruthFile)
        var content = common(
            name: attribute.name, renamingIdentifier: attribute.renamingIdentifier,
            modifier: attribute.versionHashModifier, userInfo: attribute.userInfo,
            flags: (attribute.isOptional, attribute.isTransient, attribute.isDerived),
            summary: attribute.allowsCloudEncryption ? PropertyFlags.cloudEncryption : 0,
            bounds: try addValidation(of: attribute))
        var flags: Int64 = 0
        if attribute.allowsExternalBinaryDataStorage { flags |= AttributeFlags.externalStorage }
        if attribute.preservesValueInHistoryOnDeletion { flags |= AttributeFlags.preservation }
        let transformer = builder.string(attribute.valueTransformerName)
        content += [
            ("NSAttributeType", .inline(.integer(Int64(attribute.type.rawValue)))),
            ("NSAttributeValueClassName", .reference(builder.string(valueClassName(of: attribute)))),
            ("NSDefaultValue", .reference(defaultValue(of: attribute))),
            ("NSValueTransformerName", .reference(transformer)), ("NSFlagsKey", .inline(.integer(flags))),
        ]
        if attribute.isIndexed || indexedAttributes.contains(attribute.name) {
            content.append(("NSIsIndexed", .inline(true)))
        }
        if attribute.allowsCloudEncryption { content.append(("NSAllowsCloudEncryption", .inline(true))) }
        if let expression = attribute.derivationExpression {
            content.append(("NSDerivationExpression", .reference(try addDerivation(expression))))
            content.append(("NSFilteringPredicate", .reference(.null)))
            return builder.object(.property("NSDerivedAttributeDescription", below: "NSAttributeDescription"), content)
        }
        if attribute.type == .composite {
            var elements: [Reference] = []
            let composite = model.composites.first { $0.name == attribute.compositeName }
            for element in composite?.elements ?? [] { elements.append(try add(element)) }
            content.append(("NSCompositeElements", .reference(builder.array(elements, isMutable: true))))
            return builder.object(
                .property("NSCompositeAttributeDescription", below: "NSAttributeDescription"), content)
        }
        return builder.object(.property("NSAttributeDescription"), content)
    }

    private func valueClassName(of attribute: AttributeDescription) -> String? {
        switch attribute.type {
        case .composite: "NSDictionary"
        case .transformable: attribute.attributeValueClassName
        default: attribute.type.valueClassName
        }
    }

    private mutating func defaultValue(of attribute: AttributeDescription) -> Reference {
        guard let value = attribute.defaultValue else { return .null }
        if let value = builder.value(value, of: attribute.type) { return value }
        warn(.notWritable("the default value, which is not of the type \(attribute.type.name),"))
        return .null
    }

    private mutating func addValidation(
        of attribute: AttributeDescription
    ) throws -> [(predicate: Reference, warning: Reference)] {
        var result: [(predicate: Reference, warning: Reference)] = []
        for bound in ValidationBound.all(of: attribute.validation, type: attribute.type) {
            guard let predicate = bound.predicate else {
                warn(.notWritable("a bound, which is not of the type \(attribute.type.name),"))
                continue
            }
            let code = builder.scalar(.integer(Int64(bound.code)))
            result.append((try archiver.add(predicate, to: &builder), code))
        }
        for other in attribute.validation.otherPredicates {
            let predicate = try predicate(other.predicateFormat)
            let warning = other.warning.map { text in
                builder.scalar(Int64(text).map { .integer($0) } ?? .string(text))
            }
            result.append((try archiver.add(predicate, to: &builder), warning ?? builder.string("")))
        }
        return result
    }

    private mutating func addDerivation(_ text: String) throws -> Reference {
        let derivation = DerivationText(text)
        if !derivation.isProven {
            warn(.writtenByAnalogy("the derivation \"\(text)\""))
        }
        do {
            return try archiver.add(Expression(format: derivation.text), to: &builder)
        } catch let error as FormatError {
            throw self.error("the derivation \"\(text)\" cannot be parsed: \(error)")
        }
    }

    // MARK: Relationships and fetched properties

    mutating func fill(_ relationship: RelationshipDescription, of entity: EntityDescription) throws {
        warnOfIndexing(spotlight: relationship.isSpotlightIndexed, externalRecord: relationship.isStoredInTruthFile)
        var content = common(
            name: relationship.name, renamingIdentifier: relationship.renamingIdentifier,
            modifier: relationship.versionHashModifier, userInfo: relationship.userInfo,
            flags: (relationship.isOptional, relationship.isTransient, false),
            summary: relationship.isOrdered ? PropertyFlags.ordered : 0)
        if relationship.isOrdered { content.append(("NSIsOrdered", .inline(true))) }
        let inverse = relationship.inverseName.map { self.relationship($0, of: relationship.destinationEntityName) }
        content += [
            ("NSDestinationEntity", .reference(self.entity(relationship.destinationEntityName))),
            ("_NSDestinationEntityName", .reference(builder.string(relationship.destinationEntityName))),
            ("NSInverseRelationship", .reference(inverse ?? .null)),
            ("_NSInverseRelationshipName", .reference(builder.string(relationship.inverseName))),
            ("NSMinCount", .inline(.integer(Int64(relationship.minimumCount)))),
            ("NSMaxCount", .inline(.integer(Int64(relationship.maximumCount)))),
            ("NSDeleteRule", .inline(.integer(Int64(relationship.deleteRule.rawValue)))),
        ]
        builder.fill(self.relationship(relationship.name, of: entity.name), content)
    }

    mutating func add(_ property: FetchedPropertyDescription) throws -> Reference {
        var content = common(
            name: property.name, renamingIdentifier: nil, modifier: nil, userInfo: property.userInfo,
            flags: (true, true, true))
        content.append(("NSFetchRequest", .reference(try add(property.fetchRequest))))
        content.append(("_NSFetchRequestEntityName", .reference(builder.string(property.fetchRequest.entityName))))
        return builder.object(.property("NSFetchedPropertyDescription"), content)
    }

    mutating func add(_ request: FetchRequestTemplate) throws -> Reference {
        let archived = request.withoutOptions
        if archived != request { warn(.droppedFetchOptions(request.name)) }
        var predicate = Reference.null
        if let format = request.predicateFormat {
            predicate = try archiver.add(self.predicate(format), to: &builder)
        }
        var descriptors: [Reference] = []
        for descriptor in request.sortDescriptors {
            descriptors.append(
                builder.object(
                    ArchivedClass("NSSortDescriptor"),
                    [
                        ("NSKey", .reference(builder.string(descriptor.keyPath))),
                        ("NSAscending", .inline(.boolean(descriptor.isAscending))),
                        ("NSSelector", .reference(builder.string(descriptor.selectorName ?? "compare:"))),
                    ]))
        }
        let prefetching = request.relationshipKeyPathsForPrefetching.map { builder.string($0) }
        let content: Content = [
            ("NSEntity", .reference(entity(request.entityName))), ("NSPredicate", .reference(predicate)),
            ("NSSortDescriptors", .reference(descriptors.isEmpty ? .null : builder.array(descriptors))),
            ("NSFetchLimit", .inline(.integer(Int64(archived.fetchLimit)))),
            ("NSFetchOffset", .inline(.integer(Int64(request.fetchOffset)))),
            ("NSBatchSize", .inline(.integer(Int64(archived.fetchBatchSize)))),
            ("NSResultType", .inline(.integer(Int64(request.resultType)))),
            ("NSFetchRequestFlags", .inline(.integer(FetchRequestFlags.standard))),
            ("NSHasFetchRequestFlags", .inline(true)), ("NSValuesToFetch", .reference(.null)),
            ("NSValuesToGroupBy", .reference(.null)), ("NSHavingPredicate", .reference(.null)),
            (
                "NSRelationshipKeyPathsForPrefetching",
                .reference(prefetching.isEmpty ? .null : builder.array(prefetching))
            ),
        ]
        return builder.object(ArchivedClass(["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"]), content)
    }

    /// Returns a predicate of the model, parsed.
    func predicate(_ text: String) throws -> Predicate {
        do {
            return try Predicate(format: text)
        } catch {
            throw self.error("the predicate \"\(text)\" cannot be parsed: \(error)")
        }
    }
}

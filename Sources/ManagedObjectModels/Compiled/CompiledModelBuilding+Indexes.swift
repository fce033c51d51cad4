import KeyedArchives
import PredicateExpressions

extension CompiledModelBuilding {
    /// Writes the indexes and, for those of several attributes, their counterparts in the older form, as the compiler
    /// does: an index with a relationship has none, and `SELF` is named `self` there. If there are fetch indexes, the
    /// list of the older form is written even if it is empty.
    mutating func addIndexes(of entity: EntityDescription, to content: inout Content) throws {
        var compound = entity.compoundIndexes
        var indexes: [Reference] = []
        for index in entity.fetchIndexes {
            beginIndex(index.name, of: entity)
            indexes.append(try add(index))
            let names = index.elements.compactMap { $0.propertyName ?? ($0.expression == "SELF" ? "self" : nil) }
            let isOfAttributes = names.allSatisfy { !isRelationship($0, of: entity) }
            if names.count > 1, names.count == index.elements.count, isOfAttributes, !compound.contains(names) {
                compound.append(names)
            }
        }
        beginIndex(nil, of: entity)
        if !indexes.isEmpty {
            content.append(("NSFetchIndexDescriptions", .reference(builder.array(indexes, isMutable: true))))
        }
        if !compound.isEmpty || !indexes.isEmpty {
            content.append(("NSCompoundIndexes", .reference(nameLists(compound))))
        }
    }

    /// Returns whether the entity or one of its superentities has a relationship with this name.
    private func isRelationship(_ name: String, of entity: EntityDescription) -> Bool {
        var current: EntityDescription? = entity
        while let entity = current {
            if entity.relationships.contains(where: { $0.name == name }) { return true }
            current = model.entities.first { $0.name == entity.superentityName }
        }
        return false
    }

    private mutating func add(_ index: FetchIndexDescription) throws -> Reference {
        let reference = builder.object(ArchivedClass("NSFetchIndexDescription"))
        var elements: [Reference] = []
        for element in index.elements {
            var name = element.propertyName
            var expression: Reference?
            if let text = element.expression {
                let property = try addExpression(text)
                name = property.name
                expression = property.reference
            }
            var content: Content = [
                ("NSPropertyName", .reference(builder.string(name))),
                ("NSFetchIndexElementType", .inline(.integer(Int64(element.collation.rawValue)))),
                ("NSFetchIndexDescription", .reference(reference)),
                ("NSAscending", .inline(.boolean(element.isAscending))),
            ]
            if let expression { content.append(("NSIndexedProperty", .reference(expression))) }
            elements.append(builder.object(ArchivedClass("NSFetchIndexElementDescription"), content))
        }
        var predicate = Reference.null
        if let text = index.partialIndexPredicate {
            predicate = try archiver.add(self.predicate(text), to: &builder)
        }
        builder.fill(
            reference,
            [
                ("NSIndexName", .reference(builder.string(index.name))),
                ("NSIndexElements", .reference(builder.array(elements))), ("NSEntity", .reference(currentEntity)),
                ("NSPartialIndexPredicate", .reference(predicate)),
            ])
        return reference
    }

    /// Returns an expression in an index: a property without an entity; the type is object ID for `SELF`, otherwise
    /// undefined.
    private mutating func addExpression(_ text: String) throws -> (name: String, reference: Reference) {
        let expression: Expression
        do {
            expression = try Expression(format: text)
        } catch {
            throw self.error("the expression \"\(text)\" of an index cannot be parsed: \(error)")
        }
        expressionCount += 1
        let name = "expression\(expressionCount)"
        let type = expression == .evaluatedObject ? AttributeType.objectID : .undefined
        let summary =
            PropertyFlags.always | PropertyFlags.optional | PropertyFlags.readOnly
            | PropertyFlags.noValidation | PropertyFlags.noWarnings | PropertyFlags.noUserInfo
            | PropertyFlags.noModifier
        let reference = builder.object(
            .property("NSExpressionDescription"),
            [
                ("NSPropertyName", .reference(builder.string(name))),
                ("NSRenamingIdentifier", .reference(builder.string(name))), ("NSEntity", .reference(.null)),
                ("NSIsOptional", .inline(true)), ("NSIsReadOnly", .inline(true)),
                ("_P", .inline(.integer(summary))),
                ("NSExpression", .reference(try archiver.add(expression, to: &builder))),
                ("NSExpressionType", .inline(.integer(Int64(type.rawValue)))),
            ])
        return (name, reference)
    }
}

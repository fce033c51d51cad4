import ManagedObjectModels
import MappingModels
import ObjectValidation
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Questions about data that would be invalid in the result of a mapping model, asked before anything is written.
struct MappedDataQuestions {
    /// The connection on which the questions are asked.
    let connection: Connection
    let builder: MappedTransferBuilder
    let options: MigrationPlanner.Options

    /// A condition that a row of a mapping's source should not meet.
    private struct Fault {
        let subject: String
        var code: String
        var message: String
        /// SQL over the source row `s`.
        let condition: String
        var cocoaCode: Int? = 134110
        var severity = MigrationFinding.Severity.error
        /// SQL for the value that is shown for an example; nil for none.
        var value: String?
    }

    /// The questions about the rows.
    struct Questions {
        var all: [DataQuestion] = []
        /// For each entity mapping, by name, the index of the question that counts its source objects.
        var counts: [String: Int] = [:]
        /// Questions that are only asked if another question finds rows.
        var doubts: [(about: Int, questions: [DataQuestion])] = []
    }

    /// The severity for objects that Core Data would refuse to save.
    private var severity: MigrationFinding.Severity { options.invalidObjects.severity }

    /// - Parameters:
    ///   - tests: the tests of the checks that ask the questions.
    ///   - watched: the mappings whose values are examined as they are written (`TableTransfer.watched`).
    func questions(_ tests: ValueTests, except watched: Set<String>) throws -> Questions {
        var result = Questions()
        var extents = KeyExtents(connection)
        for mapping in builder.mappings {
            let rows = try rows(mapping)
            result.counts[mapping.name] = result.all.count
            result.all.append(DataQuestion(counting: rows))
            let isWatched = watched.contains(mapping.name)
            if !isWatched { try addNumbers(of: mapping, rows, to: &result) }
            // The result of a policy is known only after it has run; its values are examined as they are written.
            guard mapping.policy == nil else { continue }
            var faults = try (isWatched ? [] : faults(mapping, tests)) + danglingLinks(mapping, &extents)
            var unknown: [DataQuestion] = []
            for relationship in requiredRelationships(of: mapping) {
                if let fault = try fault(relationship, in: mapping) {
                    faults.append(fault)
                } else if let finding = try unknownFinding(relationship, mapping) {
                    unknown.append(DataQuestion(rows, where: "1", telling: .none, finding))
                }
            }
            result.all += faults.map { question($0, of: rows, mapping) }
            result.all += try differingSurvivors(mapping) + unknown
        }
        result.all += try sharedDestinations()
        return result
    }

    // MARK: - Numbers

    /// Adds questions about computed numbers that do not fit their attributes. Numbers out of range are refused, as
    /// when Core Data saves them; numbers that are rounded are counted.
    private func addNumbers(
        of mapping: ResolvedEntityMapping, _ rows: SourceRows, to result: inout Questions
    ) throws {
        let entity = builder.destination.model.entities[mapping.destination]
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            guard let number = try builder.number(of: attribute, in: mapping) else { continue }
            let questions = number.losses.map { loss, condition in
                question(
                    fault(
                        loss, of: attribute, subject: "\(entity.name).\(attribute.name)", condition, number.sql,
                        isProposed: mapping.policy != nil), of: rows, mapping)
            }
            if let any = number.any {
                result.doubts.append((result.all.count, questions))
                result.all.append(DataQuestion([.rows(rows, where: any)], telling: .count, nil))
            } else {
                result.all += questions
            }
        }
    }

    /// - Parameter isProposed: whether a policy may set another value.
    private func fault(
        _ loss: NumberLoss, of attribute: ResolvedAttribute, subject: String, _ condition: String, _ number: String,
        isProposed: Bool
    ) -> Fault {
        var fault = Fault(
            subject: subject, code: "number-narrowed",
            message: attribute.type == .boolean
                ? "a Boolean is 0 or 1, and other numbers become 1"
                : "fractions of numbers are cut off; say in the expression what becomes of them, with trunc:, floor: or "
                    + "ceiling:",
            condition: condition, cocoaCode: nil, severity: .warning, value: number)
        switch loss {
        case .fraction: break
        case .range:
            fault.code = "value-out-of-range"
            fault.cocoaCode = 1610
            fault.message = "the value does not fit the attribute's type"
            fault.severity = isProposed ? .warning : .error
        case .digits:
            fault.code = "decimal-rounded"
            fault.message = "decimals have more digits than a store keeps, and are rounded"
        }
        if isProposed { fault.message += "; unless the policy gives another" }
        return fault
    }

    private func question(_ fault: Fault, of rows: SourceRows, _ mapping: ResolvedEntityMapping) -> DataQuestion {
        DataQuestion(
            rows, where: fault.condition, value: fault.value,
            MigrationFinding(
                fault.severity, fault.code, cocoaCode: fault.cocoaCode, subject: fault.subject,
                message: "\(fault.message) (mapping \(mapping.name))"))
    }

    private func faults(_ mapping: ResolvedEntityMapping, _ tests: ValueTests) throws -> [Fault] {
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [Fault] = []
        if entity.isAbstract {
            result.append(
                Fault(
                    subject: entity.name, code: "became-abstract",
                    message: "it is abstract: it cannot have objects", condition: "1"))
        }
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            result += try faults(attribute, of: entity, in: mapping, tests)
        }
        return result
    }

    /// Returns the required relationships whose links are examined. The result is validated in any case, but a
    /// migration that would be refused should be refused before it begins.
    private func requiredRelationships(of mapping: ResolvedEntityMapping) -> [ResolvedRelationship] {
        guard options.invalidObjects == .refuse || options.isThorough else { return [] }
        return builder.destination.model.entities[mapping.destination].relationships.filter {
            $0.isStored && !$0.isOptional
        }
    }

    /// Returns the fault that objects get no destination for a required relationship; nil if this is known only after
    /// the links have been created.
    private func fault(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws -> Fault? {
        guard !relationship.isToMany else { return nil }
        let entity = builder.destination.model.entities[mapping.destination]
        let old = try builder.keptFrom(relationship, of: mapping)
        let column = old.flatMap { $0.isToMany ? nil : builder.source.column(.toOne($0.key)) }
        var condition: String
        // The keys of other objects may be in tables that exist only during the run.
        if !usesKeyTables(relationship, mapping), !isNamedFromOtherSide(relationship) {
            condition = "\(try builder.toOneLink(relationship, in: mapping)?.key.sql ?? "NULL") IS NULL"
            if old?.isOptional == false, let column {
                condition += " AND s.\(SQLiteIdentifier.quoted(column.name)) IS NOT NULL"
            }
        } else {
            guard let column, old?.isOptional == true, try isTakenOverOnly(relationship) else { return nil }
            condition = "s.\(SQLiteIdentifier.quoted(column.name)) IS NULL"
        }
        return Fault(
            subject: "\(entity.name).\(relationship.name)", code: "missing-required-value",
            message: "the relationship is required, and some objects have no destination",
            condition: condition, cocoaCode: 1570, severity: severity)
    }

    /// Returns the faults of copied links that lead to objects that do not exist. The new objects will not have these
    /// links.
    private func danglingLinks(
        _ mapping: ResolvedEntityMapping, _ extents: inout KeyExtents
    ) throws -> [Fault] {
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [Fault] = []
        for relationship in entity.relationships where relationship.isStored && !relationship.isToMany {
            guard let old = try builder.keptFrom(relationship, of: mapping), !old.isToMany,
                let column = builder.source.column(.toOne(old.key)),
                let target = builder.source.table(ofEntity: old.destination)
            else { continue }
            result.append(
                Fault(
                    subject: "\(entity.name).\(relationship.name)", code: "dangling-reference",
                    message: "the destination object does not exist; the link is left out",
                    condition: try extents.absence(
                        of: "s.\(SQLiteIdentifier.quoted(column.name))", from: SQLiteIdentifier.quoted(target.name)),
                    cocoaCode: 133000, severity: .warning))
        }
        return result
    }

    /// Returns whether all links of a relationship and of its inverse are copied from the source.
    private func isTakenOverOnly(_ relationship: ResolvedRelationship) throws -> Bool {
        var sides = [relationship]
        if let other = builder.destination.model.inverse(of: relationship) { sides.append(other) }
        for side in sides {
            for mapping in builder.mappings where builder.destination.model.isKind(mapping.destination, of: side.owner)
            {
                let isNamed = mapping.mapping.relationshipMappings.contains {
                    $0.name == side.name && $0.valueExpression != nil
                }
                guard isNamed else { continue }
                guard mapping.policy == nil, try builder.takenOver(side, in: mapping) != nil else { return false }
            }
        }
        return true
    }

    /// Returns a note that a dry run cannot examine a required relationship whose links are computed from other links.
    private func unknownFinding(
        _ relationship: ResolvedRelationship, _ mapping: ResolvedEntityMapping
    ) throws -> MigrationFinding? {
        guard options.isThorough, let rule = CountRule(relationship), rule.minimum > 0,
            try builder.keptFrom(relationship, of: mapping)?.isOptional ?? true
        else { return nil }
        let entity = builder.destination.model.entities[mapping.destination]
        return MigrationFinding(
            .warning, "data-not-checked", subject: "\(entity.name).\(relationship.name)",
            message: "the relationship is required, and whether each object has a destination is known only when "
                + "the links have been made (mapping \(mapping.name))")
    }

    private func faults(
        _ attribute: ResolvedAttribute, of entity: ResolvedEntity, in mapping: ResolvedEntityMapping,
        _ tests: ValueTests
    ) throws -> [Fault] {
        let value = try builder.attributeValue(attribute, in: mapping)
        let subject = "\(entity.name).\(attribute.name)"
        var result: [Fault] = []
        if !attribute.isOptional {
            let wasRequired = isRequired(value, in: mapping)
            result.append(
                wasRequired
                    ? Fault(
                        subject: subject, code: "invalid-object-copied",
                        message: "\(ValidationFault.missing.sentence): the source has it so, and it is kept",
                        condition: "(\(value.sql)) IS NULL", cocoaCode: 1570, severity: .note)
                    : Fault(
                        subject: subject, code: "missing-required-value",
                        message: "Validation error missing attribute values on mandatory destination attribute",
                        condition: "(\(value.sql)) IS NULL", severity: severity))
        }
        if options.isThorough { result += brokenRules(attribute, value, subject, tests) }
        // Computed numbers have questions of their own.
        if attribute.type.integerRange != nil, !value.isComputed {
            result += NumberLoss.conditions(on: value.sql, .integer, as: attribute.type).map { _, condition in
                Fault(
                    subject: subject, code: "value-out-of-range",
                    message: "the value does not fit the attribute's type", condition: condition, cocoaCode: 1610)
            }
        }
        return result
    }

    /// Returns the faults of values that break rules. A value that is only copied has not changed.
    private func brokenRules(
        _ attribute: ResolvedAttribute, _ value: ColumnExpression, _ subject: String, _ tests: ValueTests
    ) -> [Fault] {
        if value.isCopied { return [] }
        return AttributeRules(attribute).conditions(on: "(\(value.sql))", tests, subject: subject).map { rule in
            Fault(
                subject: subject, code: "invalid-object",
                message: rule.fault.rule(rule.detail), condition: rule.sql,
                cocoaCode: rule.fault.code, severity: severity)
        }
    }

    /// Returns whether a value is copied from an attribute that is required in the source, too.
    private func isRequired(_ value: ColumnExpression, in mapping: ResolvedEntityMapping) -> Bool {
        guard case .column(let name) = value else { return false }
        return builder.isRequired(name, in: mapping)
    }

    /// Returns questions about sources that become one object although their other values differ.
    private func differingSurvivors(_ mapping: ResolvedEntityMapping) throws -> [DataQuestion] {
        guard let identity = mapping.mapping.identity, identity.survivor == .fail else { return [] }
        let keys = try identity.attributes.map { try builder.keyValue($0, of: mapping) }
        let noKey = try builder.lacksKey(mapping)
        let rows = try rows(mapping)
        let entity = builder.destination.model.entities[mapping.destination]
        return try entity.attributes.filter { $0.isStored && !identity.attributes.contains($0.name) }.map { attribute in
            let value = try builder.attributeValue(attribute, in: mapping).sql
            let groups =
                "FROM (SELECT 1 \(rows.query) AND NOT (\(noKey)) GROUP BY \(keys.joined(separator: ", ")) "
                + "HAVING count(DISTINCT \(value)) + max((\(value)) IS NULL) > 1) WHERE 1"
            return DataQuestion(
                counting: SourceRows(query: groups, entity: rows.entity),
                MigrationFinding(
                    .error, "survivors-differ", cocoaCode: 134111, subject: "\(entity.name).\(attribute.name)",
                    message: "sources with the same key have different values, and the mapping says "
                        + "\"survivor: fail\""))
        }
    }

    func rows(_ mapping: ResolvedEntityMapping) throws -> SourceRows {
        let (expressions, entity) = (builder.expressions, builder.source.model.entities[mapping.source])
        var rows = SourceRows(
            query: "FROM \(expressions.schema.table(of: mapping.source).name) s WHERE "
                + (try expressions.membership(mapping, alias: "s")),
            entity: entity.name)
        if expressions.isUnfiltered(mapping), let table = expressions.source.table(ofEntity: mapping.source),
            builder.source.model.entities[table.root].subtree.count == 1
        {
            rows.objects = (table.name, expressions.source.entityNumbers[mapping.source])
        }
        return rows
    }

    func usesKeyTables(_ relationship: ResolvedRelationship, _ mapping: ResolvedEntityMapping) -> Bool {
        guard let link = try? builder.toOneLink(relationship, in: mapping) else { return false }
        return link.key.sql.contains(".\(PolicyRun.keyTable)")
    }

    /// Returns whether a mapping of the destination objects sets the inverse relationship.
    private func isNamedFromOtherSide(_ relationship: ResolvedRelationship) -> Bool {
        guard let inverse = relationship.inverse else { return false }
        return builder.mappings.contains { mapping in
            builder.destination.model.isKind(mapping.destination, of: inverse.owner)
                && mapping.mapping.relationshipMappings.contains {
                    $0.name == inverse.name && $0.valueExpression != nil
                }
        }
    }
}

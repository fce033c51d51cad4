import ManagedObjectModels
import MappingModels
import ObjectValidation
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// What of the data a mapping model's result would break: found by queries, before anything is written.
struct MappedDataChecks {
    let store: SQLiteStore
    let builder: MappedTransferBuilder
    let options: MigrationPlanner.Options

    /// What a row of a mapping's source must not be like.
    private struct Question {
        let subject: String
        let code: String
        let message: String
        /// SQL over the source row `s`.
        let condition: String
        var cocoaCode = 134110
        var severity = MigrationFinding.Severity.error
    }

    /// For what a save would refuse.
    private var severity: MigrationFinding.Severity { options.invalidObjects == .refuse ? .error : .warning }

    /// The source objects of each entity mapping by its name, and what is wrong with them.
    func results() throws -> (rowCounts: [String: Int64], findings: [MigrationFinding]) {
        var counts: [String: Int64] = [:]
        var findings: [MigrationFinding] = []
        let tests = try ValueTests(store.connection)
        var extents = KeyExtents(store.connection)
        for mapping in builder.mappings {
            // What a policy makes is known when it has run; its values are looked at as they are written.
            var questions = mapping.policy == nil ? try questions(mapping, tests) : []
            var unknown: [MigrationFinding] = []
            if mapping.policy == nil {
                questions += try danglingQuestions(mapping, &extents)
                for relationship in requiredRelationships(of: mapping) {
                    if let question = try question(relationship, in: mapping) {
                        questions.append(question)
                    } else {
                        unknown += try unknownFinding(relationship, mapping).map { [$0] } ?? []
                    }
                }
            }
            // All are asked in one pass: mostly the answer is that there are no such rows.
            let cases = questions.map { "WHEN (\($0.condition)) THEN 1 " }.joined()
            let faults = questions.isEmpty ? "0" : "count(CASE \(cases)END)"
            let answer = try store.connection.rows("SELECT count(*), \(faults) \(try rows(mapping))").first ?? []
            counts[mapping.name] = answer.first?.integer ?? 0
            if (answer.last?.integer ?? 0) > 0 {
                for question in questions { findings += try finding(question, mapping).map { [$0] } ?? [] }
            }
            guard mapping.policy == nil else { continue }
            findings += try survivorFindings(mapping)
            if (answer.first?.integer ?? 0) > 0 { findings += unknown }
        }
        return (counts, findings + (try sharedDestinationFindings()))
    }

    private func questions(_ mapping: ResolvedEntityMapping, _ tests: ValueTests) throws -> [Question] {
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [Question] = []
        if entity.isAbstract {
            result.append(
                Question(
                    subject: entity.name, code: "became-abstract",
                    message: "it is abstract: it cannot have objects", condition: "1"))
        }
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            result += try questions(attribute, of: entity, in: mapping, tests)
        }
        return result
    }

    /// Those whose links are looked for: the result is looked at anyway, but a migration that would be refused is
    /// refused before it begins.
    private func requiredRelationships(of mapping: ResolvedEntityMapping) -> [ResolvedRelationship] {
        guard options.invalidObjects == .refuse || options.isThorough else { return [] }
        return builder.destination.model.entities[mapping.destination].relationships.filter {
            $0.isStored && !$0.isOptional
        }
    }

    /// Whether objects get no destination for a relationship that is required; nil if that is known only when the links
    /// have been made.
    private func question(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws -> Question? {
        guard !relationship.isToMany else { return nil }
        let entity = builder.destination.model.entities[mapping.destination]
        let old = try builder.keptFrom(relationship, of: mapping)
        let column = old.flatMap { $0.isToMany ? nil : builder.source.column(.toOne($0.key)) }
        var condition: String
        // The keys of other objects stand in tables which there are only during the run.
        if !usesKeyTables(relationship, mapping), !isNamedFromOtherSide(relationship) {
            condition = "\(try builder.toOneLink(relationship, in: mapping)?.key.sql ?? "NULL") IS NULL"
            if old?.isOptional == false, let column {
                condition += " AND s.\(SQLiteIdentifier.quoted(column.name)) IS NOT NULL"
            }
        } else {
            guard let column, old?.isOptional == true, try isTakenOverOnly(relationship) else { return nil }
            condition = "s.\(SQLiteIdentifier.quoted(column.name)) IS NULL"
        }
        return Question(
            subject: "\(entity.name).\(relationship.name)", code: "missing-required-value",
            message: "the relationship is required, and some objects have no destination",
            condition: condition, cocoaCode: 1570, severity: severity)
    }

    /// Whether links that are taken over lead to objects that do not exist: the new objects do not have them.
    private func danglingQuestions(
        _ mapping: ResolvedEntityMapping, _ extents: inout KeyExtents
    ) throws -> [Question] {
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [Question] = []
        for relationship in entity.relationships where relationship.isStored && !relationship.isToMany {
            guard let old = try builder.keptFrom(relationship, of: mapping), !old.isToMany,
                let column = builder.source.column(.toOne(old.key)),
                let target = builder.source.table(ofEntity: old.destination)
            else { continue }
            result.append(
                Question(
                    subject: "\(entity.name).\(relationship.name)", code: "dangling-reference",
                    message: "the destination object does not exist; the link is left out",
                    condition: try extents.absence(
                        of: "s.\(SQLiteIdentifier.quoted(column.name))", from: SQLiteIdentifier.quoted(target.name)),
                    cocoaCode: 133000, severity: .warning))
        }
        return result
    }

    /// Whether no mapping gives a relationship, or its inverse, other links than the source has.
    private func isTakenOverOnly(_ relationship: ResolvedRelationship) throws -> Bool {
        var sides = [relationship]
        if let inverse = relationship.inverse,
            let other = builder.destination.model.entities[inverse.owner].relationship(named: inverse.name)
        {
            sides.append(other)
        }
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

    /// What a dry run does not find out: a required relationship whose links are made of other links.
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

    private func questions(
        _ attribute: ResolvedAttribute, of entity: ResolvedEntity, in mapping: ResolvedEntityMapping,
        _ tests: ValueTests
    ) throws -> [Question] {
        let value = try builder.attributeValue(attribute, in: mapping)
        let subject = "\(entity.name).\(attribute.name)"
        var result: [Question] = []
        if !attribute.isOptional {
            let wasRequired = isRequired(value, in: mapping)
            result.append(
                wasRequired
                    ? Question(
                        subject: subject, code: "invalid-object-copied",
                        message: "\(ValidationFault.missing.sentence): the source has it so, and it is kept",
                        condition: "(\(value.sql)) IS NULL", cocoaCode: 1570, severity: .note)
                    : Question(
                        subject: subject, code: "missing-required-value",
                        message: "Validation error missing attribute values on mandatory destination attribute",
                        condition: "(\(value.sql)) IS NULL", severity: severity))
        }
        if options.isThorough { result += ruleQuestions(attribute, value, subject, tests) }
        if let range = attribute.type.integerRange, attribute.type != .integer64, value != .null {
            result.append(
                Question(
                    subject: subject, code: "value-out-of-range",
                    message: "the value does not fit the attribute's type",
                    condition: "(\(value.sql)) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)", cocoaCode: 1610
                ))
        }
        if attribute.type == .float, !value.isCopied {
            let greatest = Double(Float.greatestFiniteMagnitude)
            result.append(
                Question(
                    subject: subject, code: "value-out-of-range",
                    message: "the value does not fit the attribute's type",
                    condition: "(\(value.sql)) NOT BETWEEN -\(greatest) AND \(greatest)", cocoaCode: 1610))
        }
        return result
    }

    /// The rules for values that are there. A value that is only copied is what it was.
    private func ruleQuestions(
        _ attribute: ResolvedAttribute, _ value: ColumnExpression, _ subject: String, _ tests: ValueTests
    ) -> [Question] {
        if value.isCopied { return [] }
        return AttributeRules(attribute).conditions(on: "(\(value.sql))", tests, subject: subject).map { rule in
            Question(
                subject: subject, code: "invalid-object",
                message: rule.fault.rule + (rule.detail.map { " (\($0))" } ?? ""), condition: rule.sql,
                cocoaCode: rule.fault.code, severity: severity)
        }
    }

    /// Whether a value is that of an attribute which needs a value in the source, too.
    private func isRequired(_ value: ColumnExpression, in mapping: ResolvedEntityMapping) -> Bool {
        guard case .column(let name) = value else { return false }
        return builder.isRequired(name, in: mapping)
    }

    /// Sources that are one object although their other values differ.
    private func survivorFindings(_ mapping: ResolvedEntityMapping) throws -> [MigrationFinding] {
        guard let identity = mapping.mapping.identity, identity.survivor == .fail else { return [] }
        let keys = try identity.attributes.map { try builder.keyValue($0, of: mapping) }
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [MigrationFinding] = []
        for attribute in entity.attributes where attribute.isStored && !identity.attributes.contains(attribute.name) {
            let value = try builder.attributeValue(attribute, in: mapping).sql
            let query =
                "SELECT count(*) FROM (SELECT 1 \(try rows(mapping)) GROUP BY \(keys.joined(separator: ", ")) "
                + "HAVING count(DISTINCT \(value)) + max((\(value)) IS NULL) > 1)"
            let count = try store.connection.value(query).integer ?? 0
            guard count > 0 else { continue }
            result.append(
                MigrationFinding(
                    .error, "survivors-differ", cocoaCode: 134111, subject: "\(entity.name).\(attribute.name)",
                    message: "sources with the same key have different values, and the mapping says \"survivor: fail\"",
                    count: count))
        }
        return result
    }

    private func finding(_ question: Question, _ mapping: ResolvedEntityMapping) throws -> MigrationFinding? {
        let rows = try rows(mapping) + " AND (\(question.condition))"
        let name = builder.source.model.entities[mapping.source].name
        let objects = try store.concernedObjects(rows, ofEntity: name)
        guard objects.count > 0 else { return nil }
        return MigrationFinding(
            question.severity, question.code, cocoaCode: question.cocoaCode, subject: question.subject,
            message: "\(question.message) (mapping \(mapping.name))", count: objects.count, examples: objects.examples)
    }

    func rows(_ mapping: ResolvedEntityMapping) throws -> String {
        "FROM \(builder.expressions.schema.table(of: mapping.source).name) s WHERE "
            + (try builder.expressions.membership(mapping, alias: "s"))
    }

    func usesKeyTables(_ relationship: ResolvedRelationship, _ mapping: ResolvedEntityMapping) -> Bool {
        guard let link = try? builder.toOneLink(relationship, in: mapping) else { return false }
        return link.key.sql.contains(".\(PolicyRun.keyTable)")
    }

    /// Whether a mapping of the destination objects says which of these they belong to.
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

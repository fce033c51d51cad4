import ManagedObjectModels
import MappingModels
import ObjectValidation
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// What of the data a mapping model's result would break: found by queries, before anything is written.
struct CustomChecks {
    let store: SQLiteStore
    let builder: CustomMappingBuilder
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
        for mapping in builder.mappings {
            // What a policy makes is known when it has run; its values are looked at as they are written.
            let questions = mapping.policy == nil ? try questions(mapping, tests) : []
            // All are asked in one pass: mostly the answer is that there are no such rows.
            let cases = questions.map { "WHEN (\($0.condition)) THEN 1 " }.joined()
            let faults = questions.isEmpty ? "0" : "count(CASE \(cases)END)"
            let answer = try store.connection.rows("SELECT count(*), \(faults) \(try rows(mapping))").first ?? []
            counts[mapping.name] = answer.first?.integer ?? 0
            if (answer.last?.integer ?? 0) > 0 {
                for question in questions { findings += try finding(question, mapping).map { [$0] } ?? [] }
            }
            if mapping.policy == nil { findings += try survivorFindings(mapping) }
        }
        return (counts, findings)
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
        // The result is looked at anyway; here a migration that would be refused is refused before it begins.
        guard options.invalidObjects == .refuse || options.isThorough else { return result }
        // The keys of other objects stand in tables which there are only during the run.
        for relationship in entity.relationships where relationship.isStored && !relationship.isToMany {
            guard !relationship.isOptional, !usesKeyTables(relationship, mapping),
                !isNamedFromOtherSide(relationship)
            else { continue }
            let key = try builder.toOneLink(relationship, in: mapping)?.key.sql ?? "NULL"
            let old = try builder.takenOver(relationship, in: mapping)
            let column = old.flatMap { builder.source.column(.toOne($0.key)) }
            let wasMissing =
                old?.isOptional == false
                ? column.map { " AND s.\(SQLiteIdentifier.quoted($0.name)) IS NOT NULL" } ?? "" : ""
            result.append(
                Question(
                    subject: "\(entity.name).\(relationship.name)", code: "missing-required-value",
                    message: "the relationship is required, and some objects have no destination",
                    condition: "\(key) IS NULL\(wasMissing)", cocoaCode: 1570, severity: severity))
        }
        return result
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
        return result
    }

    /// The rules for values that are there. A value that is only copied is what it was.
    private func ruleQuestions(
        _ attribute: ResolvedAttribute, _ value: ColumnExpression, _ subject: String, _ tests: ValueTests
    ) -> [Question] {
        if case .column = value { return [] }
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

    private func rows(_ mapping: ResolvedEntityMapping) throws -> String {
        "FROM \(builder.expressions.schema.table(of: mapping.source).name) s WHERE "
            + (try builder.expressions.membership(mapping, alias: "s"))
    }

    private func usesKeyTables(_ relationship: ResolvedRelationship, _ mapping: ResolvedEntityMapping) -> Bool {
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

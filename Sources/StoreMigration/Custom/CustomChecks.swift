import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// What of the data a mapping model's result would break: found by queries, before anything is written.
struct CustomChecks {
    let store: SQLiteStore
    let builder: CustomMappingBuilder

    /// Rows by the name of the entity mapping.
    func rowCounts() throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for mapping in builder.mappings {
            counts[mapping.name] = try store.connection.value("SELECT count(*) \(try rows(mapping))").integer ?? 0
        }
        return counts
    }

    func findings() throws -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        // What a policy makes is known when it has run; its values are looked at as they are written.
        for mapping in builder.mappings where mapping.policy == nil {
            let entity = builder.destination.model.entities[mapping.destination]
            if entity.isAbstract, let found = try finding(
                mapping, entity.name, "became-abstract", "it is abstract: no object can be made of it", where: "1") {
                result.append(found)
            }
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                result += try findings(attribute, of: entity, in: mapping)
            }
            // The keys of other objects stand in temporary tables, which there are only during the run.
            for relationship in entity.relationships where relationship.isStored && !relationship.isToMany {
                guard !relationship.isOptional, !usesKeyTables(relationship, mapping) else { continue }
                let isFilledFromInverse = isNamedFromOtherSide(relationship)
                let link = try builder.toOneLink(relationship, in: mapping)
                guard link != nil || !isFilledFromInverse else { continue }
                let sql = link?.key.sql ?? "NULL"
                if !isFilledFromInverse, let found = try finding(
                    mapping, "\(entity.name).\(relationship.name)", "missing-required-value",
                    "the relationship is required, and some objects lead nowhere", where: "\(sql) IS NULL", cocoaCode: 1570) {
                    result.append(found)
                }
            }
            result += try survivorFindings(mapping)
        }
        return result
    }

    private func findings(
        _ attribute: ResolvedAttribute, of entity: ResolvedEntity, in mapping: ObjectMapping
    ) throws -> [MigrationFinding] {
        let value = try builder.attributeValue(attribute, in: mapping)
        let subject = "\(entity.name).\(attribute.name)"
        var result: [MigrationFinding] = []
        if !attribute.isOptional, let found = try finding(
            mapping, subject, "missing-required-value",
            "Validation error missing attribute values on mandatory destination attribute", where: "(\(value.sql)) IS NULL") {
            result.append(found)
        }
        if let range = attribute.type.integerRange, attribute.type != .integer64, value != .null, let found = try finding(
            mapping, subject, "value-out-of-range",
            "the value does not fit the attribute's type", where: "(\(value.sql)) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)",
            cocoaCode: 1610) {
            result.append(found)
        }
        return result
    }

    /// Sources that are one object although their other values differ.
    private func survivorFindings(_ mapping: ObjectMapping) throws -> [MigrationFinding] {
        guard let identity = mapping.mapping.identity, identity.survivor == .fail else { return [] }
        let keys = try identity.attributes.map { try builder.keyValue($0, of: mapping) }
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [MigrationFinding] = []
        for attribute in entity.attributes where attribute.isStored && !identity.attributes.contains(attribute.name) {
            let value = try builder.attributeValue(attribute, in: mapping).sql
            let query = "SELECT count(*) FROM (SELECT 1 \(try rows(mapping)) GROUP BY \(keys.joined(separator: ", ")) "
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

    private func finding(
        _ mapping: ObjectMapping, _ subject: String, _ code: String, _ message: String, where condition: String,
        cocoaCode: Int = 134110
    ) throws -> MigrationFinding? {
        let rows = try rows(mapping) + " AND (\(condition))"
        let count = try store.connection.value("SELECT count(*) \(rows)").integer ?? 0
        guard count > 0 else { return nil }
        let keys = try store.connection.rows("SELECT s.Z_PK \(rows) ORDER BY 1 LIMIT \(DataChecks.exampleCount)")
        let name = builder.source.model.entities[mapping.source].name
        return MigrationFinding(
            .error, code, cocoaCode: cocoaCode, subject: subject, message: "\(message) (mapping \(mapping.name))",
            count: count,
            examples: keys.compactMap { $0[0].integer }.map {
                ManagedObjectID(storeUUID: store.metadata.uuid, entityName: name, primaryKey: $0).uri
            })
    }

    private func rows(_ mapping: ObjectMapping) throws -> String {
        "FROM \(builder.expressions.schema.table(of: mapping.source).name) s WHERE "
            + (try builder.expressions.membership(mapping, alias: "s"))
    }

    private func usesKeyTables(_ relationship: ResolvedRelationship, _ mapping: ObjectMapping) -> Bool {
        guard let link = try? builder.toOneLink(relationship, in: mapping) else { return false }
        return link.key.sql.contains("temp.FERRY_KEYS_")
    }

    /// Whether a mapping of the destination objects says which of these they belong to.
    private func isNamedFromOtherSide(_ relationship: ResolvedRelationship) -> Bool {
        guard let inverse = relationship.inverse else { return false }
        return builder.mappings.contains { mapping in
            builder.destination.model.isKind(mapping.destination, of: inverse.owner)
                && mapping.mapping.relationshipMappings.contains { $0.name == inverse.name && $0.valueExpression != nil }
        }
    }
}

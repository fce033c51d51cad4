import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// SQL for the relation between source objects and new objects.
extension MappedTransferBuilder {
    /// Returns SQL for the key of the object that a mapping created from a source object, given SQL for the source's
    /// key; NULL if it created none.
    ///
    /// - Parameter kind: the slot of the entity to which the object must belong, directly or through a subentity.
    func destinationKey(
        _ mapping: ResolvedEntityMapping, of key: String, kind: Int
    ) throws(MappedTransferError) -> String {
        switch mapping.keys {
        case .associated(let table, _):
            return "(SELECT min(k.destination) FROM \(table) k WHERE k.source = \(key) AND \(isKind("k.entity", kind)))"
        case .identity:
            let own = key == "s.Z_PK"
            let values = try hasKey("k", mapping)
            let lookups = identityTables(of: mapping).map { "(SELECT k.destination FROM \($0) k WHERE \(values))" }
            // NULL is not equal to anything, so such an object stays separate.
            let found =
                "CASE WHEN \(try lacksKey(mapping)) THEN s.Z_PK\(Self.plus(mapping.offset)) "
                + "ELSE \(Coalescence.sql(lookups)) END"
            let condition = try expressions.membership(mapping, alias: "s")
            if own { return "CASE WHEN \(condition) THEN \(found) END" }
            // The values of the key are in another row, which is called `s` like the row in the enclosing query.
            return
                "(SELECT \(found) FROM (SELECT \(key) AS q) x JOIN \(expressions.schema.table(of: mapping.source).name) s "
                + "ON s.Z_PK = x.q WHERE \(condition))"
        case .offset(let offset):
            let table = expressions.schema.table(of: mapping.source).name
            let condition = try expressions.membership(mapping, alias: "m")
            return "(SELECT m.Z_PK\(Self.plus(offset)) FROM \(table) m WHERE m.Z_PK = \(key) AND \(condition))"
        }
    }

    /// Returns the columns that determine the key of the object that a mapping created from the source row `s`; nil if
    /// they are not known, or if the key depends on more than columns of the row.
    func keyedRows(_ mapping: ResolvedEntityMapping) throws(MappedTransferError) -> KeyedRows? {
        guard case .identity(let table, _) = mapping.keys, expressions.isUnfiltered(mapping) else { return nil }
        var columns: [String] = []
        for name in mapping.mapping.identity?.attributes ?? [] {
            guard case .column(let column) = try keyExpression(name, of: mapping) else { return nil }
            columns.append(column)
        }
        return KeyedRows(
            keys: table, columns: columns, entityNumber: source.entityNumbers[mapping.source])
    }

    /// Returns the condition that an entity number belongs to an entity or a subentity.
    func isKind(_ number: String, _ slot: Int) -> String {
        let numbers = destination.model.entities[slot].subtree.map { "\(destination.entityNumbers[$0])" }
        return "\(number) IN (\(numbers.joined(separator: ", ")))"
    }

    static func plus(_ offset: Int64) -> String { offset == 0 ? "" : " + \(offset)" }

    /// Returns the mappings that can have created the destination objects of a relationship.
    func makers(
        _ instances: DestinationInstances, sources entity: Int, of relationship: ResolvedRelationship,
        at place: MappingModelPlace
    ) throws(MappedTransferError) -> [ResolvedEntityMapping] {
        let candidates = mappings.filter { mapping in
            let isSource =
                source.model.isKind(mapping.source, of: entity) || source.model.isKind(entity, of: mapping.source)
            return isSource && destination.model.isKind(mapping.destination, of: relationship.destination)
        }
        guard case .mapping(let name) = instances.makers else { return candidates }
        guard model.entityMapping(named: name) != nil else {
            throw MappedTransferError(.invalid, at: place, "there is no entity mapping \"\(name)\"")
        }
        return candidates.filter { $0.name == name }
    }

    /// Returns the steps that fill the table of keys for a mapping in which sources with equal values become one
    /// object.
    func keySteps(_ mapping: ResolvedEntityMapping) throws(MappedTransferError) -> [MigrationStep] {
        if case .associated(let table, _) = mapping.keys { return associationSteps(mapping, table) }
        guard case .identity(let table, let offset) = mapping.keys, let identity = mapping.mapping.identity else {
            return []
        }
        var values: [String] = []
        for name in identity.attributes { values.append(try keyValue(name, of: mapping)) }
        let names = values.indices.map { "v\($0)" }
        let rows =
            "SELECT s.Z_PK AS k, " + zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
            + " FROM \(expressions.schema.table(of: mapping.source).name) s NOT INDEXED WHERE "
            + (try expressions.membership(mapping, alias: "s"))
            // Sorted by key. The LIMIT keeps SQLite from testing rows that the filter leaves out for known keys: it
            // tests conditions on other tables last.
            + " ORDER BY s.Z_PK LIMIT -1"
        let chosen = identity.survivor == .last ? "max" : "min"
        let isNull = names.map { "r.\($0) IS NULL" }.joined(separator: " AND ")
        func step(_ summary: String, _ sql: String) -> MigrationStep {
            var step = MigrationStep(phase: .schema, table: table, summary: summary, work: .statement(sql))
            step.isTemporary = true
            return step
        }
        let bare = table.dropFirst("\(KeyTables.schema).".count)
        // An object that an earlier mapping created from equal values is the same object.
        var conditions = identityTables(of: mapping).filter { $0 != table }.map { other in
            "NOT EXISTS (SELECT 1 FROM \(other) e WHERE "
                + names.map { "e.\($0) IS +r.\($0)" }.joined(separator: " AND ") + ")"
        }
        if identity.survivor != .last {
            // Usually many rows share few keys. Only the first row of each key is used, so the others need not be
            // sorted.
            let number = mappings.firstIndex { $0.name == mapping.name } ?? 0
            let values = ([String(number)] + names.map { "r.\($0)" }).joined(separator: ", ")
            conditions.append("\(KnownKeys.function)(\(values))")
        }
        return [
            step(
                "keys of \(mapping.name)",
                "CREATE TABLE \(table) (destination INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))"),
            step(
                "which sources of \(mapping.name) are one object",
                "INSERT INTO \(table) SELECT \(chosen)(k)\(Self.plus(offset)), \(names.joined(separator: ", ")) FROM (\(rows)) r "
                    + (conditions.isEmpty ? "" : "WHERE \(isNull) OR (\(conditions.joined(separator: " AND "))) ")
                    + "GROUP BY \(names.joined(separator: ", ")), CASE WHEN \(isNull) THEN k END ORDER BY 1"),
            step(
                "index of the keys of \(mapping.name)",
                "CREATE INDEX \(table)_VALUES ON \(bare) (\(names.joined(separator: ", ")))"),
        ]
    }

    /// Returns the condition that a row of a table of keys has the values of the source row `s`.
    private func hasKey(_ alias: String, _ mapping: ResolvedEntityMapping) throws(MappedTransferError) -> String {
        var conditions: [String] = []
        for (index, name) in (mapping.mapping.identity?.attributes ?? []).enumerated() {
            // The unary plus removes the column's affinity, which would prevent SQLite from using the index.
            conditions.append("\(alias).v\(index) IS +(\(try keyValue(name, of: mapping)))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// Returns the condition that all attributes of the key are NULL in the source row `s`, so that it becomes a
    /// separate object.
    func lacksKey(_ mapping: ResolvedEntityMapping) throws(MappedTransferError) -> String {
        var conditions: [String] = []
        for name in mapping.mapping.identity?.attributes ?? [] {
            conditions.append("(\(try keyValue(name, of: mapping))) IS NULL")
        }
        return conditions.isEmpty ? "0" : conditions.joined(separator: " AND ")
    }

    /// Returns the steps that create the tables of a policy's associations, and of the objects whose relationships the
    /// mapping does not change.
    private func associationSteps(_ mapping: ResolvedEntityMapping, _ table: String) -> [MigrationStep] {
        [
            PolicyStep.pairsTable(table),
            "CREATE TABLE \(table)_EXCEPT (destination INTEGER PRIMARY KEY)",
        ].map {
            MigrationStep(phase: .objects, table: "", summary: "objects of \(mapping.name)", work: .statement($0))
        }
    }

    /// Returns the tables of keys of this mapping and of earlier ones that create the same objects: same entity, same
    /// key.
    private func identityTables(of mapping: ResolvedEntityMapping) -> [String] {
        let place = mappings.firstIndex { $0.name == mapping.name } ?? 0
        return mappings[...place].compactMap { other in
            guard case .identity(let table, _) = other.keys, other.destination == mapping.destination,
                other.mapping.identity?.attributes == mapping.mapping.identity?.attributes
            else { return nil }
            return table
        }
    }

    /// Returns SQL for an attribute of the key, over the source row `s`.
    func keyValue(_ name: String, of mapping: ResolvedEntityMapping) throws(MappedTransferError) -> String {
        try keyExpression(name, of: mapping).sql
    }

    private func keyExpression(
        _ name: String, of mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ColumnExpression {
        let place = MappingModelPlace(entityMapping: mapping.name, key: "key")
        guard let attribute = destination.model.entities[mapping.destination].attribute(named: name),
            let property = mapping.mapping.attributeMappings.first(where: { $0.name == name }),
            let text = property.valueExpression
        else { throw MappedTransferError(.invalid, at: place, "the key \"\(name)\" has no expression") }
        return try expressions.value(text, of: attribute, in: mapping)
    }
}

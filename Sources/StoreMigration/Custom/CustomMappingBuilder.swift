import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Makes the steps of a mapping model: objects with their values and to-one links, then the links of the others.
///
/// Every problem is found before anything is written, so that the plan can name all of them.
struct CustomMappingBuilder {
    let model: MappingModel
    let expressions: MappedExpressions
    let destination: StoreLayout
    let mappings: [ResolvedEntityMapping]

    /// The first key in the table of each root entity that no mapping gives.
    let firstFreeKeys: [Int: Int64]

    var source: StoreLayout { expressions.source }

    /// The keys of new objects stay those of their sources where no two mappings could give the same one twice.
    ///
    /// - Parameters:
    ///   - maximumKeys: the highest key in each of the source's tables, by the root's slot.
    ///   - policies: who makes the objects of the mappings that name a policy.
    ///   - functions: gets what only Swift can evaluate.
    init(
        _ model: MappingModel, source: StoreLayout, destination: StoreLayout, naming: SourceNaming, now: Double,
        maximumKeys: [Int: Int64], policies: PolicyRegistry, functions: ValueFunctionTable
    ) throws(CustomMappingError) {
        self.model = model
        self.destination = destination
        expressions = MappedExpressions(source: source, naming: naming, now: now, functions: functions)
        var ranges: [Int: [KeyRange]] = [:]
        var mappings: [ResolvedEntityMapping] = []
        for mapping in model.entityMappings where mapping.type != .remove {
            guard let from = mapping.sourceEntityName.flatMap(source.model.slot),
                let to = mapping.destinationEntityName.flatMap(destination.model.slot)
            else { continue }
            let (fromRoot, toRoot) = (source.model.entities[from].root, destination.model.entities[to].root)
            let taken = ranges[toRoot] ?? []
            // Rows of one table have different keys, whatever their entity.
            let shared = taken.first { $0.table == fromRoot && !$0.entities.contains(from) }
            let offset = shared?.offset ?? taken.map(\.end).max() ?? 0
            if let index = taken.firstIndex(where: { $0.table == fromRoot && $0.offset == offset }) {
                ranges[toRoot]?[index].entities.insert(from)
            } else {
                let (end, overflows) = offset.addingReportingOverflow(maximumKeys[fromRoot] ?? 0)
                guard !overflows else {
                    throw CustomMappingError(
                        .invalid, at: MappingModelPlace(entityMapping: mapping.name),
                        "objects of \(mapping.sourceEntityName ?? "") follow others in one table, and their keys would "
                            + "exceed \(Int64.max): a key in one of the tables is far too high; correct it first")
                }
                ranges[toRoot, default: []].append(
                    KeyRange(table: fromRoot, entities: [from], offset: offset, end: end))
            }
            let policy = try Self.policy(of: mapping, policies)
            // What a policy has associated is in the new file, where another run can go on with it.
            let table =
                "\(policy == nil ? KeyTables.schema : "main").\(PolicyRun.keyTable)\(mappings.count)"
            mappings.append(
                ResolvedEntityMapping(
                    mapping: mapping, source: from, destination: to,
                    keys: policy != nil
                        ? .associated(table: table, offset: offset)
                        : mapping.identity == nil ? .offset(offset) : .identity(table: table, offset: offset),
                    policy: policy))
        }
        self.mappings = mappings
        // Behind the highest there is none: who needs one is told.
        firstFreeKeys = ranges.mapValues { ranges in
            let end = ranges.map(\.end).max() ?? 0
            return end == .max ? end : end + 1
        }
    }

    private static func policy(
        of mapping: EntityMapping, _ policies: PolicyRegistry
    ) throws(CustomMappingError) -> PolicyImplementation? {
        guard let name = mapping.migrationPolicyClassName else { return nil }
        let place = MappingModelPlace(entityMapping: mapping.name, key: "policy")
        do {
            guard let policy = try policies.implementation(of: name) else { return nil }
            guard mapping.identity == nil else {
                throw CustomMappingError(
                    .invalid, at: place,
                    "a mapping has a policy or a key, and not both: the policy can find or insert objects")
            }
            return policy
        } catch let error as CustomMappingError {
            throw error
        } catch {
            throw CustomMappingError(.invalid, at: place, "\(error)")
        }
    }

    /// The keys that some mappings of one source table give in a destination table.
    private struct KeyRange {
        let table: Int
        var entities: Set<Int>
        let offset: Int64
        let end: Int64
    }

    // MARK: - Keys

    /// The key of the object that a mapping made of a source object, whose key is SQL; NULL if it made none.
    ///
    /// - Parameter kind: the slot of the entity that the object must be of, or of a subentity.
    func destinationKey(
        _ mapping: ResolvedEntityMapping, of key: String, kind: Int
    ) throws(CustomMappingError) -> String {
        switch mapping.keys {
        case .associated(let table, _):
            return "(SELECT min(k.destination) FROM \(table) k WHERE k.source = \(key) AND \(isKind("k.entity", kind)))"
        case .identity:
            let own = key == "s.Z_PK"
            let values = try hasKey("k", mapping)
            let lookups = identityTables(of: mapping).map { "(SELECT k.destination FROM \($0) k WHERE \(values))" }
            let found = Coalescence.sql(lookups)
            let condition = try expressions.membership(mapping, alias: "s")
            if own { return "CASE WHEN \(condition) THEN \(found) END" }
            // The values of the key are those of another row, which takes the name of the one around it.
            return
                "(SELECT \(found) FROM (SELECT \(key) AS q) x JOIN \(expressions.schema.table(of: mapping.source).name) s "
                + "ON s.Z_PK = x.q WHERE \(condition))"
        case .offset(let offset):
            let table = expressions.schema.table(of: mapping.source).name
            let condition = try expressions.membership(mapping, alias: "m")
            return "(SELECT m.Z_PK\(Self.plus(offset)) FROM \(table) m WHERE m.Z_PK = \(key) AND \(condition))"
        }
    }

    /// The condition that an entity number is that of an entity or of a subentity.
    func isKind(_ number: String, _ slot: Int) -> String {
        let numbers = destination.model.entities[slot].subtree.map { "\(destination.entityNumbers[$0])" }
        return "\(number) IN (\(numbers.joined(separator: ", ")))"
    }

    static func plus(_ offset: Int64) -> String { offset == 0 ? "" : " + \(offset)" }

    /// The mappings that can have made the destination objects of a relationship.
    func makers(
        _ instances: DestinationInstances, sources entity: Int, of relationship: ResolvedRelationship,
        at place: MappingModelPlace
    ) throws(CustomMappingError) -> [ResolvedEntityMapping] {
        let candidates = mappings.filter { mapping in
            let isSource =
                source.model.isKind(mapping.source, of: entity) || source.model.isKind(entity, of: mapping.source)
            return isSource && destination.model.isKind(mapping.destination, of: relationship.destination)
        }
        guard case .mapping(let name) = instances.makers else { return candidates }
        guard model.entityMapping(named: name) != nil else {
            throw CustomMappingError(.invalid, at: place, "there is no entity mapping \"\(name)\"")
        }
        return candidates.filter { $0.name == name }
    }

    /// The table of keys of a mapping whose sources with equal values make one object.
    func keySteps(_ mapping: ResolvedEntityMapping) throws(CustomMappingError) -> [MigrationStep] {
        if case .associated(let table, _) = mapping.keys { return associationSteps(mapping, table) }
        guard case .identity(let table, let offset) = mapping.keys, let identity = mapping.mapping.identity else {
            return []
        }
        var values: [String] = []
        for name in identity.attributes { values.append(try keyValue(name, of: mapping)) }
        let names = values.indices.map { "v\($0)" }
        let rows =
            "SELECT s.Z_PK AS k, " + zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
            + " FROM \(expressions.schema.table(of: mapping.source).name) s WHERE "
            + (try expressions.membership(mapping, alias: "s"))
        let chosen = identity.survivor == .last ? "max" : "min"
        func step(_ summary: String, _ sql: String) -> MigrationStep {
            var step = MigrationStep(phase: .schema, table: table, summary: summary, work: .statement(sql))
            step.isTemporary = true
            return step
        }
        let bare = table.dropFirst("\(KeyTables.schema).".count)
        // An object that an earlier mapping made of equal values is the same one.
        let earlier = identityTables(of: mapping).filter { $0 != table }.map { other in
            " AND NOT EXISTS (SELECT 1 FROM \(other) e WHERE "
                + names.map { "e.\($0) IS +r.\($0)" }.joined(separator: " AND ") + ")"
        }
        return [
            step(
                "keys of \(mapping.name)",
                "CREATE TABLE \(table) (destination INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))"),
            step(
                "which sources of \(mapping.name) are one object",
                "INSERT INTO \(table) SELECT \(chosen)(k)\(Self.plus(offset)), \(names.joined(separator: ", ")) FROM (\(rows)) r "
                    + "WHERE NOT (\(names.map { "\($0) IS NULL" }.joined(separator: " AND ")))\(earlier.joined()) "
                    + "GROUP BY \(names.joined(separator: ", ")) ORDER BY 1"),
            step(
                "index of the keys of \(mapping.name)",
                "CREATE INDEX \(table)_VALUES ON \(bare) (\(names.joined(separator: ", ")))"),
        ]
    }

    /// The condition that a row of a table of keys has the values of the source row `s`.
    private func hasKey(_ alias: String, _ mapping: ResolvedEntityMapping) throws(CustomMappingError) -> String {
        var conditions: [String] = []
        for (index, name) in (mapping.mapping.identity?.attributes ?? []).enumerated() {
            // The plus takes away the column's affinity, which would keep SQLite from using the index.
            conditions.append("\(alias).v\(index) IS +(\(try keyValue(name, of: mapping)))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// The tables of a policy's pairs, and of the objects whose relationships the mapping leaves alone.
    private func associationSteps(_ mapping: ResolvedEntityMapping, _ table: String) -> [MigrationStep] {
        [
            "CREATE TABLE \(table) (source INTEGER, destination INTEGER, entity INTEGER, "
                + "PRIMARY KEY (source, destination)) WITHOUT ROWID",
            "CREATE TABLE \(table)_EXCEPT (destination INTEGER PRIMARY KEY)",
        ].map {
            MigrationStep(phase: .objects, table: "", summary: "objects of \(mapping.name)", work: .statement($0))
        }
    }

    /// The tables of keys of the mappings up to this one that make the same objects: same entity, same key.
    private func identityTables(of mapping: ResolvedEntityMapping) -> [String] {
        let place = mappings.firstIndex { $0.name == mapping.name } ?? 0
        return mappings[...place].compactMap { other in
            guard case .identity(let table, _) = other.keys, other.destination == mapping.destination,
                other.mapping.identity?.attributes == mapping.mapping.identity?.attributes
            else { return nil }
            return table
        }
    }

    /// The SQL of an attribute of the key, over the source row `s`.
    func keyValue(_ name: String, of mapping: ResolvedEntityMapping) throws(CustomMappingError) -> String {
        let place = MappingModelPlace(entityMapping: mapping.name, key: "key")
        guard let attribute = destination.model.entities[mapping.destination].attribute(named: name),
            let property = mapping.mapping.attributeMappings.first(where: { $0.name == name }),
            let text = property.valueExpression
        else { throw CustomMappingError(.invalid, at: place, "the key \"\(name)\" has no expression") }
        return try expressions.value(text, of: attribute, in: mapping).sql
    }

    // MARK: - Objects

    /// The statement that fills a table with the objects of one mapping.
    func fill(_ mapping: ResolvedEntityMapping) throws(CustomMappingError) -> TableFill {
        guard let table = destination.table(ofEntity: mapping.destination) else {
            throw CustomMappingError(.invalid, at: mapping.place, "the destination entity has no table")
        }
        var values: [(column: EntityColumn, value: ColumnExpression)] = []
        for column in table.columns {
            if let value = try value(of: column, in: mapping) { values.append((column, value)) }
        }
        var condition = try expressions.membership(mapping, alias: "s")
        var entityNumbers = expressions.isUnfiltered(mapping) ? [source.entityNumbers[mapping.source]] : nil
        if case .identity(let keys, let offset) = mapping.keys {
            entityNumbers = nil
            // By way of the keys of the window: mostly they are far fewer than the sources.
            let (own, plus) = (offset == 0 ? "k.destination" : "k.destination - \(offset)", Self.plus(offset))
            condition +=
                " AND s.Z_PK IN (SELECT \(own) FROM \(keys) k WHERE k.destination BETWEEN ?1\(plus) AND ?2\(plus))"
        }
        return TableFill(
            table: SQLiteIdentifier.bare(table.name), source: expressions.schema.table(of: mapping.source).name,
            columns: values.map { SQLiteIdentifier.bare($0.column.name) }, values: values.map(\.value),
            condition: condition, entityNumbers: entityNumbers,
            inlinedColumns: values.indices.filter { if case .inlined = values[$0].value { true } else { false } })
    }

    /// nil for what stays NULL in the rows of this entity.
    private func value(
        of column: EntityColumn, in mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> ColumnExpression? {
        let entity = destination.model.entities[mapping.destination]
        switch column.role {
        case .primaryKey: return .key(plus: mapping.offset)
        case .entityNumber: return .constant(.integer(Int64(destination.entityNumbers[mapping.destination])))
        case .optimisticLock: return .constant(.integer(1))
        case .attribute(let key):
            guard let attribute = entity.attributes.first(where: { $0.key == key }) else { return nil }
            return try attributeValue(attribute, in: mapping)
        case .toOne(let key), .toOneEntity(let key):
            // A policy may have objects of its own, which are linked later.
            guard mapping.policy == nil else { return nil }
            guard let relationship = entity.relationships.first(where: { $0.key == key }),
                let link = try toOneLink(relationship, in: mapping)
            else { return nil }
            if case .toOne = column.role { return link.key }
            return link.entityNumber
        case .toOneOrder, .unidirectional, .unidirectionalEntity, .unidirectionalOrder: return nil
        }
    }

    /// Without an expression a new object has its default.
    func attributeValue(
        _ attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> ColumnExpression {
        let property = mapping.mapping.attributeMappings.first { $0.name == attribute.name }
        guard let text = property?.valueExpression else { return .constant(StoredValue.defaultValue(of: attribute)) }
        if mapping.policy != nil, try callsPolicy(text, attribute, mapping) { return .null }
        return try expressions.value(text, of: attribute, in: mapping)
    }

    // MARK: - To-one links

    struct Link {
        let key: ColumnExpression
        let entityNumber: ColumnExpression
    }

    /// nil if the mapping says nothing of the relationship.
    func toOneLink(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> Link? {
        guard let (instances, place, property) = try instances(relationship, in: mapping) else { return nil }
        let (links, entity) = try expressions.links(instances.path, of: mapping, alias: "s", at: place)
        let makers = try makers(instances, sources: entity, of: relationship, at: place)
        guard !makers.isEmpty else { return Link(key: .null, entityNumber: .null) }
        if links.isToMany && property.choice == nil {
            throw CustomMappingError(
                .toManyBecameToOne, at: place,
                "\(instances.path.format) leads to several objects, and \(relationship.name) takes one; say which with "
                    + "\"choose: first\" or \"choose: last\"")
        }
        var keys: [String] = []
        var cases: [String] = []
        for maker in makers {
            let value = links.value.literalText
            var key = try destinationKey(maker, of: value, kind: relationship.destination)
            if links.isToMany {
                // By the relationship's own order where it has one, else by the keys.
                let direction = property.choice == .last ? " DESC" : ""
                let places = (links.order.map { ["\($0)\(direction)"] } ?? []) + ["1\(direction)"]
                key =
                    "(SELECT \(key) FROM \(links.tables.joined(separator: ", ")) WHERE "
                    + (links.conditions + ["\(key) IS NOT NULL"]).joined(separator: " AND ")
                    + " ORDER BY \(places.joined(separator: ", ")) LIMIT 1)"
            }
            keys.append(key)
            cases.append("WHEN \(key) IS NOT NULL THEN \(entityNumber(of: key, maker))")
        }
        return Link(
            key: .lookup(Coalescence.sql(keys)),
            entityNumber: .lookup("CASE \(cases.joined(separator: " ")) END"))
    }

    /// The entity number of an object that a mapping made.
    private func entityNumber(of key: String, _ maker: ResolvedEntityMapping) -> String {
        guard case .associated(let table, _) = maker.keys else {
            return "\(destination.entityNumbers[maker.destination])"
        }
        return "(SELECT k.entity FROM \(table) k WHERE k.destination = \(key) LIMIT 1)"
    }

    /// What a mapping says of a relationship; nil if it says nothing.
    func instances(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> (DestinationInstances, MappingModelPlace, PropertyMapping)? {
        guard let property = mapping.mapping.relationshipMappings.first(where: { $0.name == relationship.name }),
            let text = property.valueExpression
        else { return nil }
        let place = MappingModelPlace(entityMapping: mapping.name, property: relationship.name)
        let expression = try expressions.parsed(text, in: mapping, at: place)
        if expression == .constant(.null) { return nil }
        guard let instances = DestinationInstances(expression) else {
            // The policy's own code relates the objects.
            if mapping.policy != nil, expression.callsPolicy { return nil }
            throw CustomMappingError(
                .neededByPolicy, at: place,
                "a relationship takes destinationInstancesForEntityMappingNamed:sourceInstances: or "
                    + "destinationInstancesForSourceRelationshipNamed:sourceInstances: of $manager, and this is \(text)"
            )
        }
        return (instances, place, property)
    }
}

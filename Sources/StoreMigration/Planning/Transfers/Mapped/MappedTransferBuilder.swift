import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import SQLiteFileBuilder

/// Computes the transfers of a mapping model that creates new objects: one for each entity mapping, with values and
/// to-one links, then the links of other relationships.
///
/// Every problem is found before anything is written, so that the plan can report all of them.
struct MappedTransferBuilder {
    let model: MappingModel
    let expressions: MappedExpressions
    let destination: StoreLayout
    let mappings: [ResolvedEntityMapping]

    /// The first key in the table of each root entity that no mapping uses.
    let firstFreeKeys: [Int: Int64]

    /// The relationships of the new model that all mappings copy, whatever links the source has.
    private(set) var candidates: [PropertyKey: CopiedRelationship] = [:]

    /// The relationships of the new model whose links are those of a relationship of the source.
    private(set) var copiedRelationships: [PropertyKey: CopiedRelationship] = [:]

    /// The copied relationships that lose no link.
    let intactRelationships: Set<PropertyKey>

    var source: StoreLayout { expressions.source }

    /// Whether policies create some of the objects; they can also set any links.
    var hasPolicies: Bool { mappings.contains { $0.policy != nil } }

    /// Resolves a mapping model. The keys of new objects equal those of their sources, unless two mappings could use
    /// the same key.
    ///
    /// - Parameters:
    ///   - expressions: converts the model's expressions to SQL.
    ///   - maximumKeys: the highest key in each of the source's tables, by the root's slot.
    ///   - policies: the implementations of the policies that mappings name.
    ///   - intactRelationships: the relationships that `findIntactRelationships` has found in the store.
    init(
        _ model: MappingModel, over expressions: MappedExpressions, destination: StoreLayout,
        maximumKeys: [Int: Int64], policies: PolicyRegistry, intactRelationships: Set<PropertyKey> = []
    ) throws(MappedTransferError) {
        self.model = model
        self.destination = destination
        self.expressions = expressions
        self.intactRelationships = intactRelationships
        let source = expressions.source
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
                    throw MappedTransferError(
                        .invalid, at: MappingModelPlace(entityMapping: mapping.name),
                        "objects of \(mapping.sourceEntityName ?? "") follow others in one table, and their keys would "
                            + "exceed \(Int64.max): a key in one of the tables is far too high; correct it first")
                }
                ranges[toRoot, default: []].append(
                    KeyRange(table: fromRoot, entities: [from], offset: offset, end: end))
            }
            let policy = try Self.policy(of: mapping, policies)
            // The associations of a policy are in the new file, so that another run can continue with them.
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
        // There is no key after the highest one; an error is reported when one is needed.
        firstFreeKeys = ranges.mapValues { ranges in
            let end = ranges.map(\.end).max() ?? 0
            return end == .max ? end : end + 1
        }
        candidates = findCopiedRelationships()
        copiedRelationships = candidates.filter { key, copied in
            // A link that only one end has in the source is completed, so that all links are selected.
            guard copied.old.isOneToOne || copied.old.isSelfInverse else { return true }
            return intactRelationships.contains(key) && inverse(of: key).map(intactRelationships.contains) ?? false
        }
    }

    /// Returns the key of a relationship's inverse; nil if it has no inverse.
    func inverse(of key: PropertyKey) -> PropertyKey? {
        destination.model.relationship(key)?.inverse?.key
    }

    private static func policy(
        of mapping: EntityMapping, _ policies: PolicyRegistry
    ) throws(MappedTransferError) -> PolicyImplementation? {
        guard let name = mapping.migrationPolicyClassName else { return nil }
        let place = MappingModelPlace(entityMapping: mapping.name, key: "policy")
        do {
            guard let policy = try policies.implementation(of: name) else { return nil }
            guard mapping.identity == nil else {
                throw MappedTransferError(
                    .invalid, at: place,
                    "a mapping has a policy or a key, and not both: the policy can find or insert objects")
            }
            return policy
        } catch let error as MappedTransferError {
            throw error
        } catch {
            throw MappedTransferError(.invalid, at: place, "\(error)")
        }
    }

    /// The keys that mappings of one source table use in a destination table.
    private struct KeyRange {
        let table: Int
        var entities: Set<Int>
        let offset: Int64
        let end: Int64
    }

    // MARK: - Objects

    /// Returns the transfer of the whole mapping model.
    ///
    /// - Parameters:
    ///   - remembersKeys: whether the store contains keys of deleted objects.
    ///   - watchesValues: whether values are examined as they are written, if possible.
    func transfer(
        storeUUID: String, _ invalidObjects: InvalidObjectPolicy, remembersKeys: Bool, watchesValues: Bool
    ) throws(MappedTransferError) -> StoreTransfer {
        let program = try policyProgram(storeUUID: storeUUID, invalidObjects)
        var keySteps: [MigrationStep] = []
        var tables: [TableTransfer] = []
        for mapping in mappings {
            keySteps += try self.keySteps(mapping)
            tables.append(try table(mapping, program))
        }
        // The effects of a policy may not be reversible, and random values differ in each evaluation.
        if watchesValues, !hasPolicies,
            expressions.functions.all.allSatisfy(\.isDeterministic)
        {
            for (index, mapping) in mappings.enumerated() { tables[index].watched = try watchedValues(mapping) }
        }
        let policies = tables.compactMap(\.policy)
        var transfer = StoreTransfer(
            source: source, destination: destination, naming: expressions.naming, recreatesObjects: true,
            tables: tables, joins: try joinTables())
        transfer.keySteps = keySteps
        transfer.policySteps = policies.map { policyStep($0, .relationships) }
        transfer.linkSteps = try linkSteps(policies: policies, program)
        transfer.now = expressions.now
        transfer.functions = expressions.functions.all
        transfer.validation = ValidationProgram(
            origins: try origins(), policy: invalidObjects,
            // Missing values of other mappings are found before any row is written.
            looksForMissingValues: invalidObjects == .report && !policies.isEmpty, oneToOnes: try oneToOnes())
        if remembersKeys {
            transfer.maximumKeys = Dictionary(
                firstFreeKeys.map { (destination.model.entities[$0.key].name, $0.value - 1) }, uniquingKeysWith: max)
        }
        return transfer
    }

    /// Returns the transfer of the rows of one mapping.
    private func table(
        _ mapping: ResolvedEntityMapping, _ program: PolicyProgram
    ) throws(MappedTransferError) -> TableTransfer {
        guard let table = destination.table(ofEntity: mapping.destination) else {
            throw MappedTransferError(.invalid, at: mapping.place, "the destination entity has no table")
        }
        var columns: [ColumnTransfer] = []
        for column in table.columns {
            if let value = try value(of: column, in: mapping) {
                columns.append(ColumnTransfer(column: column, expression: value))
            }
        }
        var transfer = TableTransfer(
            table: table, source: source.table(ofEntity: mapping.source),
            entities: [EntityPair(source: mapping.source, destination: mapping.destination)], columns: columns,
            takenNumbers: [source.entityNumbers[mapping.source]])
        transfer.mapping = mapping
        if !expressions.isUnfiltered(mapping) { transfer.condition = try expressions.membership(mapping, alias: "s") }
        if case .identity(let keys, let offset) = mapping.keys {
            // The query begins with the keys of the window, because there are usually far fewer keys than sources.
            let (own, plus) = (offset == 0 ? "k.destination" : "k.destination - \(offset)", Self.plus(offset))
            transfer.condition =
                (try expressions.membership(mapping, alias: "s"))
                + " AND s.Z_PK IN (SELECT \(own) FROM \(keys) k WHERE k.destination BETWEEN ?1\(plus) AND ?2\(plus))"
        }
        if let policy = mapping.policy {
            let fill = transfer.fill(from: expressions.schema.table(of: mapping.source).name)
            transfer.policy = try policyStep(mapping, policy, fill, program)
        }
        transfer.swiftReason = expressions.functions.reason(for: mapping.name)
        return transfer
    }

    /// Returns the checks that `MappedDataQuestions` would make of the values, if each source row becomes one row; nil
    /// if the questions must be asked.
    private func watchedValues(
        _ mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> WatchedValues? {
        let entity = destination.model.entities[mapping.destination]
        guard case .offset = mapping.keys, !entity.isAbstract, source.table(ofEntity: mapping.source) != nil else {
            return nil
        }
        var result = WatchedValues()
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            guard let column = destination.column(.attribute(attribute.key)) else { return nil }
            let value = try attributeValue(attribute, in: mapping)
            // Functions are watched themselves.
            let losses = try number(of: attribute, in: mapping).flatMap { $0.any == nil ? $0.losses : nil } ?? []
            if !losses.isEmpty { guard try !isRandom(attribute, in: mapping) else { return nil } }
            // A Double can only become infinite, which is detected when it is written.
            let isDouble = attribute.type == .double
            result.columns.append(
                ColumnExpectation(
                    column.name, isRequired: !attribute.isOptional,
                    integerBits: value.isComputed ? nil : attribute.type.narrowBits,
                    isFinite: isDouble && !losses.isEmpty))
            if !isDouble { result.conditions += losses.map(\.sql) }
        }
        return result
    }

    /// Returns nil if the column stays NULL in the rows of this entity.
    private func value(
        of column: EntityColumn, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ColumnExpression? {
        let entity = destination.model.entities[mapping.destination]
        switch column.role {
        case .primaryKey: return .key(plus: mapping.offset)
        case .entityNumber: return .constant(.integer(Int64(destination.entityNumbers[mapping.destination])))
        case .optimisticLock: return .constant(.integer(1))
        case .attribute(let key):
            guard let attribute = entity.attributes.first(where: { $0.key == key }) else { return nil }
            return try attributeValue(attribute, in: mapping)
        case .toOne(let key), .toOneEntity(let key):
            guard let relationship = entity.relationships.first(where: { $0.key == key }),
                try !isLinkedLater(relationship, in: mapping), let link = try toOneLink(relationship, in: mapping)
            else { return nil }
            if case .toOne = column.role { return link.key }
            return link.entityNumber
        case .toOneOrder(let key): return try copiedOrder(key, in: mapping)
        case .unidirectional(let key): return try copiedLink(key, isUnidirectional: true, in: mapping)?.key
        case .unidirectionalEntity(let key):
            return try copiedLink(key, isUnidirectional: true, in: mapping)?.entityNumber
        case .unidirectionalOrder(let key): return try copiedOrder(key, isUnidirectional: true, in: mapping)
        }
    }

    /// Returns the value of an attribute; without an expression, a new object has its default value.
    func attributeValue(
        _ attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ColumnExpression {
        let property = mapping.mapping.attributeMappings.first { $0.name == attribute.name }
        guard let text = property?.valueExpression else { return .constant(StoredValue.defaultValue(of: attribute)) }
        if mapping.policy != nil, try callsPolicy(text, attribute, mapping) { return .null }
        return try expressions.value(text, of: attribute, in: mapping)
    }

    private func isRandom(
        _ attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Bool {
        let property = mapping.mapping.attributeMappings.first { $0.name == attribute.name }
        return try property?.valueExpression.map { (text) throws(MappedTransferError) in
            try expressions.parsed(
                text, in: mapping, at: MappingModelPlace(entityMapping: mapping.name, property: attribute.name)
            ).isRandom
        } ?? false
    }

    /// Returns the number that a mapping computes for an attribute; nil if it cannot lose precision.
    func number(
        of attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> MappedExpressions.Number? {
        guard let text = mapping.mapping.attributeMappings.first(where: { $0.name == attribute.name })?.valueExpression
        else { return nil }
        if mapping.policy != nil, try callsPolicy(text, attribute, mapping) { return nil }
        return try expressions.number(text, of: attribute, in: mapping)
    }
}

extension AttributeType {
    /// The number of bits, for integers that have fewer bits than a column; nil for all other types.
    fileprivate var narrowBits: Int? {
        switch self {
        case .integer16: 16
        case .integer32: 32
        default: nil
        }
    }
}

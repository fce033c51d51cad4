import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The steps of a mapping model over a store, and what its data would break. Computing it writes nothing.
struct CustomProgram {
    let keySteps: [MigrationStep]
    let fills: [(mapping: ResolvedEntityMapping, table: String, fill: TableFill)]
    let linkSteps: [MigrationStep]
    /// By the name of the entity mapping.
    let policies: [String: PolicyStep]
    let findings: [MigrationFinding]

    /// What SQL calls for expressions that only Swift can evaluate.
    let functions: [ValueFunction]

    /// The source objects of each entity mapping, by its name.
    let rowCounts: [String: Int64]
    let rowsByTable: [String: Int64]
    /// The objects of each source entity that no mapping takes up, by its name; without those that have none.
    let droppedCounts: [String: Int64]
    let tiers: [String: (tier: MigrationTier, reason: String)]

    /// What follows the objects outside their tables.
    let references: MappedReferences

    /// The highest key that a table may have had, by the name of the destination's root entity; empty where nothing
    /// remembers keys.
    let maximumKeys: [String: Int64]

    /// What is validated of the result.
    let validation: ValidationProgram

    /// Throws `CustomMappingError` for what cannot be run at all.
    init(
        _ model: MappingModel, store: SQLiteStore, source: StoreLayout, destination: StoreLayout,
        options: MigrationPlanner.Options
    ) throws {
        let (now, policies) = (options.now ?? ReferenceDate.now, options.policies)
        try store.connection.registerExpressionFunctions()
        var maximumKeys: [Int: Int64] = [:]
        // History names keys of objects that are gone, which no other object must get.
        let remembers = store.schema.tables.contains {
            $0.name.uppercased() == "ATRANSACTION" || $0.name.uppercased().hasPrefix("ANSCK")
        }
        let handedOut = Dictionary(store.entityRecords.map { ($0.number, $0.maximumKey) }, uniquingKeysWith: max)
        for table in source.tables {
            let name = SQLiteIdentifier.quoted(table.name)
            let highest = try store.connection.value("SELECT max(Z_PK) FROM \(name)").integer ?? 0
            maximumKeys[table.root] =
                remembers ? max(highest, handedOut[source.entityNumbers[table.root]] ?? 0) : highest
        }
        // The checks call the functions that the steps call: both know them by the same names.
        let table = ValueFunctionTable()
        func builder(_ naming: SourceNaming) throws(CustomMappingError) -> CustomMappingBuilder {
            try CustomMappingBuilder(
                model, source: source, destination: destination, naming: naming, now: now, maximumKeys: maximumKeys,
                policies: policies, functions: table)
        }
        let attached = try builder(.attached("source"))
        let policyProgram = try attached.policyProgram(storeUUID: store.metadata.uuid, options.invalidObjects)
        var policySteps: [PolicyStep] = []
        var keySteps: [MigrationStep] = []
        var fills: [(mapping: ResolvedEntityMapping, table: String, fill: TableFill)] = []
        var tiers: [String: (tier: MigrationTier, reason: String)] = [:]
        for mapping in attached.mappings {
            keySteps += try attached.keySteps(mapping)
            let fill = try attached.fill(mapping)
            fills.append((mapping, destination.table(ofEntity: mapping.destination)?.name ?? "", fill))
            if let policy = mapping.policy {
                policySteps.append(try attached.policyStep(mapping, policy, fill, policyProgram))
                tiers[mapping.name] = (.policyTransfer, policy.reason)
            } else if fill.needsRowTransfer {
                tiers[mapping.name] = (.rowTransfer, "external data become inline: their files must be read")
            } else if let reason = attached.expressions.functions.reason(for: mapping.name) {
                tiers[mapping.name] = (.rowTransfer, "evaluated in Swift: \(reason)")
            } else {
                tiers[mapping.name] = (.sqlTransfer, "every value is a column, a constant or an SQL expression")
            }
        }
        self.keySteps = keySteps
        self.fills = fills
        self.tiers = tiers
        references = MappedReferences(attached, schema: store.schema)
        self.maximumKeys =
            remembers
            ? Dictionary(
                attached.firstFreeKeys.map { (destination.model.entities[$0.key].name, $0.value - 1) },
                uniquingKeysWith: max) : [:]
        validation = ValidationProgram(
            origins: try attached.origins(), policy: options.invalidObjects,
            // Those of other mappings are looked for before any row is written.
            looksForMissingValues: options.invalidObjects == .report && !policySteps.isEmpty)
        linkSteps = try attached.linkSteps(policies: policySteps, policyProgram)
        self.policies = Dictionary(policySteps.map { ($0.mapping.name, $0) }, uniquingKeysWith: { first, _ in first })
        functions = attached.expressions.functions.all
        for function in functions { try function.register(on: store.connection) }
        let checks = CustomChecks(store: store, builder: try builder(.renamed([:])), options: options)
        let (counts, faults) = try checks.results()
        rowCounts = counts
        rowsByTable = Dictionary(
            fills.map { ($0.table, counts[$0.mapping.name] ?? 0) }, uniquingKeysWith: +)
        droppedCounts = try Self.dropped(model, source, store)
        findings =
            faults
            + droppedCounts.sorted { $0.key < $1.key }.map { name, count in
                let isAsked = model.entityMappings.contains { $0.sourceEntityName == name }
                return MigrationFinding(
                    isAsked ? .note : .warning, "objects-dropped", subject: name,
                    message: isAsked
                        ? "the mapping model removes the entity, and its objects are dropped"
                        : "no entity mapping has its objects, and they are dropped; add one, or one without a "
                            + "destination if this is intended",
                    count: count)
            }
    }

    /// The objects that no mapping leads from.
    private static func dropped(
        _ model: MappingModel, _ source: StoreLayout, _ store: SQLiteStore
    ) throws(SQLiteError) -> [String: Int64] {
        let mapped = Set(
            model.entityMappings.filter { $0.type != .remove && $0.destinationEntityName != nil }
                .compactMap(\.sourceEntityName))
        var result: [String: Int64] = [:]
        for entity in source.model.entities where !mapped.contains(entity.name) && !entity.isAbstract {
            guard let table = source.table(ofEntity: entity.slot) else { continue }
            let count =
                try store.connection.value(
                    "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT = \(source.entityNumbers[entity.slot])"
                ).integer ?? 0
            if count > 0 { result[entity.name] = count }
        }
        return result
    }
}

extension ProgramBuilder {
    /// A new file whose objects a mapping model makes.
    func newFile(_ custom: CustomProgram) -> MigrationProgram {
        var program = MigrationProgram(arena: .newFile)
        program.usesExpressionFunctions = true
        program.valueFunctions = custom.functions
        program.validation = custom.validation
        program.steps += bookkeeping.tables
        for table in destination.tables { program.steps.append(create(table.name, table.createStatement)) }
        for table in destination.joinTables { program.steps.append(create(table.name, table.createStatement)) }
        program.steps += custom.keySteps
        for (mapping, table, fill) in custom.fills {
            var step = MigrationStep(
                phase: .objects, table: custom.policies[mapping.name] == nil ? table : "",
                summary: "objects of \(mapping.name)",
                work: custom.policies[mapping.name].map { .policy($0) } ?? .fill(fill))
            step.mapping = mapping.name
            program.steps.append(step)
        }
        program.steps += custom.linkSteps
        for table in kept.tables {
            program.steps.append(create(table.name, table.sql))
            program.steps.append(keptRows(table))
        }
        program.steps += references
        program.steps += indexSteps(existing: [])
        program.steps += kept.indexes.map(createIndex)
        program.steps += derivedSteps(isCustom: true)
        program.steps += bookkeeping.rows(isNewFile: true, hasModelCache: false)
        program.foreignSteps = foreign.kept.map(createForeign)
        program.tiers = Dictionary(
            custom.fills.map { ($0.table, custom.tiers[$0.mapping.name] ?? (.sqlTransfer, "")) },
            uniquingKeysWith: { first, _ in first })
        return program
    }
}

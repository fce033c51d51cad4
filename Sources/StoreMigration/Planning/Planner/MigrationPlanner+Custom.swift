import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Plans that follow a mapping model instead of what can be inferred.
extension MigrationPlanner {
    func customPlan(_ mapping: MappingModel, _ sourceLayout: StoreLayout) throws -> MigrationPlan {
        var findings = try layoutFindings(sourceLayout) + interruptedImport() + damage()
        let layout = LayoutPrediction.layout(of: destination.model)
        findings += mappingFindings(mapping) + commonFindings(layout)
        var custom: CustomProgram?
        if !findings.contains(where: { $0.severity == .error }) {
            do {
                let made = try CustomProgram(
                    mapping, store: store, source: sourceLayout, destination: layout, options: options)
                findings += made.findings
                custom = made
            } catch let error as CustomMappingError {
                findings.append(error.finding)
            }
        }
        findings += try strangers(sourceLayout)
        findings += store.schema.tables.filter(\.isVirtual).map {
            MigrationFinding(
                .error, "virtual-table", subject: $0.name,
                message: "a virtual table can only be kept in a copy of the file, and a mapping model makes a new one; "
                    + "drop the table and its triggers first, and let the app make them again")
        }
        let history =
            try custom.map { try HistoryDecision(options.history, following: $0.references, on: store.connection) }
            ?? .none
        findings += history.findings
        let builder = TransferBuilder(
            correspondence: ModelCorrespondence(source: source.model, destination: destination.model),
            source: sourceLayout, destination: layout, naming: .attached("source"))
        let surroundings = try self.surroundings(builder, history, findings)
        findings += surroundings.findings
        // Of new objects none has had a key that is gone, but for those that history names.
        let programs = programs(builder, surroundings, history, custom?.maximumKeys ?? [:])
        let isRefused = findings.contains { $0.severity == .error }
        var program = isRefused ? nil : custom.map { programs.newFile($0) }
        program?.historyRemovals = history.plannedRemovals
        program?.keepsAllHistory = options.history == .keep
        return plan(
            programs, method: program == nil ? .nothing : .newFile,
            reason: program == nil ? "the migration is refused" : "a mapping model recreates all objects",
            entities: customEntities(mapping, custom, layout), findings: findings,
            isIndependentOfRows: false, program: program, tableRows: custom?.rowsByTable ?? [:])
    }

    func withoutDefaultPolicies(_ mapping: MappingModel) -> MappingModel {
        var mapping = mapping
        for index in mapping.entityMappings.indices {
            let name = mapping.entityMappings[index].migrationPolicyClassName
            if name.map(options.defaultPolicies.contains) ?? false {
                mapping.entityMappings[index].migrationPolicyClassName = nil
            }
        }
        return mapping
    }

    /// What is wrong with the mapping model itself, and policies that no one has.
    func mappingFindings(_ mapping: MappingModel) -> [MigrationFinding] {
        let review = MappingModelReview(
            mapping, source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes)
        // Entities without a mapping are named with their objects, where there are some.
        let problems = review.problems.filter { $0.kind != .notMapped || options.isSketch }
        var findings = problems.map { problem in
            let subject = [problem.place.entityMapping, problem.place.property].compactMap(\.self)
            // Required attributes are looked for in the rows, and there may be none.
            let isWarning =
                problem.isWarning || problem.kind == .requiredNotFilled || problem.kind == .abstractDestination
            return MigrationFinding(
                isWarning ? .note : .error, "mapping-invalid", cocoaCode: 134110,
                subject: subject.isEmpty ? nil : subject.joined(separator: "."), message: problem.sentence)
        }
        for entityMapping in mapping.entityMappings {
            guard let policy = entityMapping.migrationPolicyClassName, !options.policies.knows(policy) else { continue }
            findings.append(
                MigrationFinding(
                    .error, "policy-unknown", cocoaCode: 134170, subject: entityMapping.name,
                    message: "the mapping needs the policy class \(policy), which is code of the app; with "
                        + "--policy \(policy)=default it runs as if it named no policy, and with --policy \(policy)=COMMAND a "
                        + "program does its work"))
        }
        return findings
    }

    private func customEntities(
        _ mapping: MappingModel, _ custom: CustomProgram?, _ layout: StoreLayout
    ) -> [MigrationPlan.EntityPlan] {
        let mapped = mapping.entityMappings.map { entityMapping in
            let table = entityMapping.destinationEntityName.flatMap { destination.model.slot(named: $0) }
                .flatMap { layout.table(ofEntity: $0) }
            let tier = custom?.tiers[entityMapping.name]
            let reason =
                switch (entityMapping.sourceEntityName, entityMapping.destinationEntityName) {
                case (_, nil): "its objects are dropped"
                case (nil, _): "no source creates objects of it"
                default: tier?.reason ?? ""
                }
            return MigrationPlan.EntityPlan(
                mapping: entityMapping.name, source: entityMapping.sourceEntityName,
                destination: entityMapping.destinationEntityName, tier: tier?.tier ?? .none, reason: reason,
                rows: options.isSketch
                    ? nil
                    : custom?.rowCounts[entityMapping.name]
                        ?? entityMapping.sourceEntityName.flatMap { custom?.droppedCounts[$0] }, table: table?.name)
        }
        let named = Set(mapping.entityMappings.compactMap(\.sourceEntityName))
        let left = (custom?.droppedCounts ?? [:]).filter { !named.contains($0.key) }.sorted { $0.key < $1.key }
        return mapped
            + left.map { name, count in
                MigrationPlan.EntityPlan(
                    mapping: "no mapping for \(name)", source: name, destination: nil, tier: .none,
                    reason: "its objects are dropped", rows: options.isSketch ? nil : count, table: nil)
            }
    }
}

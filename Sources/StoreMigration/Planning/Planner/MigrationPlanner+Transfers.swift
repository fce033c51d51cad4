import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreEditing

/// The transfers of an inferred or written mapping, and the findings about the data.
extension MigrationPlanner {
    /// - Parameters:
    ///   - mapping: the written mapping model; nil to infer one.
    ///   - isRefused: whether the migration is refused already, so that the data need not be queried.
    func plannedTransfer(
        _ mapping: MappingModel?, from sourceLayout: StoreLayout, to layout: StoreLayout, isRefused: Bool
    ) throws -> PlannedTransfer {
        guard let mapping else {
            let inferred = InferredMapping(
                ModelCorrespondence(source: source.model, destination: destination.model),
                sourceHashes: store.metadata.versionHashes, destinationHashes: destination.hashes)
            return try keptObjects(ResolvedMapping(inferred), from: sourceLayout, to: layout, isRefused: isRefused)
        }
        if let resolved = try transferable(mapping, from: sourceLayout, to: layout) {
            return try keptObjects(resolved, from: sourceLayout, to: layout, isRefused: isRefused)
        }
        var planned = PlannedTransfer(mappingModel: mapping)
        if !isRefused {
            do {
                planned = try recreatedObjects(mapping, from: sourceLayout, to: layout)
            } catch let error as MappedTransferError {
                planned.findings.append(error.finding)
            }
        }
        planned.findings += try strangers(sourceLayout)
        planned.findings += store.schema.tables.filter(\.isVirtual).map {
            MigrationFinding(
                .error, "virtual-table", subject: $0.name,
                message: "a virtual table can only be kept in a copy of the file, and a mapping model makes a new one; "
                    + "drop the table and its triggers first, and let the app make them again")
        }
        return planned
    }

    /// Returns the resolved mapping for a mapping model that does not do more than inference could, if the data allow
    /// it; nil for others.
    private func transferable(
        _ mapping: MappingModel, from sourceLayout: StoreLayout, to layout: StoreLayout
    ) throws(SQLiteError) -> ResolvedMapping? {
        guard sourceLayout.problems.isEmpty,
            let resolved = ResolvedMapping(mapping, source: source.model, destination: destination.model)
        else { return nil }
        let builder = TransferBuilder(
            correspondence: resolved.correspondence, source: sourceLayout, destination: layout, naming: .renamed([:]))
        return try TransferConditions(store: store, builder: builder).allow(resolved) ? resolved : nil
    }

    /// Returns the transfer of objects that are kept, which are copied or changed where they are.
    private func keptObjects(
        _ mapping: ResolvedMapping, from sourceLayout: StoreLayout, to layout: StoreLayout, isRefused: Bool
    ) throws -> PlannedTransfer {
        let correspondence = mapping.correspondence
        let builder = TransferBuilder(
            correspondence: correspondence, source: sourceLayout, destination: layout, naming: .attached("source"),
            narrowing: mapping.isInferred ? options.narrowing : .refuse)
        var planned = PlannedTransfer(mappingModel: mapping.mappingModel)
        planned.builder = builder
        planned.transfer = builder.transfer(maximumKeys: maximumKeys(correspondence, sourceLayout))
        planned.references = EntityReferences(following: builder, schema: store.schema)
        planned.findings = mapping.refusals.map {
            MigrationFinding(
                $0.isRefusal ? .error : .warning, $0.findingCode, cocoaCode: $0.cocoaCode, subject: $0.subject,
                message: $0.sentence)
        }
        guard !isRefused, !planned.findings.contains(where: { $0.severity == .error }) else { return planned }
        let here = builder.naming(.renamed([:]))
        let checks = try DataChecks(store)
        planned.findings += try checks.findings(
            of: InferredDataQuestions(connection: store.connection, builder: here)
                .questions(for: mapping.dataDependentFailures)
                + NarrowedValueQuestions(builder: here, invalidObjects: options.invalidObjects)
                .questions(checks.tests)
                + RequiredLinkQuestions(builder: here).questions)
        planned.findings += try strangers(sourceLayout)
        planned.findings += try DroppedData(store: store, layout: sourceLayout, correspondence: correspondence)
            .findings(countsRows: options.isThorough)
        if options.isThorough {
            planned.findings += try checks.findings(
                of: CopiedFaultQuestions(layout: sourceLayout).questions)
            planned.findings += try ExternalDataChecks(
                store: store, layout: sourceLayout, folder: files.original.externalDataDirectory
            ).findings()
        }
        return planned
    }

    /// Returns the transfer of objects that the mapping model creates from those of the source.
    ///
    /// Throws `MappedTransferError` if the mapping model cannot be executed.
    private func recreatedObjects(
        _ mapping: MappingModel, from sourceLayout: StoreLayout, to layout: StoreLayout
    ) throws -> PlannedTransfer {
        try store.connection.registerEditFunctions()
        let maximumKeys = try highestKeys(sourceLayout)
        let now = options.now ?? ReferenceDate.now
        // The checks and the steps call the same functions, under the same names.
        let functions = ValueFunctionTable()
        func builder(
            _ naming: SourceNaming, _ intactRelationships: Set<PropertyKey> = []
        ) throws(MappedTransferError) -> MappedTransferBuilder {
            try MappedTransferBuilder(
                mapping, over: MappedExpressions(source: sourceLayout, naming: naming, now: now, functions: functions),
                destination: layout, maximumKeys: maximumKeys, policies: options.policies,
                intactRelationships: intactRelationships)
        }
        let own = try builder(.renamed([:]))
        for function in functions.all { try function.register(on: store.connection) }
        let attached = try builder(.attached("source"), try intactRelationships(of: own))
        let transfer = try attached.transfer(
            storeUUID: store.metadata.uuid, options.invalidObjects, remembersKeys: remembersKeys,
            watchesValues: watchesValues)
        for function in transfer.functions { try function.register(on: store.connection) }
        var planned = PlannedTransfer(mappingModel: mapping)
        let checks = try DataChecks(store)
        let asked = MappedDataQuestions(
            connection: store.connection, builder: own, options: options)
        let questions = try asked.questions(checks.tests, except: transfer.watchedMappings)
        // An expression that fails would end all queries that need it.
        let failures = options.isThorough ? try asked.failures(in: store) : []
        guard failures.isEmpty else { return PlannedTransfer(mappingModel: mapping, findings: failures) }
        let answers: [ConcernedObjects]
        do throws(SQLiteError) {
            answers = try checks.answers(to: questions.all)
        } catch {
            let failures = error.isExpressionFault ? try asked.failures(in: store) : []
            guard !failures.isEmpty else { throw error }
            return PlannedTransfer(mappingModel: mapping, findings: failures)
        }
        let counts = questions.counts.mapValues { answers[$0].count }
        let doubts = questions.doubts.filter { answers[$0.about].count > 0 }.flatMap(\.questions)
        let unmapped = UnmappedObjects(store: store, layout: sourceLayout, mapping: mapping)
        let left = try unmapped.counts()
        planned.rows = RowCounts(
            byEntity: left, byMapping: counts,
            byTable: Dictionary(
                transfer.tables.map { ($0.table.name, counts[$0.mapping?.name ?? ""] ?? 0) }, uniquingKeysWith: +))
        planned.transfer = transfer
        planned.references = EntityReferences(following: attached, schema: store.schema)
        planned.findings =
            DataChecks.findings(of: questions.all, answers) + (try checks.findings(of: doubts))
            + unmapped.findings(left)
        return planned
    }

    /// Returns the copied relationships that lose no link; none if a filter fails, which the checks of the data report.
    private func intactRelationships(of builder: MappedTransferBuilder) throws(SQLiteError) -> Set<PropertyKey> {
        do throws(SQLiteError) {
            return try builder.findIntactRelationships(on: store.connection)
        } catch {
            guard error.isExpressionFault else { throw error }
            return []
        }
    }

    /// Whether values may be examined as they are written.
    private var watchesValues: Bool {
        if case .inPlace = options.placement { return false }
        return !options.looksAhead && !options.isThorough && !options.isSketch
    }

    /// Whether history or a mirror contains keys of deleted objects, which must not be given to other objects.
    private var remembersKeys: Bool {
        store.schema.tables.contains { $0.name.uppercased() == "ATRANSACTION" || $0.isCloudKitMirror }
    }

    /// Returns the highest key in each of the source's tables, by the root's slot.
    private func highestKeys(_ layout: StoreLayout) throws(SQLiteError) -> [Int: Int64] {
        let handedOut = Dictionary(store.entityRecords.map { ($0.number, $0.maximumKey) }, uniquingKeysWith: max)
        var result: [Int: Int64] = [:]
        for table in layout.tables {
            let name = SQLiteIdentifier.quoted(table.name)
            let highest = try store.connection.value("SELECT max(Z_PK) FROM \(name)").integer ?? 0
            result[table.root] =
                remembersKeys ? max(highest, handedOut[layout.entityNumbers[table.root]] ?? 0) : highest
        }
        return result
    }

    // MARK: - Mapping models

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

    /// Returns findings about the mapping model itself, and about missing policies.
    func mappingFindings(_ mapping: MappingModel) -> [MigrationFinding] {
        let review = MappingModelReview(
            mapping, source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes)
        // Entities without a mapping are reported with their objects, if there are any.
        let problems = review.problems.filter { $0.kind != .notMapped || options.isSketch }
        var findings = problems.map { problem in
            let subject = [problem.place.entityMapping, problem.place.property].compactMap(\.self)
            // Required attributes are examined in the rows, which may not exist.
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
}

import KeyedArchives
import ManagedObjectModels
public import MappingModels
public import PersistentStores
import SQLiteAccess

/// Computes the plan of a migration from a store that is open for reading. Nothing is written.
public struct MigrationPlanner {
    /// How a migration is planned.
    public struct Options: Sendable {
        /// Whether the store is replaced, or the result goes elsewhere.
        public var placement: MigrationPlacement
        /// What becomes of persistent history.
        public var history: HistoryPolicy
        /// Whether to count every row and to look for faults that do not decide.
        public var isThorough: Bool
        /// What is to be done instead of what can be inferred; completed for the two versions; nil to infer it.
        public var mapping: MappingModel?
        /// What becomes of numbers that an attribute's new type does not have, where the step is inferred.
        public var narrowing = NumberNarrowing.refuse
        /// What becomes of a step by a mapping model, or of a stage, that makes what the model forbids.
        public var invalidObjects = InvalidObjectPolicy.refuse
        /// Policy classes whose mappings run as if they named none.
        public var defaultPolicies: Set<String>
        /// The store that the user named, where this one is an intermediate of its chain; nil if they are the same.
        public var original: StoreFiles?
        /// Whether the store is a sketch without rows of one that is to be, so that only the models speak.
        public var isSketch = false
        /// The steps of the chain that this one belongs to.
        public var stepCount = 1
        /// What was found before, which the plan repeats.
        public var findings: [MigrationFinding] = []
        /// The moment of `now()` in expressions, in seconds since 2001; nil for that of the plan.
        public var now: Double?
        /// Who does the work of the policy classes that the mapping names.
        public var policies: PolicyRegistry

        /// Makes options; without arguments the store is replaced, by what can be inferred.
        public init(
            placement: MigrationPlacement = .replace(backup: nil), history: HistoryPolicy = .automatic,
            isThorough: Bool = false, mapping: MappingModel? = nil, defaultPolicies: Set<String> = [],
            policies: PolicyRegistry = PolicyRegistry()
        ) {
            self.placement = placement
            self.history = history
            self.isThorough = isThorough
            self.mapping = mapping
            self.defaultPolicies = defaultPolicies
            self.policies = policies
        }
    }

    let store: SQLiteStore
    let source: VersionedModel
    let destination: VersionedModel
    let options: Options

    /// Prepares to plan the migration of a store from the version that it has to another one.
    public init(store: SQLiteStore, from source: VersionedModel, to destination: VersionedModel, options: Options) {
        self.store = store
        self.source = source
        self.destination = destination
        self.options = options
    }

    /// Computes the plan.
    /// - Throws: `StoreError` where the store cannot be read.
    public func plan() throws(StoreError) -> MigrationPlan {
        do {
            return try computePlan()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error, path: files.original.path)
        } catch {
            throw StoreError(.corrupt("\(error)"), path: files.original.path)
        }
    }

    private func computePlan() throws -> MigrationPlan {
        let sourceLayout = store.layout(for: source.model)
        // Names of derived attributes do not enter the hashes: the tables have the last word.
        let isUpToDate =
            store.metadata.versionHashes == destination.hashes
            && store.layout(for: destination.model).problems.isEmpty
        if isUpToDate { return upToDatePlan() }
        guard let mapping = options.mapping.map(withoutDefaultPolicies) else {
            let inferred = InferredMapping(
                ModelCorrespondence(source: source.model, destination: destination.model),
                sourceHashes: store.metadata.versionHashes, destinationHashes: destination.hashes)
            return try transferPlan(ResolvedMapping(inferred), sourceLayout)
        }
        if let resolved = try transferable(mapping, sourceLayout) { return try transferPlan(resolved, sourceLayout) }
        return try customPlan(mapping, sourceLayout)
    }

    /// A mapping model that says no more than inference could, over data that allow all of it; nil for any other.
    private func transferable(
        _ mapping: MappingModel, _ sourceLayout: StoreLayout
    ) throws(SQLiteError) -> ResolvedMapping? {
        guard sourceLayout.problems.isEmpty,
            let resolved = ResolvedMapping(mapping, source: source.model, destination: destination.model)
        else { return nil }
        let builder = TransferBuilder(
            correspondence: resolved.correspondence, source: sourceLayout,
            destination: LayoutPrediction.layout(of: destination.model), naming: .renamed([:]))
        return try TransferConditions(store: store, builder: builder).allow(resolved) ? resolved : nil
    }

    /// The plan of a mapping whose objects stay what they are, be they moved or changed where they stand.
    private func transferPlan(_ mapping: ResolvedMapping, _ sourceLayout: StoreLayout) throws -> MigrationPlan {
        var findings = try layoutFindings(sourceLayout) + interruptedImport() + damage()
        let correspondence = mapping.correspondence
        if !mapping.isInferred { findings += mappingFindings(mapping.mappingModel) }
        findings += mapping.refusals.map {
            MigrationFinding(
                .error, $0.findingCode, cocoaCode: $0.cocoaCode, subject: $0.subject, message: $0.sentence)
        }
        let layout = LayoutPrediction.layout(of: destination.model)
        let narrowing = mapping.isInferred ? options.narrowing : .refuse
        let builder = TransferBuilder(
            correspondence: correspondence, source: sourceLayout, destination: layout, naming: .attached("source"),
            narrowing: narrowing)
        if !findings.contains(where: { $0.severity == .error }) {
            let here = TransferBuilder(
                correspondence: correspondence, source: sourceLayout, destination: layout, naming: .renamed([:]),
                narrowing: narrowing)
            findings += try DataChecks(store: store, builder: here).findings(for: mapping.dataDependentFailures)
            findings += try NarrowedValueChecks(
                store: store, builder: here, invalidObjects: options.invalidObjects
            ).findings()
            findings += try strangers(sourceLayout)
            findings += try DroppedData(store: store, layout: sourceLayout, correspondence: correspondence)
                .findings(countsRows: options.isThorough)
            if options.isThorough {
                findings += try DryRunChecks(store: store, layout: sourceLayout).findings()
                findings += try RequiredLinkChecks(store: store, builder: here).findings()
                findings += try ExternalDataChecks(
                    store: store, layout: sourceLayout, folder: files.original.externalDataDirectory
                ).findings()
            }
        }
        findings += commonFindings(layout) + alternativeFindings()
        let history = try HistoryDecision(
            options.history,
            following: EntityReferences(
                correspondence: correspondence, source: sourceLayout, destination: layout, schema: store.schema),
            on: store.connection)
        findings += history.findings
        let surroundings = try self.surroundings(builder, history, findings)
        findings += surroundings.findings
        let programs = programs(builder, surroundings, history, maximumKeys(correspondence, sourceLayout))
        let (method, reason) =
            findings.contains { $0.severity == .error }
            ? (MigrationPlan.Method.nothing, "the migration is refused")
            : try chooseMethod(programs)
        let program: MigrationProgram? =
            switch method {
            case .nothing: nil
            case .newFile: programs.newFile()
            case .copy: ExistingFileProgram.make(programs, arena: .copy)
            case .original: ExistingFileProgram.make(programs, arena: .original)
            }
        let rows = try countRows(sourceLayout, correspondence, program)
        findings += strangers(sourceLayout, rows)
        findings += try sharedUUIDs(correspondence, sourceLayout, rows)
        return plan(
            programs, method: method, reason: reason,
            entities: entityPlans(mapping.mappingModel, program, layout, rows), findings: findings,
            isIndependentOfRows: isIndependentOfRows(programs), program: program, tableRows: rows.byTable)
    }

    /// What the store has beside its objects.
    func surroundings(
        _ builder: TransferBuilder, _ history: HistoryDecision, _ findings: [MigrationFinding]
    ) throws -> UnmodeledContents {
        try UnmodeledContents(
            of: store.schema, from: builder.source, to: builder.destination, keepsHistory: history.keepsHistory,
            isRefused: findings.contains { $0.severity == .error })
    }

    /// - Parameter maximumKeys: by the name of the destination's root entity.
    func programs(
        _ builder: TransferBuilder, _ surroundings: UnmodeledContents, _ history: HistoryDecision,
        _ maximumKeys: [String: Int64]
    ) -> ProgramBuilder {
        ProgramBuilder(
            builder: builder, schema: store.schema, kept: surroundings.kept, foreign: surroundings.foreign,
            bookkeeping: BookkeepingSteps(
                layout: builder.destination, metadata: store.metadata.migrated(to: destination),
                systemRecords: history.systemRecords(store.entityRecords), maximumKeys: maximumKeys),
            references: history.steps)
    }

    /// What both kinds of plans come to.
    func plan(
        _ programs: ProgramBuilder, method: MigrationPlan.Method, reason: String,
        entities: [MigrationPlan.EntityPlan], findings: [MigrationFinding], isIndependentOfRows: Bool,
        program: MigrationProgram?, tableRows: [String: Int64]
    ) -> MigrationPlan {
        MigrationPlan(
            sourcePath: files.original.path, inputPath: store.files.path, destinationPath: files.destinationPath,
            placement: options.placement, storeUUID: store.metadata.uuid, sourceVersion: source.name,
            destinationVersion: destination.name, configuration: destination.configuration, isUpToDate: false,
            method: method, methodReason: reason, entities: entities, findings: findings,
            keptTables: programs.kept.tables.map(\.name),
            space: files.space(for: method, isIndependentOfRows: isIndependentOfRows), program: program,
            destinationLayout: programs.destination, metadata: programs.bookkeeping.metadata,
            tableRows: tableRows)
    }

    var files: MigrationFiles {
        MigrationFiles(
            input: store.files, original: options.original ?? store.files, placement: options.placement,
            stepCount: options.stepCount)
    }

    private func upToDatePlan() -> MigrationPlan {
        MigrationPlan(
            sourcePath: files.original.path, inputPath: store.files.path, destinationPath: files.destinationPath,
            placement: options.placement, storeUUID: store.metadata.uuid, sourceVersion: destination.name,
            destinationVersion: destination.name,
            configuration: destination.configuration, isUpToDate: true, method: .nothing,
            methodReason: "the store is at that version already", entities: [],
            findings: [], keptTables: [], space: files.spaceOfCopy, program: nil,
            destinationLayout: nil, metadata: store.metadata, tableRows: [:])
    }
}

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
        /// Whether what a mapping model computes is looked at before anything is written, so that the plan has all
        /// findings.
        ///
        /// If not, the values of a new file are looked at as they are written, which saves evaluating them twice. The
        /// findings of an executed plan are the same: it is refused by the first value that refuses it, and the store
        /// is as it was.
        public var looksAhead = true
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
        /// Whether a thorough plan of a chain runs all of it on scratch stores, policies and code included.
        public var rehearses = false
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
            throw StoreError(error, path: files.original.shownPath)
        } catch {
            throw StoreError(.corrupt("\(error)"), path: files.original.shownPath)
        }
    }

    private func computePlan() throws -> MigrationPlan {
        let sourceLayout = store.layout(for: source.model)
        // Names of derived attributes do not enter the hashes: the tables have the last word.
        let isUpToDate =
            store.metadata.versionHashes == destination.hashes
            && store.layout(for: destination.model).problems.isEmpty
        if isUpToDate { return upToDatePlan() }
        return try plan(options.mapping.map(withoutDefaultPolicies), sourceLayout)
    }

    /// - Parameter mapping: the written mapping model; nil to infer one.
    private func plan(_ mapping: MappingModel?, _ sourceLayout: StoreLayout) throws -> MigrationPlan {
        let layout = LayoutPrediction.layout(of: destination.model)
        var findings = try layoutFindings(sourceLayout) + interruptedImport() + damage()
        if let mapping { findings += mappingFindings(mapping) }
        let planned = try plannedTransfer(
            mapping, from: sourceLayout, to: layout, isRefused: findings.contains { $0.severity == .error })
        findings += planned.findings + commonFindings(layout)
        if planned.builder != nil { findings += alternativeFindings() }
        let history =
            try planned.references.map { try HistoryDecision(options.history, following: $0, on: store.connection) }
            ?? .none
        findings += history.findings
        let surroundings = try UnmodeledContents(
            of: store.schema, from: sourceLayout, to: layout, keepsHistory: history.keepsHistory,
            isRefused: findings.contains { $0.severity == .error })
        findings += surroundings.findings
        let builder = planned.transfer.map { programBuilder($0, surroundings, history) }
        let (method, reason) = try chooseMethod(builder, isRefused: findings.contains { $0.severity == .error })
        let program = builder.flatMap { makeProgram($0, planned.builder, method, history) }
        let rows =
            try planned.rows ?? planned.builder.map { try countRows(sourceLayout, $0.correspondence, program) }
            ?? RowCounts()
        findings += strangers(sourceLayout, rows)
        if let correspondence = planned.builder?.correspondence {
            findings += try sharedUUIDs(correspondence, sourceLayout, rows)
        }
        return MigrationPlan(
            original: files.original, inputPath: store.files.path, destinationPath: files.destinationPath,
            placement: options.placement, storeUUID: store.metadata.uuid, sourceVersion: source.name,
            destinationVersion: destination.name, configuration: destination.configuration, isUpToDate: false,
            method: method, methodReason: reason,
            entities: entityPlans(planned.mappingModel, planned.transfer, program, rows), findings: findings,
            keptTables: surroundings.kept.tables.map(\.name),
            space: files.space(for: method, isIndependentOfRows: builder.map(isIndependentOfRows) ?? false),
            program: program, destinationLayout: layout, metadata: store.metadata.migrated(to: destination),
            tableRows: rows.byTable)
    }

    private func programBuilder(
        _ transfer: StoreTransfer, _ surroundings: UnmodeledContents, _ history: HistoryDecision
    ) -> ProgramBuilder {
        ProgramBuilder(
            transfer: transfer, schema: store.schema, kept: surroundings.kept, foreign: surroundings.foreign,
            bookkeeping: BookkeepingSteps(
                layout: transfer.destination, metadata: store.metadata.migrated(to: destination),
                systemRecords: history.systemRecords(store.entityRecords), maximumKeys: transfer.maximumKeys),
            references: history.steps)
    }

    /// - Parameter builder: nil if objects are recreated, which is done in a new file.
    private func makeProgram(
        _ programs: ProgramBuilder, _ builder: TransferBuilder?, _ method: MigrationPlan.Method,
        _ history: HistoryDecision
    ) -> MigrationProgram? {
        var program: MigrationProgram? =
            switch method {
            case .nothing: nil
            case .newFile: programs.newFile()
            case .copy: builder.map { ExistingFileProgram.make(programs, $0, arena: .copy) }
            case .original: builder.map { ExistingFileProgram.make(programs, $0, arena: .original) }
            }
        program?.historyRemovals = history.plannedRemovals
        program?.keepsAllHistory = options.history == .keep
        if programs.transfer.recreatesObjects {
            program?.watchedMappings = programs.transfer.watchedMappings
            var options = options
            options.looksAhead = true
            options.now = programs.transfer.now
            program?.replan = { [source, destination, options, files = store.files] isThorough, isCancelled in
                var options = options
                options.isThorough = isThorough
                let store = try SQLiteStore(path: files.path, shownAs: files.shownPath)
                store.connection.onProgress(everyInstructions: 100_000, isCancelled)
                return try MigrationPlanner(store: store, from: source, to: destination, options: options).plan()
            }
        }
        return program
    }

    var files: MigrationFiles {
        MigrationFiles(
            input: store.files, original: options.original ?? store.files, placement: options.placement,
            stepCount: options.stepCount)
    }

    private func upToDatePlan() -> MigrationPlan {
        MigrationPlan(
            original: files.original, inputPath: store.files.path, destinationPath: files.destinationPath,
            placement: options.placement, storeUUID: store.metadata.uuid, sourceVersion: destination.name,
            destinationVersion: destination.name,
            configuration: destination.configuration, isUpToDate: true, method: .nothing,
            methodReason: "the store is at that version already", entities: [],
            findings: [], keptTables: [], space: files.spaceOfCopy, program: nil,
            destinationLayout: nil, metadata: store.metadata, tableRows: [:])
    }
}

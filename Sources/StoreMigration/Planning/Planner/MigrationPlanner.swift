import KeyedArchives
import ManagedObjectModels
public import MappingModels
public import PersistentStores
import SQLiteAccess

/// Computes the plan of a migration from a store that is open for reading. Nothing is written.
public struct MigrationPlanner {
    /// The options of a plan.
    public struct Options: Sendable {
        /// Whether the result replaces the store or is written elsewhere.
        public var placement: MigrationPlacement
        /// How persistent history is migrated.
        public var history: HistoryPolicy
        /// Whether to count all rows, and to search for faults that do not affect the migration.
        public var isThorough: Bool
        /// Whether the values that a mapping model computes are examined before anything is written, so that the plan
        /// has all findings.
        ///
        /// If false, the values of a new file are examined as they are written, which avoids evaluating them twice. The
        /// findings of the executed plan are the same: it is refused at the first value that is not allowed, and the
        /// store is unchanged.
        public var looksAhead = true
        /// The mapping model, completed for the two versions; nil to infer it.
        public var mapping: MappingModel?
        /// How an inferred migration handles numbers that an attribute's new type cannot represent.
        public var narrowing = NumberNarrowing.refuse
        /// How a step with a mapping model, or a stage, handles objects that the model does not allow.
        public var invalidObjects = InvalidObjectPolicy.refuse
        /// Policy classes whose mappings run as if they did not name a policy.
        public var defaultPolicies: Set<String>
        /// The store that the user specified, if this one is an intermediate store of its chain; nil if they are the
        /// same.
        public var original: StoreFiles?
        /// Whether the store is a sketch of a future store without rows, so that only the models are compared.
        public var isSketch = false
        /// The number of steps in the chain to which this one belongs.
        public var stepCount = 1
        /// Earlier findings, which the plan repeats.
        public var findings: [MigrationFinding] = []
        /// The time of `now()` in expressions, in seconds since 2001; nil for the time of the plan.
        public var now: Double?
        /// Whether a thorough plan of a chain executes all of it on scratch stores, including policies and code.
        public var rehearses = false
        /// The implementations of the policy classes that the mapping names.
        public var policies: PolicyRegistry

        /// Creates options; by default, the mapping is inferred and the store is replaced.
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

    /// Prepares to plan the migration of a store from its version to another one.
    public init(store: SQLiteStore, from source: VersionedModel, to destination: VersionedModel, options: Options) {
        self.store = store
        self.source = source
        self.destination = destination
        self.options = options
    }

    /// Computes the plan.
    /// - Throws: `StoreError` if the store cannot be read.
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
        // The names of derived attributes do not affect the hashes, so the tables are compared too.
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
            space: files.space(
                for: method, isIndependentOfRows: builder.map(isIndependentOfRows) ?? false,
                rowsWait: program?.rowsWait ?? false),
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
            references: history.steps, copies: history.copies)
    }

    /// - Parameter builder: nil if objects are recreated, which requires a new file.
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

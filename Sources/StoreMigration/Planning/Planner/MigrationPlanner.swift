import KeyedArchives
import ManagedObjectModels
public import MappingModels
public import PersistentStores
import SQLiteAccess

/// Computes the plan of a migration from a store that is open for reading. Nothing is written.
public struct MigrationPlanner {
    public struct Options: Sendable {
        public var placement: MigrationPlacement
        public var history: HistoryPolicy
        /// Whether to count every row and to look for faults that do not decide.
        public var isThorough: Bool
        /// What is to be done instead of what can be inferred; completed for the two versions.
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

    public init(store: SQLiteStore, from source: VersionedModel, to destination: VersionedModel, options: Options) {
        self.store = store
        self.source = source
        self.destination = destination
        self.options = options
    }

    /// - Throws: `StoreError` where the store cannot be read.
    public func plan() throws(StoreError) -> MigrationPlan {
        do {
            return try computePlan()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error, path: original.path)
        } catch {
            throw StoreError(.corrupt("\(error)"), path: original.path)
        }
    }

    private func computePlan() throws -> MigrationPlan {
        let sourceLayout = store.layout(for: source.model)
        // Names of derived attributes do not enter the hashes: the tables have the last word.
        let isUpToDate =
            store.metadata.versionHashes == destination.hashes
            && store.layout(for: destination.model).problems.isEmpty
        if isUpToDate { return upToDatePlan() }
        if let mapping = options.mapping { return try customPlan(mapping, sourceLayout) }
        return try inferredPlan(sourceLayout)
    }

    private func inferredPlan(_ sourceLayout: StoreLayout) throws -> MigrationPlan {
        var findings = try layoutFindings(sourceLayout) + interruptedImport() + damage()
        let correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        let inferred = InferredMapping(
            correspondence, sourceHashes: store.metadata.versionHashes, destinationHashes: destination.hashes)
        findings += inferred.refusals.map {
            MigrationFinding(
                .error, $0.findingCode, cocoaCode: $0.cocoaCode, subject: $0.subject, message: $0.sentence)
        }
        let layout = LayoutPrediction.layout(of: destination.model)
        let builder = TransferBuilder(
            correspondence: correspondence, source: sourceLayout, destination: layout, naming: .attached("source"),
            narrowing: options.narrowing)
        if findings.isEmpty {
            let here = TransferBuilder(
                correspondence: correspondence, source: sourceLayout, destination: layout, naming: .renamed([:]),
                narrowing: options.narrowing)
            findings += try DataChecks(store: store, builder: here).findings(for: inferred.dataDependentFailures)
            findings += try strangers(sourceLayout)
            findings += try DroppedData(store: store, layout: sourceLayout, correspondence: correspondence)
                .findings(countsRows: options.isThorough)
            if options.isThorough {
                findings += try DryRunChecks(store: store, layout: sourceLayout).findings()
                findings += try RequiredLinkChecks(store: store, builder: here).findings()
                findings += try ExternalDataChecks(
                    store: store, layout: sourceLayout, folder: original.externalDataDirectory
                ).findings()
            }
        }
        findings += commonFindings(layout) + alternativeFindings()
        let references = try referenceDecision(
            EntityReferences(
                correspondence: correspondence, source: sourceLayout, destination: layout, schema: store.schema))
        findings += references.findings
        let surroundings = try StoreSurroundings(
            self, builder, references, maximumKeys: maximumKeys(correspondence, sourceLayout), findings: findings)
        findings = surroundings.findings
        let programs = surroundings.programs
        let (method, reason) =
            surroundings.isRefused
            ? (MigrationPlan.Method.nothing, "the migration is refused")
            : try chooseMethod(programs, surroundings.kept)
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
            surroundings, method: method, reason: reason,
            entities: entityPlans(inferred.mappingModel, program, layout, rows), findings: findings,
            isIndependentOfRows: isIndependentOfRows(programs), program: program, tableRows: rows.byTable)
    }

    /// What both kinds of plans come to.
    func plan(
        _ surroundings: StoreSurroundings, method: MigrationPlan.Method, reason: String,
        entities: [MigrationPlan.EntityPlan], findings: [MigrationFinding], isIndependentOfRows: Bool,
        program: MigrationProgram?, tableRows: [String: Int64]
    ) -> MigrationPlan {
        MigrationPlan(
            sourcePath: original.path, inputPath: store.files.path, destinationPath: destinationPath,
            placement: options.placement, storeUUID: store.metadata.uuid, sourceVersion: source.name,
            destinationVersion: destination.name, configuration: destination.configuration, isUpToDate: false,
            method: method, methodReason: reason, entities: entities, findings: findings,
            keptTables: surroundings.kept.tables.map(\.name),
            space: space(for: method, isIndependentOfRows: isIndependentOfRows), program: program,
            destinationLayout: surroundings.programs.destination, metadata: surroundings.programs.bookkeeping.metadata,
            tableRows: tableRows)
    }

    /// The store that the user named.
    var original: StoreFiles { options.original ?? store.files }

    var destinationPath: String {
        if case .output(let path) = options.placement { path } else { original.path }
    }

    private func upToDatePlan() -> MigrationPlan {
        MigrationPlan(
            sourcePath: original.path, inputPath: store.files.path, destinationPath: destinationPath,
            placement: options.placement, storeUUID: store.metadata.uuid, sourceVersion: destination.name,
            destinationVersion: destination.name,
            configuration: destination.configuration, isUpToDate: true, method: .nothing,
            methodReason: "the store is at that version already", entities: [],
            findings: [], keptTables: [], space: spaceOfCopy, program: nil,
            destinationLayout: nil, metadata: store.metadata, tableRows: [:])
    }
}

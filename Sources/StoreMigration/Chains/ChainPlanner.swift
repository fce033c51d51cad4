import MappingModels
public import PersistentStores

/// Plans the steps of a chain: the first one with the store itself, the others with sketches of the intermediate
/// stores.
///
/// A thorough plan executes the steps on scratch stores in the folder for temporary files, so that every step is
/// planned with the data that it will process.
public struct ChainPlanner {
    private let store: SQLiteStore
    private let chain: MigrationChain
    private let options: MigrationPlanner.Options
    private let isCancelled: (@Sendable () -> Bool)?

    /// Prepares to plan a chain.
    /// - Parameters:
    ///   - store: a store that is open for reading.
    ///   - chain: the steps from the store's version to another one.
    ///   - options: the options; their mapping is ignored, because each step has its own.
    ///   - isCancelled: called while steps are executed on scratch stores; if it returns true, planning ends.
    public init(
        store: SQLiteStore, chain: MigrationChain, options: MigrationPlanner.Options,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.store = store
        self.chain = chain
        self.options = options
        self.isCancelled = isCancelled
    }

    /// Plans the steps.
    /// - Throws: `ChainError.inPlace` if several steps would have to change the store itself, and
    ///   `MigrationError.cancelled`.
    public func plan() throws -> ChainPlan {
        let plan = try planOfModels()
        guard options.isThorough, !plan.isRefused, !plan.isUpToDate else { return plan }
        if plan.isSingle, !options.rehearses { return plan.adding(ChainRehearsal.unknown(plan)) }
        return try ChainRehearsal(plan, isCancelled: isCancelled).rehearsed()
    }

    private func planOfModels() throws -> ChainPlan {
        var options = options
        let edits = chain.steps.reduce(0) { $0 + ($1.before.isEmpty ? 0 : 1) + ($1.after.isEmpty ? 0 : 1) }
        // All steps, and all runs that continue the chain, use the same time for `now()`.
        options.now = options.now ?? ReferenceDate.now
        options.stepCount = chain.steps.count + edits
        options.findings += chain.findings
        if case .inPlace = options.placement, options.stepCount > 1 {
            throw ChainError.inPlace(steps: options.stepCount)
        }
        var steps: [ChainPlan.Step] = []
        for (index, step) in chain.steps.enumerated() {
            // Edits before the step may correct data that do not fit it.
            let isSketch = index > 0 || !step.before.isEmpty
            let plan =
                try isSketch
                ? sketch(step, options)
                : MigrationPlanner(
                    store: store, from: step.source,
                    to: step.destination.adopting(store.metadata, from: step.source), options: step.options(options)
                ).plan()
            steps.append(ChainPlan.Step(number: index + 1, step: step, plan: plan, isSketch: isSketch))
            options.findings = []
        }
        return ChainPlan(steps: steps, options: options)
    }

    /// Returns the plan for a store without rows that has the tables of the step's source version.
    private func sketch(
        _ step: MigrationChain.Step, _ options: MigrationPlanner.Options
    ) throws(StoreError) -> MigrationPlan {
        var options = step.options(options)
        options.isSketch = true
        options.isThorough = false
        let new = NewStore(
            model: step.source.model, hashes: step.source.hashes, digest: step.source.digest,
            checksum: step.source.checksum, uuid: store.metadata.uuid)
        return try MigrationPlanner(
            store: SQLiteStore(sketching: new, at: store.files), from: step.source, to: step.destination,
            options: options
        ).plan()
    }
}

extension MigrationChain.Step {
    /// Returns the options of a chain with the mapping of the step.
    func options(_ options: MigrationPlanner.Options) -> MigrationPlanner.Options {
        var options = options
        options.mapping = mapping.map {
            MappingCompletion(
                source: source.model, destination: destination.model, sourceHashes: source.hashes,
                destinationHashes: destination.hashes
            ).completed($0.model)
        }
        return options
    }
}

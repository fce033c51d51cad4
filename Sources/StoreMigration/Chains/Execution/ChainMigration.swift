import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Executes the steps of a chain. Each step reads the store that the previous one has written, until the last one
/// replaces the original or becomes a new store.
///
/// There are never more than two intermediate stores: the next one is synchronized and recorded before the one from
/// which it was made is removed.
final class ChainMigration {
    let plan: ChainPlan
    let options: MigrationOptions
    let fingerprint: StoreFingerprint
    private let parts: [Part]
    private var now: Double
    private var reports: [ChainReport.Step] = []

    /// A unit of work that reads one store and writes another.
    enum Part {
        case migration(ChainPlan.Step)
        case edits([StoreEdit], of: VersionedModel, ChainPlan.Step)
    }

    var original: StoreFiles { plan.first.original }

    init(_ plan: ChainPlan, options: MigrationOptions, unchangedSince fingerprint: StoreFingerprint) {
        self.plan = plan
        self.options = options
        self.fingerprint = fingerprint
        now = plan.options.now ?? ReferenceDate.now
        var parts: [Part] = []
        for step in plan.steps {
            if !step.step.before.isEmpty { parts.append(.edits(step.step.before, of: step.step.source, step)) }
            parts.append(.migration(step))
            if !step.step.after.isEmpty { parts.append(.edits(step.step.after, of: step.step.destination, step)) }
        }
        self.parts = parts
    }

    /// A text that identifies this run, for a later run that continues it.
    private var run: String { "\(plan.digest) \(fingerprint.text)" }

    func execute() throws -> ChainReport {
        let start = Clock.seconds
        let path = plan.first.shownPath
        guard !plan.isRefused else { throw MigrationError(.refused(plan.findings), path: path) }
        let whole = MigrationRun(options: options)
        try whole.checkDestination(plan.first)
        try whole.checkSpace(plan.first)
        let destination = FileSystem.resolvingLinks(plan.first.destinationPath)
        let stores = try IntermediateStores(for: destination)
        let backup: StoreBackup?
        var finished: Int
        do {
            finished = try goOn(stores)
            // The place of the backup is checked first, because after the work it would be too late.
            backup = try plan.first.placement.backup.map {
                try StoreBackup(of: original, in: $0, isCancelled: options.isCancelled)
            }
        } catch {
            // The work of an earlier run is kept for a run that can continue it.
            stores.isKept = options.resumes
            throw error
        }
        let first = finished
        do {
            while finished < parts.count {
                try perform(finished, stores, destination, backup)
                finished += 1
            }
        } catch {
            backup?.discard()
            if options.resumes, MigrationRun.isCancellation(error) { stores.isKept = true }
            if let error = error as? StoreError, error.isCancelled { throw MigrationError(.cancelled, path: path) }
            throw error
        }
        backup?.keep()
        options.onProgress?(MigrationProgress(stage: .done, table: nil, rowsDone: 0, rowsTotal: nil))
        return ChainReport(plan, reports, resumedAt: first == 0 ? nil : first + 1, seconds: Clock.seconds - start)
    }

    // MARK: - Continuing an earlier run

    /// Returns the number of parts that an earlier run has finished; if they cannot be continued, its files are
    /// removed.
    private func goOn(_ stores: IntermediateStores) throws -> Int {
        guard options.resumes, let record = stores.record else {
            try stores.clear()
            try note(0, in: stores)
            return 0
        }
        func refuse(_ reason: String) -> MigrationError {
            MigrationError(.resumeRefused(reason), path: original.shownPath)
        }
        guard record["format"] == Self.format else { throw refuse("it was begun by another version of the program") }
        guard record["plan"] == plan.digest else {
            throw refuse("the models, the mapping models or the options have changed since")
        }
        guard record["source"] == fingerprint.text else {
            guard record["isPlacing"] == "1" else { throw refuse("the store has changed since") }
            // The lock for the last step checkpoints the store's log, which may be the only change.
            try stores.clear()
            try note(0, in: stores)
            return 0
        }
        now = record["now"].flatMap(Double.init) ?? now
        guard var finished = record["finished"].flatMap({ Int($0) }), (0..<parts.count).contains(finished) else {
            return 0
        }
        // The store of a part is complete when it has this name. The run may have been killed before it noted that.
        if finished + 1 < parts.count, FileSystem.exists(stores.store(finished + 1)) { finished += 1 }
        guard finished > 0, FileSystem.exists(stores.store(finished)) else { return 0 }
        for number in 1..<parts.count where number != finished { stores.removeStore(number) }
        return finished
    }

    private static let format = "2"

    private func note(_ finished: Int, in stores: IntermediateStores, isPlacing: Bool = false) throws(StoreError) {
        try stores.write([
            "format": Self.format, "source": fingerprint.text, "plan": plan.digest, "now": "\(now)",
            "finished": "\(finished)", "isPlacing": isPlacing ? "1" : "0",
        ])
    }

    // MARK: - Parts

    private func perform(
        _ index: Int, _ stores: IntermediateStores, _ destination: String, _ backup: StoreBackup?
    ) throws {
        let isLast = index == parts.count - 1
        let input = index == 0 ? original : StoreFiles(stores.store(index))
        let target = isLast ? destination : stores.store(index + 1)
        let partRun = MigrationRun(
            options: partOptions(index), part: ChainPart(run: run, number: index + 1, isIntermediate: !isLast))
        let start = Clock.seconds
        let staged: StagedFile
        var runner: StepRunner?
        var edits: [ChainReport.Edit] = []
        let planned: MigrationPlan
        let step: ChainPlan.Step
        switch parts[index] {
        case .migration(let migration):
            step = migration
            planned = try self.planned(migration, input: input, isFirst: index == 0)
            do {
                (staged, runner) = try partRun.fillStaged(planned, for: target, fingerprint)
            } catch let error as MigrationError {
                guard case .refused(let findings) = error.code, index > 0 else { throw error }
                throw refusal(of: step, planned, findings)
            }
        case .edits(let list, let version, let edited):
            step = edited
            planned = plan.first
            (staged, edits) = try partRun.editStaged(
                input, for: target,
                EditSet(edits: list, version: version, now: now, invalidObjects: plan.options.invalidObjects),
                wasLogged: isLast && isLogged, path: original.shownPath)
        }
        if isLast {
            try note(index, in: stores, isPlacing: true)
            try partRun.place(staged, at: destination, plan.first, backup, fingerprint)
        } else {
            // The source is read for the last time here.
            if index == 0, StoreFingerprint(of: original) != fingerprint {
                throw MigrationError(.changedMeanwhile, path: original.shownPath)
            }
            try staged.synchronize()
            options.onCheckpoint?("part \(index + 1) synchronized")
            // An intermediate store that is lost in a power failure is written again.
            _ = try staged.move(to: target, replacing: true)
            options.onCheckpoint?("part \(index + 1) moved")
            try note(index + 1, in: stores)
            options.onCheckpoint?("part \(index + 1) noted")
            if index > 0 { stores.removeStore(index) }
        }
        let seconds = Clock.seconds - start
        note(step, runner.map { partRun.report(planned, runner: $0, seconds: seconds) }, edits, partRun.findings)
        options.onCheckpoint?("part \(index + 1) finished")
    }

    /// Returns the plan of a step: the first step has been planned already, later ones are planned when their source
    /// exists.
    private func planned(_ step: ChainPlan.Step, input: StoreFiles, isFirst: Bool) throws -> MigrationPlan {
        if isFirst, !step.isSketch, now == plan.options.now { return step.plan }
        let store = try SQLiteStore(path: input.path)
        var options = step.step.options(plan.options)
        options.original = original
        options.isThorough = false
        options.now = now
        let destination = step.step.destination.adopting(store.metadata, from: step.step.source)
        let planned = try MigrationPlanner(
            store: store, from: step.step.source, to: destination, options: options
        ).plan()
        if planned.isRefused { throw refusal(of: step, planned, planned.findings) }
        return planned
    }

    private func refusal(
        of step: ChainPlan.Step, _ planned: MigrationPlan, _ findings: [MigrationFinding]
    ) -> MigrationError {
        MigrationError(
            .stepRefused(
                "step \(step.number) of \(plan.steps.count), from \(planned.sourceVersion) to "
                    + "\(planned.destinationVersion),", findings), path: original.shownPath)
    }

    private var isLogged: Bool { (try? DatabaseFile(path: original.path))?.usesWriteAheadLog ?? false }

    private func note(
        _ step: ChainPlan.Step, _ report: MigrationReport?, _ edits: [ChainReport.Edit], _ findings: [MigrationFinding]
    ) {
        let index = reports.firstIndex { $0.number == step.number }
        var entry = index.map { reports[$0] } ?? ChainReport.Step(step)
        entry.migration = report ?? entry.migration
        entry.edits += edits
        if report == nil { entry.findings += findings }
        if let index { reports[index] = entry } else { reports.append(entry) }
    }

    // MARK: - Progress

    /// Returns the options of a part, whose rows are added to those of all parts as far as these are known.
    private func partOptions(_ index: Int) -> MigrationOptions {
        var options = options
        let rows = reports.compactMap(\.migration).map(\.rowsWritten)
        let done = rows.reduce(0, +)
        let later = parts[(index + 1)...].count { if case .migration = $0 { true } else { false } }
        let (number, count) = (index + 1, parts.count)
        guard let show = self.options.onProgress else { return options }
        options.onProgress = { progress in
            // The numbers of rows in later steps are not known yet, and are estimated by that of this step.
            let total = progress.rowsTotal.map { done + $0 * Int64(later + 1) }
            var all = MigrationProgress(
                stage: progress.stage, table: progress.table, rowsDone: done + progress.rowsDone, rowsTotal: total)
            all.step = number
            all.stepCount = count
            show(all)
        }
        return options
    }
}

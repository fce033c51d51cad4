import MappingModels
import PersistentStores
import SQLiteAccess

/// Executes the steps of a chain on scratch stores, so that every step of a plan is planned with the data that it will
/// process.
///
/// The last step is planned as thoroughly as a migration of one step, and executed only if edits follow it. External
/// programs and code of the caller are not executed, because they may have side effects. Their results, and the steps
/// after them, are then not known. All of it is executed if that was requested.
struct ChainRehearsal {
    let plan: ChainPlan
    let isCancelled: (@Sendable () -> Bool)?

    /// The folder in which the scratch stores are created, and whose free space is checked.
    private let folder: TemporaryFolder

    /// - Throws: `StoreError` if there is no folder for temporary files.
    init(_ plan: ChainPlan, isCancelled: (@Sendable () -> Bool)?) throws(StoreError) {
        self.plan = plan
        self.isCancelled = isCancelled
        do {
            folder = try TemporaryFolder(kind: "ferry-chain-")
        } catch {
            throw StoreError(FileError(.create, error.parent, number: error.number))
        }
    }

    /// Returns the plan with later steps planned from data, as far as possible.
    ///
    /// Throws `MigrationError` if it is cancelled.
    func rehearsed() throws -> ChainPlan {
        var steps = plan.steps
        var found: [MigrationFinding] = []
        func result(_ last: MigrationFinding? = nil) -> ChainPlan {
            ChainPlan(steps: steps, options: plan.options).adding(found + [last].compactMap { $0 })
        }
        let runsAll = plan.options.rehearses
        guard !plan.isRefused else { return plan }
        let original = plan.first.original
        let needed = space(for: original)
        if let free = FileSystem.freeSpace(folder.path), free < needed {
            return result(
                unknown(
                    from: steps.firstIndex(where: \.isSketch) ?? 0,
                    "the scratch stores need \(Quantity.bytes(needed)) in \(FileSystem.directory(of: folder.path)), and "
                        + "\(Quantity.bytes(free)) are free; TMPDIR names another folder for them"))
        }
        let fingerprint = StoreFingerprint(of: original)
        var input = original
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            do {
                if !runsAll, let reason = Self.unknown(step.step.before) { return result(unknown(from: index, reason)) }
                input = try edited(input, step.step.before, of: step.step.source, "before-\(index)")
                if step.isSketch {
                    steps[index] = try ChainPlan.Step(
                        number: step.number, step: step.step, plan: planned(step, input), isSketch: false)
                }
                let planned = steps[index].plan
                guard !planned.isRefused else { return result() }
                if !runsAll {
                    if let reason = Self.unknown(of: step, plan) { return result(unknown(from: index, reason)) }
                    if isLast, step.step.after.isEmpty { return result() }
                }
                if !planned.isUpToDate {
                    let target = folder.path + "/step-\(index).sqlite"
                    let run = run(index)
                    // A step that would change the store in place is executed on a copy.
                    let (staged, runner) = try run.fillStaged(
                        planned.method == .original ? self.planned(step, input, isCopy: true) : planned, for: target,
                        fingerprint)
                    if runsAll {
                        var checked = planned
                        checked.findings.removeAll { $0.code == Self.notChecked }
                        steps[index] = ChainPlan.Step(
                            number: step.number, step: step.step, plan: checked, isSketch: false)
                        found += run.report(checked, runner: runner, seconds: 0).findings
                            .filter { !planned.findings.contains($0) }
                    }
                    // A scratch store need not survive a power failure.
                    _ = try staged.move(to: target, replacing: true)
                    remove(input)
                    input = StoreFiles(target)
                }
                input = try edited(input, step.step.after, of: step.step.destination, "after-\(index)")
            } catch let error as MigrationError where error.code == .cancelled || error.code == .changedMeanwhile {
                throw error
            } catch let error as MigrationError {
                if case .invalid(let invalid) = error.code {
                    found += invalid
                    return result()
                }
                return result(failure(step, error))
            } catch let error as StoreError where error.isCancelled {
                throw MigrationError(.cancelled, path: original.shownPath)
            } catch {
                return result(failure(step, error))
            }
        }
        return result()
    }

    private func failure(_ step: ChainPlan.Step, _ error: any Error) -> MigrationFinding {
        MigrationFinding(
            .error, "step-fails", cocoaCode: 134110, subject: step.step.destination.name,
            message: "step \(step.number) of \(plan.steps.count) fails on the store's data: \(error)")
    }

    private func run(_ index: Int) -> MigrationRun {
        var options = MigrationOptions()
        options.isCancelled = isCancelled
        return MigrationRun(
            options: options, part: ChainPart(run: "rehearsal", number: index + 1, isIntermediate: true))
    }

    private func planned(
        _ step: ChainPlan.Step, _ input: StoreFiles, isCopy: Bool = false
    ) throws -> MigrationPlan {
        let store = try SQLiteStore(path: input.path)
        var options = step.step.options(plan.options)
        if isCopy { (options.placement, options.isThorough) = (.replace(backup: nil), false) }
        options.original = plan.first.original
        if step.number > 1 { options.findings = [] }
        return try MigrationPlanner(
            store: store, from: step.step.source,
            to: step.step.destination.adopting(store.metadata, from: step.step.source), options: options
        ).plan()
    }

    private func edited(
        _ input: StoreFiles, _ edits: [StoreEdit], of version: VersionedModel, _ name: String
    ) throws -> StoreFiles {
        guard !edits.isEmpty else { return input }
        let target = folder.path + "/\(name).sqlite"
        _ = try run(0).editStaged(
            input, for: target,
            EditSet(
                edits: edits, version: version, now: plan.options.now ?? ReferenceDate.now,
                invalidObjects: plan.options.invalidObjects),
            wasLogged: false, path: plan.first.shownPath
        ).staged.move(to: target, replacing: true)
        remove(input)
        return StoreFiles(target)
    }

    private func remove(_ input: StoreFiles) {
        if input.path != plan.first.sourcePath { input.remove() }
    }

    /// Returns the space for scratch stores: two of them exist at a time, and each may be one and a half times as large
    /// as the one from which it is made.
    private func space(for original: StoreFiles) -> Int64 {
        let size = (FileSystem.size(original.path) ?? 0) + (FileSystem.size(original.writeAheadLog) ?? 0)
        return size.multipliedReportingOverflow(by: 3).partialValue
    }

    // MARK: - Steps that are not executed

    private static func unknown(_ edits: [StoreEdit]) -> String? {
        edits.first { if case .code = $0.work { true } else { false } }.map {
            "\"\($0.text)\" is code, which a dry run runs only with --rehearse"
        }
    }

    private static func unknown(of step: ChainPlan.Step, _ plan: ChainPlan) -> String? {
        let classes = step.step.mapping?.model.entityMappings.compactMap(\.migrationPolicyClassName) ?? []
        if let name = classes.first(where: { !plan.options.defaultPolicies.contains($0) }) {
            return (plan.isSingle ? "" : "in step \(step.number) ")
                + "objects are made by the policy \(name), which a dry run runs only with --rehearse"
        }
        return unknown(step.step.after)
    }

    /// Returns findings about what a dry run of one step cannot determine.
    static func unknown(_ plan: ChainPlan) -> [MigrationFinding] {
        unknown(of: plan.steps[0], plan).map { [finding("the migration", $0)] } ?? []
    }

    private func unknown(from index: Int, _ reason: String) -> MigrationFinding {
        let numbers = plan.steps[min(index, plan.steps.count - 1)...].map { "\($0.number)" }.joined(separator: ", ")
        return Self.finding("step \(numbers) of \(plan.steps.count)", reason)
    }

    private static let notChecked = "data-not-checked"

    private static func finding(_ what: String, _ reason: String) -> MigrationFinding {
        MigrationFinding(
            .warning, notChecked, message: "whether the data let \(what) succeed is not known: \(reason)")
    }
}

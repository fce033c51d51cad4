import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// Executes the steps of a program on a connection, batch by batch, and counts rows and time.
final class StepRunner {
    /// The connection on which the steps are executed: the new file, or a connection that is only used for reading
    /// while the file is being built.
    var connection: Connection
    let options: MigrationOptions
    let external: ExternalValueReader
    private let path: String
    private let totalRows: Int64?
    private let inOneTransaction: Bool
    private var rowsDone: Int64 = 0
    private var stage: MigrationProgress.Stage = .transferring
    private var table: String?
    private var mapping: String?
    private var countsTowardsTotal = true
    private var policies: PolicyRun?
    /// The functions that the steps call for expressions that only Swift can evaluate.
    var valueFunctions: [ValueFunction] = []
    /// The flag that unexpected values set as they are written; nil if the values have been examined before.
    var watch: ValueWatch?
    /// Queries the source for findings about its values; called when unexpected values have been written.
    var checkData: (() throws -> Void)?
    /// The memory in which the links of policies are sorted; nil if the new file is not built with them.
    var linkMemory: SpoolMemory?
    /// The new file while it is being built, when there are no transactions; nil otherwise.
    var policyBuild: PolicyBuild?
    /// The numbers of rows that policies have written since the end of their last batch, by table.
    private var policyRows: [String: Int64] = [:]

    /// The record of the steps' progress, with which another run can continue; nil if no other run may.
    var journal: StepJournal?
    /// The path of the file with the source's tables: the store itself, or an intermediate store in a later step of a
    /// chain.
    var inputPath: String
    private var step = 0

    /// The duration in seconds and the number of rows, by table.
    private(set) var secondsByTable: [String: Double] = [:]
    private(set) var rowsByTable: [String: Int64] = [:]

    /// The number of rows that were removed because their entity number does not belong to the table, by table.
    private(set) var strangersByTable: [String: Int64] = [:]

    /// The number of rows, by the name of the entity mapping that has created them, for mappings with their own steps.
    private(set) var rowsByMapping: [String: Int64] = [:]

    /// Findings about the work of the policies.
    private(set) var findings: [MigrationFinding] = []

    /// Objects of the schema that do not belong to Core Data, and turned out not to work.
    private(set) var losses: [ForeignObjects.Loss] = []
    private(set) var secondsByPhase: [MigrationStep.Phase: Double] = [:]

    /// - Parameters:
    ///   - inOneTransaction: whether the caller has begun a transaction that must contain all changes.
    ///   - externalDataDirectory: the folder of the files that external values of the source name.
    init(
        connection: Connection, options: MigrationOptions, path: String, externalDataDirectory: String,
        totalRows: Int64?, inOneTransaction: Bool
    ) {
        self.connection = connection
        self.options = options
        self.path = path
        inputPath = path
        external = ExternalValueReader(
            directory: externalDataDirectory, path: path, largest: options.fixedLimits.inlineValue)
        self.totalRows = totalRows
        self.inOneTransaction = inOneTransaction
    }

    /// Executes steps.
    ///
    /// - Parameters:
    ///   - steps: the steps, in order.
    ///   - number: the number of the first step in the journal.
    func run(_ steps: [MigrationStep], number: Int = 0) throws {
        try run(steps.enumerated().map { (number + $0, $1) })
    }

    /// Executes steps, each with its number in the journal.
    func run(_ steps: [(number: Int, step: MigrationStep)]) throws {
        try forEach(steps) { step in
            if let journal { try run(step, journal) } else { try run(step) }
        }
    }

    /// Calls a closure for each step.
    ///
    /// - Returns: for each step, the number of rows that were written to its table.
    @discardableResult
    func forEach(_ steps: [MigrationStep], _ body: (MigrationStep) throws -> Void) throws -> [Int64] {
        var rows: [Int64] = []
        try forEach(steps.map { (0, $0) }) { step in
            let before = rowsByTable[step.table] ?? 0
            try body(step)
            rows.append((rowsByTable[step.table] ?? 0) - before)
        }
        return rows
    }

    /// Calls a closure for each step, and measures its time.
    private func forEach(
        _ steps: [(number: Int, step: MigrationStep)], _ body: (MigrationStep) throws -> Void
    ) throws {
        // This number of instructions takes well under a millisecond, so that Ctrl-C takes effect soon, and the checks
        // cost almost nothing.
        connection.onProgress(everyInstructions: 100_000) { [options] in options.isCancelled?() ?? false }
        defer { connection.onProgress(everyInstructions: 0, nil) }
        for (number, step) in steps {
            try checkCancelled()
            self.step = number
            switch step.phase {
            case .indexes, .derivedAttributes, .foreignObjects: stage = .indexing
            case .bookkeeping: break
            default: stage = .transferring
            }
            table = step.table
            mapping = step.mapping
            if let mapping { rowsByMapping[mapping, default: 0] += 0 }
            // The total is the number of rows of entities; other rows do not count towards it.
            countsTowardsTotal = step.phase == .objects
            report()
            let start = Clock.seconds
            do {
                try body(step)
            } catch let error as SQLiteError {
                throw translated(error, step)
            }
            secondsByTable[step.table, default: 0] += Clock.seconds - start
            secondsByPhase[step.phase, default: 0] += Clock.seconds - start
            options.onCheckpoint?("step \(step.phase.rawValue) \(step.table)")
        }
        report()
    }

    /// Executes a step from the position that the journal contains, and records its progress.
    private func run(_ step: MigrationStep, _ journal: StepJournal) throws {
        for (table, rows) in journal.rows(self.step) { count(rows, in: table) }
        guard !journal.isFinished(self.step) else { return }
        switch step.work {
        case .fill, .policy: try run(step)
        // The table of keys of a killed run is lost with its process.
        case .statement where step.isTemporary: try run(step)
        case .foreign(let object):
            try connection.execute(
                "DROP \(object.kind.rawValue) IF EXISTS main.\(SQLiteIdentifier.quoted(object.name))")
            try run(step)
        default:
            let before = rowsByTable[step.table] ?? 0
            try connection.execute("BEGIN")
            try run(step)
            try journal.note(self.step, next: nil, rows: [step.table: (rowsByTable[step.table] ?? 0) - before])
            try connection.execute("COMMIT")
        }
    }

    private func run(_ step: MigrationStep) throws {
        switch step.work {
        case .statement(let sql):
            try connection.execute(sql)
            if step.removesStrangers { strangersByTable[step.table] = connection.changes }
        case .links(let change):
            try connection.execute(change.statement)
        case .places(_, _, let sql):
            try connection.execute(sql)
        case .metadata(let sql, let plist):
            try connection.execute(sql, [.blob(plist)])
        case .fillWhole(let fill):
            try connection.execute(fill.statement)
            count(connection.changes)
        case .fill(let fill) where fill.needsRowTransfer:
            try RowTransfer(
                fill: fill, connection: connection, external: external, limits: options.limits,
                firstKey: journal?.next(self.step)
            ).run(beginBatch: beginBatch, endBatch: endBatch)
        case .fill(let fill):
            try transfer(fill)
        case .policy(let policy):
            try policyRun(policy.program).run(
                policy, PolicyBatches(first: journal?.next(self.step), begin: beginBatch, end: endPolicyBatch))
        case .policyLinks(let program): try policyRun(program).links.apply()
        case .policyEnd(let program):
            let run = try policyRun(program)
            try run.finish()
            findings += run.findings
            policies = nil
        case .foreign(let object):
            if let reason = try ForeignObjectTrial(connection: connection).create(object) {
                losses.append(ForeignObjects.Loss(object: object, reason: reason))
            }
        }
    }

    /// Returns the run of the policies, which begins with the first call.
    func policyRun(_ program: PolicyProgram) throws -> PolicyRun {
        if let policies { return policies }
        let run = try PolicyRun(
            program, connection: connection, build: policyBuild, external: external, options: options,
            linkMemory: linkMemory, isResumable: journal != nil,
            count: { [unowned self] table, rows in
                count(rows, in: table)
                policyRows[table, default: 0] += rows
            })
        run.inputPath = inputPath
        policies = run
        return run
    }

    /// Transfers the rows in windows of the primary key, and skips gaps.
    private func transfer(_ fill: TableFill) throws {
        guard let bounds = try fill.bounds(on: connection) else { return }
        let (first, last) = (bounds.lowerBound, bounds.upperBound)
        let statement = try connection.prepare(fill.insertStatement)
        let next = try connection.prepare(fill.nextKeyStatement)
        var windows = KeyWindows(
            from: max(first, journal?.next(step) ?? first), to: last, rows: options.limits.rows,
            keysPerRow: options.fixedLimits.keysPerRow)
        while let window = windows.claim() {
            try beginBatch()
            try statement.bindInteger(window.lowerBound, at: 1)
            try statement.bindInteger(window.upperBound, at: 2)
            try statement.run()
            let written = connection.changes
            let isSparse = windows.note(written)
            let isLast = window.upperBound == last
            try endBatch(written, isLast ? nil : window.upperBound + 1)
            if isSparse, !isLast {
                try next.bindInteger(window.upperBound, at: 1)
                windows.skip(to: try next.step() ? next.integer(0) : nil)
                next.reset()
            }
        }
    }

    /// Continues with a connection to the new file, which SQLite has opened.
    ///
    /// - Parameter hasPairs: whether the file contains the pairs of policies.
    func use(_ connection: Connection, hasPairs: Bool = true) {
        self.connection = connection
        policyBuild = nil
        policies?.use(connection, hasPairs: hasPairs)
    }

    private func beginBatch() throws {
        try checkCancelled()
        if !inOneTransaction, policyBuild == nil { try connection.execute("BEGIN") }
    }

    /// - Parameters:
    ///   - rows: the number of rows of the batch.
    ///   - next: the first remaining key; nil after the last batch.
    private func endBatch(_ rows: Int64, _ next: Int64? = nil) throws {
        try journal?.note(step, next: next, rows: table.map { [$0: rows] } ?? [:])
        if !inOneTransaction { try connection.execute("COMMIT") }
        finishBatch(rows)
    }

    private func endPolicyBatch(_ next: Int64?) throws {
        try journal?.note(step, next: next, rows: policyRows)
        policyRows = [:]
        if !inOneTransaction, policyBuild == nil { try connection.execute("COMMIT") }
        finishBatch(0)
    }

    func finishBatch(_ rows: Int64) {
        count(rows)
        options.onCheckpoint?("batch \(table ?? "")")
    }

    private func count(_ rows: Int64) { count(rows, in: table) }

    private func count(_ rows: Int64, in table: String?) {
        if countsTowardsTotal { rowsDone += rows }
        if let table, !table.isEmpty { rowsByTable[table, default: 0] += rows }
        if let mapping { rowsByMapping[mapping, default: 0] += rows }
        report()
    }

    private func report() {
        options.onProgress?(
            MigrationProgress(stage: stage, table: table, rowsDone: rowsDone, rowsTotal: totalRows))
    }

    func checkCancelled() throws {
        if options.isCancelled?() ?? false { throw MigrationError(.cancelled, path: path) }
    }

    private func translated(_ error: SQLiteError, _ step: MigrationStep) -> any Error {
        if error.isInterrupted, options.isCancelled?() ?? false { return MigrationError(.cancelled, path: path) }
        // 19 is SQLITE_CONSTRAINT.
        if error.primaryCode == 19 { return MigrationError(.constraint(error.message), path: path) }
        if error.isFull || error.isFileSizeLimit || error.isReadOnly || error.isBusy || error.isLockFault
            || error.isCorrupt || error.isNotADatabase
        {
            return StoreError(error, path: path)
        }
        return MigrationError(.step(step.summary, error.message), path: path)
    }
}

import Dispatch
import PersistentStores
import Synchronization
import Threading

/// Shows that work continues: the elapsed time, the bytes that the process has read and written, and the rows that are
/// done if the work counts them.
final class ProgressWatch: Sendable {
    private struct State {
        var stage: String
        var stageStart = Clock.seconds
        var rows: WatchedRows?
        /// The number of bytes that will be written; nil if it is not known.
        var bytes: Int64?
    }

    private let state: Mutex<State>
    private let printer: ProgressPrinter
    private let isOver = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// The delay in seconds before the first line, so that short commands show none.
    private static let patience = 2.0

    private init(_ stage: String, _ printer: ProgressPrinter) {
        state = Mutex(State(stage: stage))
        self.printer = printer
    }

    /// Does work and shows its progress; without progress if the system cannot start a thread.
    ///
    /// - Parameters:
    ///   - stage: the name of the first stage, such as `repairing`.
    ///   - work: receives the watch, to report its progress.
    static func during<Result>(
        _ stage: String, _ mode: ProgressMode, _ work: (ProgressWatch) throws -> Result
    ) rethrows -> Result {
        let watch = ProgressWatch(stage, ProgressPrinter(mode: mode))
        guard mode != .none, (try? WorkerThread.start { watch.show() }) != nil else { return try work(watch) }
        defer { watch.end() }
        return try work(watch)
    }

    // MARK: Progress reports

    /// Begins another stage, whose rows are counted from 0.
    func enter(_ stage: String) {
        state.withLock { $0 = State(stage: stage) }
    }

    /// Reports the number of rows that are done in this stage.
    ///
    /// - Parameters:
    ///   - rows: the rows of the table, or of all tables, like `total`.
    ///   - total: the number of all rows; nil if it is not known.
    ///   - unit: the unit that is counted, in the singular.
    func count(_ rows: Int64, of total: Int64? = nil, in table: String? = nil, unit: String = "row") {
        state.withLock { $0.rows = WatchedRows(table: table, done: rows, total: total, unit: unit) }
    }

    /// Reports the number of bytes that will be written in this stage.
    func expect(bytes: Int64) {
        state.withLock { $0.bytes = bytes }
    }

    /// Reports a checkpoint of the libraries; some checkpoints begin a stage.
    func checkpoint(_ name: String) {
        CrashInjection.checkpoint?(name)
        switch name {
        case "edited": enter("validating")
        case "validated": enter("committing")
        case "repaired": enter("verifying")
        default: break
        }
    }

    // MARK: The progress thread

    private func show() {
        // The first line tells programs that there will be more.
        if printer.isForPrograms { printLine() }
        var wait = Self.patience
        while isOver.wait(timeout: .now() + wait) == .timedOut {
            printLine()
            wait = printer.interval
        }
        // If rows were counted, programs get a last line.
        if printer.isForPrograms, state.withLock({ $0.rows != nil }) { printLine() }
        hasEnded.signal()
    }

    private func printLine() {
        let state = state.withLock { $0 }
        printer.show(
            stage: state.stage, seconds: Clock.seconds - state.stageStart, rows: state.rows, bytes: state.bytes,
            transfers: .current)
    }

    private func end() {
        isOver.signal()
        hasEnded.wait()
        printer.finish()
    }
}

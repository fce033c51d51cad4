import Dispatch
import PersistentStores
import Synchronization
import Threading

/// Shows that work goes on: for how long, how much the process has read and written, and the rows that are done where
/// the work counts them.
final class ProgressWatch: Sendable {
    private struct State {
        var stage: String
        var stageStart = Clock.seconds
        var rows: WatchedRows?
        /// The bytes that are written in the end, where that is known.
        var bytes: Int64?
    }

    private let state: Mutex<State>
    private let printer: ProgressPrinter
    private let isOver = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Seconds; shorter commands show no line.
    private static let patience = 2.0

    private init(_ stage: String, _ printer: ProgressPrinter) {
        state = Mutex(State(stage: stage))
        self.printer = printer
    }

    /// Does work, and shows meanwhile that it goes on; without a line where the system starts no thread.
    ///
    /// - Parameters:
    ///   - stage: what is done at first, as in `repairing`.
    ///   - work: gets the watch, to say how far it is.
    static func during<Result>(
        _ stage: String, _ mode: ProgressMode, _ work: (ProgressWatch) throws -> Result
    ) rethrows -> Result {
        let watch = ProgressWatch(stage, ProgressPrinter(mode: mode))
        guard mode != .none, (try? WorkerThread.start { watch.show() }) != nil else { return try work(watch) }
        defer { watch.end() }
        return try work(watch)
    }

    // MARK: What the work says

    /// Another stage begins; its rows are counted from 0.
    func enter(_ stage: String) {
        state.withLock { $0 = State(stage: stage) }
    }

    /// So many rows are done in this stage.
    ///
    /// - Parameters:
    ///   - rows: of the table or of all, as `total` is.
    ///   - total: nil if it is not known.
    ///   - unit: what is counted instead of rows, in the singular.
    func count(_ rows: Int64, of total: Int64? = nil, in table: String? = nil, unit: String = "row") {
        state.withLock { $0.rows = WatchedRows(table: table, done: rows, total: total, unit: unit) }
    }

    /// So many bytes are to be written in this stage.
    func expect(bytes: Int64) {
        state.withLock { $0.bytes = bytes }
    }

    /// Passes a checkpoint of the libraries: some of them begin a stage.
    func checkpoint(_ name: String) {
        CrashInjection.checkpoint?(name)
        switch name {
        case "edited": enter("validating")
        case "validated": enter("committing")
        case "repaired": enter("verifying")
        default: break
        }
    }

    // MARK: The thread that shows it

    private func show() {
        // Programs that read the lines know from the first one that there will be some.
        if printer.isForPrograms { printLine() }
        var wait = Self.patience
        while isOver.wait(timeout: .now() + wait) == .timedOut {
            printLine()
            wait = printer.interval
        }
        // Rows that were counted are worth a last line to a program.
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

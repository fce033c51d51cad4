import Dispatch
import PersistentStores
import Threading

/// Shows that work goes on whose parts are not counted: for how long, and how much the process has read and written.
final class ProgressWatch: Sendable {
    private let stage: String
    private let printer: ProgressPrinter
    private let isOver = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Seconds; shorter commands show no line.
    private static let patience = 2.0

    private init(_ stage: String, _ printer: ProgressPrinter) {
        self.stage = stage
        self.printer = printer
    }

    /// Does work, and shows meanwhile that it goes on; without a line where the system starts no thread.
    ///
    /// - Parameter stage: what is done, as in `repairing`.
    static func during<Result>(
        _ stage: String, _ mode: ProgressMode, _ work: () throws -> Result
    ) rethrows -> Result {
        guard mode != .none else { return try work() }
        let watch = ProgressWatch(stage, ProgressPrinter(mode: mode))
        guard (try? WorkerThread.start { watch.show() }) != nil else { return try work() }
        defer { watch.end() }
        return try work()
    }

    private func show() {
        // Programs that read the lines know from the first one that there will be some.
        if printer.isForPrograms { printer.show(stage: stage, transfers: .current) }
        var wait = Self.patience
        while isOver.wait(timeout: .now() + wait) == .timedOut {
            printer.show(stage: stage, transfers: .current)
            wait = printer.interval
        }
        hasEnded.signal()
    }

    private func end() {
        isOver.signal()
        hasEnded.wait()
        printer.finish()
    }
}

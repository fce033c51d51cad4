import FoundationEssentials
import PersistentStores
import StoreMigration
import Synchronization

/// Shows progress on standard error: a line that changes on a terminal, separate lines otherwise.
final class ProgressPrinter: Sendable {
    private struct State {
        var lastShown = 0.0
        var lastStage: String?
    }

    private struct Line: Codable {
        let stage: String
        /// The number of the step in a chain, and the number of steps; nil for a single step.
        let step: Int?
        let steps: Int?
        let table: String?
        let rows: Int64
        let total: Int64?
        let rowsPerSecond: Double
        let secondsLeft: Double?
        let memory: Int64
        /// The bytes that the process has read and written, for work whose rows are not counted.
        var read: Int64?
        var written: Int64?
        var seconds: Double?
    }

    private let mode: ProgressMode
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    init(mode: ProgressMode) {
        self.mode = mode == .auto ? (Console.errorIsTerminal ? .bar : .plain) : mode
    }

    /// A bar is updated ten times a second; separate lines are printed every two seconds.
    var interval: Double { mode == .bar ? 0.1 : 2 }

    /// Whether the lines are read by programs.
    var isForPrograms: Bool { mode == .json }

    func show(_ progress: MigrationProgress) {
        show(
            stage: progress.stage.rawValue, table: progress.table, rowsDone: progress.rowsDone,
            rowsTotal: progress.rowsTotal,
            step: progress.stepCount > 1 ? (progress.step, progress.stepCount) : nil)
    }

    func show(stage: String, table: String?, rowsDone: Int64, rowsTotal: Int64?, step: (Int, of: Int)? = nil) {
        guard mode != .none else { return }
        let elapsed = seconds(ContinuousClock.now - start)
        state.withLock { state in
            let named = (step.map { "\($0.0)" } ?? "") + stage
            let isNewStage = state.lastStage != named
            guard isNewStage || elapsed - state.lastShown >= interval else { return }
            state.lastShown = elapsed
            state.lastStage = named
            let rate = elapsed > 0 ? Double(rowsDone) / elapsed : 0
            let left = rowsTotal.flatMap { rate > 0 ? max(0, Double($0 - rowsDone)) / rate : nil }
            print(
                Line(
                    stage: stage, step: step?.0, steps: step?.of, table: table, rows: rowsDone, total: rowsTotal,
                    rowsPerSecond: rate.rounded(), secondsLeft: left, memory: ProcessMemory.peak))
        }
    }

    /// Shows the progress of work that another thread watches.
    ///
    /// - Parameters:
    ///   - seconds: the time since the stage began.
    ///   - rows: the rows of the stage that are done; nil if they are not counted.
    ///   - bytes: the number of bytes that will be written; nil if it is not known.
    func show(stage: String, seconds: Double, rows: WatchedRows?, bytes: Int64?, transfers: ProcessTransfers) {
        let done = rows?.done ?? 0
        func left(_ done: Int64, of total: Int64?) -> Double? {
            total.flatMap { done > 0 && $0 > done ? Double($0 - done) * seconds / Double(done) : nil }
        }
        print(
            unit: rows?.unit ?? "row",
            Line(
                stage: stage, step: nil, steps: nil, table: rows?.table, rows: done, total: rows?.total,
                rowsPerSecond: seconds > 0 ? (Double(done) / seconds).rounded() : 0,
                secondsLeft: left(done, of: rows?.total) ?? left(transfers.written, of: bytes),
                memory: ProcessMemory.peak, read: transfers.read, written: transfers.written,
                seconds: self.seconds(ContinuousClock.now - start)))
    }

    private func print(unit: String = "row", _ line: Line) {
        switch mode {
        case .json: Console.note(JSONText.line(line))
        case .plain: Console.note(text(line, unit) + "\n")
        case .bar:
            // A line that wraps could not be cleared.
            Console.rewriteLine(String(text(line, unit).prefix(max(20, (Console.errorWidth ?? 80) - 1))))
        case .auto, .none: break
        }
    }

    /// Clears the line that changes.
    func finish() { Console.wipeLine() }

    private func text(_ line: Line, _ unit: String) -> String {
        let step = line.step.flatMap { step in line.steps.map { "step \(step) of \($0): " } } ?? ""
        var parts = [step + line.stage + (line.table.map { " " + $0 } ?? "")]
        if line.rows > 0 {
            if let total = line.total, total > 0 {
                let share = min(100, line.rows * 100 / total)
                parts.append("\(Quantity.count(line.rows)) of \(Quantity.count(total, unit)) (\(share) %)")
            } else {
                parts.append(Quantity.count(line.rows, unit))
            }
            // After all rows are written, the rate would only decrease.
            if line.rows < line.total ?? .max {
                parts.append("\(Quantity.count(Int64(line.rowsPerSecond))) \(unit)s/s")
            }
        }
        if let elapsed = line.seconds {
            parts.append(Quantity.duration(elapsed.rounded()))
            if let read = line.read, read > 0 {
                let rate = elapsed > 0 ? Double(read) / elapsed : 0
                parts.append("\(Quantity.bytes(read)) read, \(Quantity.bytes(Int64(min(rate, 1e18))))/s")
            }
            if let written = line.written, written > 0 { parts.append("\(Quantity.bytes(written)) written") }
        }
        if let left = line.secondsLeft, left > 0, line.rows > 0 || line.seconds != nil {
            parts.append("ETA \(Self.estimate(left))")
        }
        parts.append("memory \(Quantity.bytes(line.memory))")
        return parts.joined(separator: "; ")
    }

    /// Formats an estimate without fractions of a second.
    private static func estimate(_ seconds: Double) -> String {
        seconds < 60 ? "\(Int(seconds.rounded(.up))) s" : Quantity.duration(seconds)
    }

    private func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}

import Foundation
import StoreMigration
import Synchronization

/// Shows progress on standard error: one line that changes on a terminal, lines elsewhere.
final class ProgressPrinter: Sendable {
    private struct State {
        var lastShown = 0.0
        var lastStage: String?
        var isLineOpen = false
    }

    private struct Line: Codable {
        let stage: String
        let table: String?
        let rows: Int64
        let total: Int64?
        let rowsPerSecond: Double
        let secondsLeft: Double?
        let memory: Int64
    }

    private let mode: ProgressMode
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    init(mode: ProgressMode) {
        self.mode = mode == .auto ? (Console.errorIsTerminal ? .bar : .plain) : mode
    }

    /// Ten times a second is as fast as anybody reads; lines that stay come every two seconds.
    private var interval: Double { mode == .bar ? 0.1 : 2 }

    func show(_ progress: MigrationProgress) {
        guard mode != .none else { return }
        let elapsed = seconds(ContinuousClock.now - start)
        state.withLock { state in
            let isNewStage = state.lastStage != progress.stage.rawValue
            guard isNewStage || elapsed - state.lastShown >= interval else { return }
            state.lastShown = elapsed
            state.lastStage = progress.stage.rawValue
            let rate = elapsed > 0 ? Double(progress.rowsDone) / elapsed : 0
            let left = progress.rowsTotal.flatMap { rate > 0 ? max(0, Double($0 - progress.rowsDone)) / rate : nil }
            switch mode {
            case .json:
                Console.note(
                    JSONText.line(
                        Line(
                            stage: progress.stage.rawValue, table: progress.table, rows: progress.rowsDone,
                            total: progress.rowsTotal, rowsPerSecond: rate.rounded(), secondsLeft: left,
                            memory: ProcessMemory.peak)))
            case .plain: Console.note(text(progress, rate, left) + "\n")
            case .bar:
                // A line that wraps could not be wiped away again.
                let line = text(progress, rate, left).prefix(max(20, (Console.errorWidth ?? 80) - 1))
                Console.note("\r\u{1B}[K" + line)
                state.isLineOpen = true
            case .auto, .none: break
            }
        }
    }

    /// Ends the line that changes.
    func finish() {
        state.withLock { state in
            if state.isLineOpen { Console.note("\r\u{1B}[K") }
            state.isLineOpen = false
        }
    }

    private func text(_ progress: MigrationProgress, _ rate: Double, _ left: Double?) -> String {
        var parts = [progress.stage.rawValue + (progress.table.map { " " + $0 } ?? "")]
        if progress.rowsDone > 0 {
            var rows = Quantity.count(progress.rowsDone)
            if let total = progress.rowsTotal, total > 0 {
                rows += " of \(Quantity.count(total)) rows (\(min(100, progress.rowsDone * 100 / total)) %)"
            } else {
                rows += " rows"
            }
            parts.append(rows)
            // Once all rows are written, the rate would only fall.
            if progress.rowsDone < progress.rowsTotal ?? .max { parts.append("\(Quantity.count(Int64(rate))) rows/s") }
        }
        if let left, left > 0, progress.rowsDone > 0 { parts.append("ETA \(Self.estimate(left))") }
        parts.append("memory \(Quantity.bytes(ProcessMemory.peak))")
        return parts.joined(separator: "; ")
    }

    /// An estimate has no fractions of a second.
    private static func estimate(_ seconds: Double) -> String {
        seconds < 60 ? "\(Int(seconds.rounded(.up))) s" : Quantity.duration(seconds)
    }

    private func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}

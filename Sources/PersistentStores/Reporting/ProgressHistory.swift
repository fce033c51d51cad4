import Synchronization

/// Keeps samples of the progress of a long operation, in a number that suits a chart, regardless of its duration.
///
/// When the list is full, every other sample is removed, and the interval doubles. Samples at the beginning of a stage
/// are taken regardless of the interval, but removed like all others when the list is full.
public final class ProgressHistory: Sendable {
    private struct State {
        var samples: [ProgressSample] = []
        var interval: Double
    }

    private let capacity: Int
    private let now: @Sendable () -> Double
    private let start: Double
    private let state: Mutex<State>

    /// Makes a history without samples; its time starts now.
    /// - Parameters:
    ///   - capacity: the maximum number of samples; 2 or more.
    ///   - interval: the time between samples before the list is full, in seconds.
    ///   - now: the clock, in seconds since any fixed time.
    public init(
        capacity: Int = 240, interval: Double = 0.05, now: @escaping @Sendable () -> Double = { Clock.seconds }
    ) {
        self.capacity = max(2, capacity)
        self.now = now
        start = now()
        state = Mutex(State(interval: interval))
    }

    /// Takes a sample, unless the last one is too recent.
    public func record(stage: String, rows: Int64) {
        let seconds = now() - start
        state.withLock { state in
            if let last = state.samples.last, last.stage == stage, seconds - last.seconds < state.interval { return }
            if state.samples.count == capacity {
                state.samples = stride(from: 0, to: capacity, by: 2).map { state.samples[$0] }
                state.interval *= 2
            }
            state.samples.append(
                ProgressSample(seconds: seconds, stage: stage, rows: rows, memory: ProcessMemory.current))
        }
    }

    /// The samples, the oldest first.
    public var samples: [ProgressSample] { state.withLock { $0.samples } }
}

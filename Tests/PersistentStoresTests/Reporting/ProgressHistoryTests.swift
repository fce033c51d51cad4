import PersistentStores
import Synchronization
import Testing

@Suite struct ProgressHistoryTests {
    /// A clock that the test sets.
    private final class TestClock: Sendable {
        private let time = Mutex(0.0)
        var seconds: Double { time.withLock { $0 } }
        func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
    }

    @Test func samplesLieAnIntervalApartExceptWhereAStageBegins() {
        let clock = TestClock()
        let history = ProgressHistory(capacity: 100, interval: 1, now: { clock.seconds })
        for (step, stage) in [(0.0, "a"), (0.5, "a"), (0.5, "a"), (0.25, "b"), (0.5, "b"), (0.5, "b")] {
            clock.advance(step)
            history.record(stage: stage, rows: Int64(clock.seconds * 100))
        }
        #expect(history.samples.map(\.seconds) == [0, 1, 1.25, 2.25])
        #expect(history.samples.map(\.stage) == ["a", "a", "b", "b"])
        #expect(history.samples.map(\.rows) == [0, 100, 125, 225])
        #expect(history.samples.allSatisfy { $0.memory > 1 << 20 && $0.memory <= ProcessMemory.peak * 2 })
    }

    @Test(arguments: [2, 3, 7, 240]) func noMoreSamplesAreKeptThanAskedFor(capacity: Int) throws {
        let clock = TestClock()
        let history = ProgressHistory(capacity: capacity, interval: 0.5, now: { clock.seconds })
        for second in 0..<5000 {
            history.record(stage: "copying", rows: Int64(second) * 10)
            clock.advance(1)
        }
        let samples = history.samples
        #expect(samples.count <= capacity)
        #expect(samples.first?.seconds == 0)
        #expect(samples.allSatisfy { $0.rows == Int64($0.seconds) * 10 })
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
        // The end of the work is among them, as near as the distance of the others allows.
        let last = try #require(samples.last).seconds
        #expect(last >= 5000 - 5000 * 2 / Double(capacity) - 2)
    }
}

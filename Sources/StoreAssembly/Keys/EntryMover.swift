import SQLiteFileBuilder
import Synchronization
import Threading

/// A mover of the entries of a spool to their parts, in order, on a separate thread, while the caller collects the next
/// entries.
///
/// This is useful if that thread has a core of its own, for example because records were converted before.
final class EntryMover: Sendable {
    private let exchange: BufferExchange<[SpoolEntry], [SpoolEntry]?>
    private let failure: Failure

    /// The first error of the thread, which the caller's thread reads.
    private final class Failure: Sendable {
        let error = Mutex<BuildError?>(nil)
    }

    /// The number of buffers in the exchange, besides the one that the caller fills.
    private static let bufferCount = 2

    /// Starts the thread; returns nil if the system cannot start one.
    ///
    /// - Parameters:
    ///   - parts: the parts, which belong to the thread until `wait()` has returned.
    ///   - capacity: the number of entries that are handed over together.
    init?(_ parts: WordParts, capacity: Int) {
        let exchange = BufferExchange<[SpoolEntry], [SpoolEntry]?>(
            (0..<Self.bufferCount).map { _ in
                var buffer: [SpoolEntry] = []
                buffer.reserveCapacity(capacity)
                return buffer
            })
        let failure = Failure()
        (self.exchange, self.failure) = (exchange, failure)
        do throws(ThreadError) {
            try WorkerThread.start {
                while var entries = exchange.next() {
                    do throws(BuildError) {
                        try parts.append(entries)
                    } catch {
                        failure.error.withLock { $0 = $0 ?? error }
                    }
                    entries.removeAll(keepingCapacity: true)
                    exchange.giveBack(consume entries)
                }
            }
        } catch {
            return nil
        }
    }

    deinit { exchange.put(nil) }

    /// Hands entries over, and replaces them by an empty array.
    /// - Throws: the error that moving earlier entries caused.
    func move(_ entries: inout [SpoolEntry]) throws(BuildError) {
        guard var buffer = exchange.takeFree() else {
            preconditionFailure("buffers end with stop(), which this side never calls; these entries would be lost")
        }
        swap(&entries, &buffer)
        exchange.put(consume buffer)
        try check()
    }

    /// Waits until all entries are in their parts.
    func wait() throws(BuildError) {
        exchange.waitForAll()
        try check()
    }

    private func check() throws(BuildError) {
        if let error = failure.error.withLock({ $0 }) { throw error }
    }
}

import SQLiteFileBuilder
import Synchronization
import Threading

/// Moves the entries of a spool to their parts on a thread of its own, in order, while the caller gathers the next ones.
///
/// It is worth it where that thread has a core for itself, as where records were converted before.
final class EntryMover: Sendable {
    private let exchange: BufferExchange<[SpoolEntry], [SpoolEntry]?>
    private let failure: Failure

    /// What goes wrong, which both threads know.
    private final class Failure: Sendable {
        let error = Mutex<BuildError?>(nil)
    }

    /// One is filled, one is moved, and one waits.
    private static let bufferCount = 2

    /// Nil where the system starts no thread.
    ///
    /// - Parameters:
    ///   - parts: belong to the thread until `wait()` has returned.
    ///   - capacity: entries that are handed over together.
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

    /// Takes entries over, and gives an empty array back.
    /// - Throws: what was wrong with earlier ones.
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

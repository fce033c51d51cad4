import Dispatch
package import SQLiteAccess
import Threading

/// Reads windows of primary keys on a thread of its own, and passes on the content that it makes from their rows.
///
/// Several readers claim windows in turn, each with a connection of its own; each has a few buffers that are reused, so
/// that the amount that is read ahead is bounded.
package final class WindowReader<Buffer: Sendable, Content: Sendable>: @unchecked Sendable {
    package enum Outcome: Sendable {
        /// The content made from rows, and the first key of the window that they are from.
        case content(Content, window: Int64)
        case failure(any Error, window: Int64)
        case end
    }

    /// The consumer has ended.
    private struct Stopped: Error {}

    /// Reads a window and passes on the content made from it; returns the number of rows.
    package typealias Work = (_ window: ClosedRange<Int64>, _ reader: WindowReader) throws -> Int64

    private let exchange: BufferExchange<Buffer, Outcome>
    private let ended = DispatchSemaphore(value: 0)
    private let windows: SharedWindows
    /// The connection belongs to the thread alone, and is closed before the thread signals that it has ended.
    private var work: (connection: Connection, read: Work, next: Statement)?
    /// The first key of the current window; used by the thread alone.
    private var window: Int64 = 0

    /// - Parameters:
    ///   - buffers: the buffers that are reused; at least one.
    ///   - connection: the connection for reading.
    ///   - next: returns the lowest key above its parameter, or NULL.
    package init(
        _ buffers: [Buffer], on connection: Connection, windows: SharedWindows, next: Statement, _ read: @escaping Work
    ) {
        exchange = BufferExchange(buffers)
        self.windows = windows
        work = (connection, read, next)
    }

    /// Begins to read. Throws if the system cannot start a thread; then there is nothing to wait for.
    func start() throws(ThreadError) {
        try WorkerThread.start { [self] in
            run()
            work = nil
            ended.signal()
        }
    }

    // MARK: - The thread's side

    private func run() {
        guard let connection = work?.connection else { return }
        connection.onProgress(everyInstructions: 100_000) { [exchange] in exchange.isStopped }
        defer { connection.onProgress(everyInstructions: 0, nil) }
        while !exchange.isStopped, let work, let claimed = windows.claim() {
            window = claimed.lowerBound
            do {
                let rows = try work.read(claimed, self)
                try windows.finish(claimed, rows: rows, next: work.next)
            } catch {
                return exchange.put(.failure(error, window: window))
            }
        }
        exchange.put(.end)
    }

    /// Waits for a free buffer. Throws if the consumer has ended.
    package func takeFree() throws -> Buffer {
        guard let buffer = exchange.takeFree() else { throw Stopped() }
        return buffer
    }

    /// Passes on content made from rows of the window; the consumer owns it, as it is consumed here.
    package func put(_ content: consuming Content) {
        exchange.put(.content(content, window: window))
    }

    /// Waits until all content that was passed on has been used.
    package func waitForAll() { exchange.waitForAll() }

    // MARK: - Both sides

    /// Returns a buffer to the reader, to be filled again.
    package func giveBack(_ buffer: consuming Buffer) { exchange.giveBack(buffer) }

    // MARK: - The caller's side

    /// Returns the next outcome; nil if there is none within this time.
    func take(within milliseconds: Int) -> Outcome? { exchange.next(within: milliseconds) }

    func askToStop() { exchange.stop() }

    /// Waits for the thread to end: its connection must be closed before the files change.
    func waitForEnd() { ended.wait() }
}

/// A buffer that a reader fills with rows and passes on.
package protocol RowBuffer: Sendable {
    /// The number of rows.
    var count: Int { get }

    /// Whether the buffer takes too much memory to have several of it.
    var isLarge: Bool { get }
}

extension WindowReader where Buffer: RowBuffer, Content == Buffer {
    /// Fills buffers with the rows of a window and passes them on; returns the number of rows.
    ///
    /// - Parameter fill: fills a buffer with the next rows; returns false if they are the last of the window.
    package func handOver(_ fill: (Buffer) throws -> Bool) throws -> Int64 {
        var count: Int64 = 0
        var isMore = true
        while isMore {
            let buffer = try takeFree()
            isMore = try fill(buffer)
            count += Int64(buffer.count)
            let isLarge = buffer.isLarge
            if buffer.count == 0 {
                giveBack(buffer)
            } else {
                put(buffer)
            }
            if isLarge { waitForAll() }
        }
        return count
    }
}

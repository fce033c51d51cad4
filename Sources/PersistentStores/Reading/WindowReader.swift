import Dispatch
package import SQLiteAccess
import Threading

/// Reads windows of primary keys on a thread of its own, and hands over what it makes of their rows.
///
/// Several readers claim windows in turn, each with a connection of its own; a few buffers circulate in each, so that
/// what is read ahead is bounded.
package final class WindowReader<Buffer: Sendable, Content: Sendable>: @unchecked Sendable {
    package enum Outcome: Sendable {
        /// What was made of rows, and the first key of the window that they are from.
        case content(Content, window: Int64)
        case failure(any Error, window: Int64)
        case end
    }

    /// No one wants more.
    private struct Stopped: Error {}

    /// Reads a window and puts what it makes of it; returns how many rows there were.
    package typealias Work = (_ window: ClosedRange<Int64>, _ reader: WindowReader) throws -> Int64

    private let exchange: BufferExchange<Buffer, Outcome>
    private let ended = DispatchSemaphore(value: 0)
    private let windows: SharedWindows
    /// The connection is the thread's alone, and is closed before the thread says that it has ended.
    private var work: (connection: Connection, read: Work, next: Statement)?
    /// The first key of the window that is read; the thread's alone.
    private var window: Int64 = 0

    /// - Parameters:
    ///   - buffers: those that circulate; at least one.
    ///   - connection: what the work reads with.
    ///   - next: gives the lowest key above its parameter, or NULL.
    package init(
        _ buffers: [Buffer], on connection: Connection, windows: SharedWindows, next: Statement, _ read: @escaping Work
    ) {
        exchange = BufferExchange(buffers)
        self.windows = windows
        work = (connection, read, next)
    }

    /// Begins to read. Throws if the system starts no thread; there is nothing to wait for then.
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

    /// Waits for a buffer. Throws if no one wants more.
    package func takeFree() throws -> Buffer {
        guard let buffer = exchange.takeFree() else { throw Stopped() }
        return buffer
    }

    /// Hands over what was made of rows of the window: the other side has it alone, if the caller consumed it.
    package func put(_ content: consuming Content) {
        exchange.put(.content(content, window: window))
    }

    /// Goes no further before all that was put has been used.
    package func waitForAll() { exchange.waitForAll() }

    // MARK: - Both sides

    /// Gives a buffer back to be filled again.
    package func giveBack(_ buffer: consuming Buffer) { exchange.giveBack(buffer) }

    // MARK: - The caller's side

    /// The next outcome; nil if there is none within some milliseconds.
    func take(within milliseconds: Int) -> Outcome? { exchange.next(within: milliseconds) }

    func askToStop() { exchange.stop() }

    /// Waits for the thread: its connection must be closed before the files change.
    func waitForEnd() { ended.wait() }
}

/// Rows that a reader hands over in the buffer that it has filled with them.
package protocol RowBuffer: Sendable {
    /// How many rows there are.
    var count: Int { get }

    /// Whether memory is too much to have several buffers of it.
    var isLarge: Bool { get }
}

extension WindowReader where Buffer: RowBuffer, Content == Buffer {
    /// Fills buffers with the rows of a window and hands them over; returns how many rows there were.
    ///
    /// - Parameter fill: fills a buffer with the next rows; false if these are the window's last.
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

import Dispatch
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import Threading

/// Reads and encodes some windows of a table's rows on a thread of its own.
///
/// Several readers claim windows in turn, each with a connection of its own; a few blocks circulate in each, so that
/// what is read ahead is bounded.
final class RowReader: @unchecked Sendable {
    enum Outcome {
        /// Rows, and the first key of the window that they are from.
        case rows(RowBlock, window: Int64)
        case failure(any Error, window: Int64)
        case end
    }

    private let exchange: BufferExchange<RowBlock, Outcome>
    private let ended = DispatchSemaphore(value: 0)
    private let windows: SharedWindows
    /// Statements of the connection, which is the thread's alone: they go before it says that it has ended.
    private struct Work {
        let copy: TableCopy
        let next: Statement
    }

    private let connection: Connection
    private var work: Work?

    init(
        _ fill: TableFill, _ copy: TableCopy, on connection: Connection, windows: SharedWindows, limits: MigrationLimits
    ) throws {
        self.windows = windows
        self.connection = connection
        work = Work(copy: copy, next: try connection.prepare(fill.nextKeyStatement))
        exchange = BufferExchange((0..<max(1, limits.circulatingBlocks)).map { _ in RowBlock(limits: limits.build) })
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
        connection.onProgress(everyInstructions: 100_000) { [exchange] in exchange.isStopped }
        defer { connection.onProgress(everyInstructions: 0, nil) }
        while !exchange.isStopped, let work, let window = windows.claim() {
            do {
                guard try read(window, work.copy, work.next) else { return }
            } catch {
                return exchange.put(.failure(error, window: window.lowerBound))
            }
        }
        exchange.put(.end)
    }

    /// - Returns: false if no one wants more.
    private func read(_ window: ClosedRange<Int64>, _ copy: TableCopy, _ next: Statement) throws -> Bool {
        try copy.begin(window)
        var count: Int64 = 0
        var isMore = true
        while isMore {
            guard let block = exchange.takeFree() else { return false }
            isMore = try copy.fill(block)
            count += Int64(block.count)
            let isLarge = block.isLarge
            if block.count == 0 {
                exchange.giveBack(block)
            } else {
                exchange.put(.rows(block, window: window.lowerBound))
            }
            if isLarge { exchange.waitForAll() }
        }
        if windows.note(count) {
            next.reset()
            try next.bindInteger(window.upperBound, at: 1)
            windows.skip(to: try next.step() && !next.isNull(0) ? next.integer(0) : nil)
        }
        return true
    }

    // MARK: - The caller's side

    /// The next outcome; nil if there is none within some milliseconds.
    func take(within milliseconds: Int) -> Outcome? {
        exchange.next(within: milliseconds)
    }

    /// Gives a block back to be filled again.
    func giveBack(_ block: RowBlock) {
        exchange.giveBack(block)
    }

    func askToStop() {
        exchange.stop()
    }

    /// Waits for the thread: its connection must be closed before the files change.
    func waitForEnd() {
        ended.wait()
    }
}

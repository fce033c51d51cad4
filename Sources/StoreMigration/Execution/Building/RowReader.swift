import Dispatch
import Foundation
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import Synchronization

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

    private struct Shelves {
        var free: [RowBlock]
        var filled: [Outcome] = []
        var isStopped = false
    }

    /// One is appended, one waits, one is filled.
    private static let blockCount = 3
    /// Expressions may be nested; this is ample for it, in bytes.
    private static let stackSize = 8 << 20

    private let shelves: Mutex<Shelves>
    /// Begin with none, as a semaphore must not go with less than it began with.
    private let freeCount = DispatchSemaphore(value: 0)
    private let filledCount = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let windows: SharedWindows
    /// Statements of the connection, which is the thread's alone: they go before it says that it has ended.
    private struct Work {
        let copy: TableCopy
        let next: Statement
    }

    private let connection: Connection
    private var work: Work?

    init(_ fill: TableFill, _ copy: TableCopy, on connection: Connection, windows: SharedWindows) throws {
        self.windows = windows
        self.connection = connection
        work = Work(copy: copy, next: try connection.prepare(fill.nextKeyStatement))
        shelves = Mutex(Shelves(free: (0..<Self.blockCount).map { _ in RowBlock() }))
        for _ in 0..<Self.blockCount { freeCount.signal() }
    }

    func start() {
        let thread = Thread { [self] in
            run()
            work = nil
            ended.signal()
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    // MARK: - The thread's side

    private func run() {
        connection.onProgress(everyInstructions: 100_000) { [unowned self] in isStopped }
        defer { connection.onProgress(everyInstructions: 0, nil) }
        while !isStopped, let work, let window = windows.claim() {
            do {
                guard try read(window, work.copy, work.next) else { return }
            } catch {
                return put(.failure(error, window: window.lowerBound))
            }
        }
        put(.end)
    }

    /// - Returns: false where nobody wants more.
    private func read(_ window: ClosedRange<Int64>, _ copy: TableCopy, _ next: Statement) throws -> Bool {
        try copy.begin(window)
        var count: Int64 = 0
        var isMore = true
        while isMore {
            guard let block = takeFree() else { return false }
            isMore = try copy.fill(block)
            count += Int64(block.count)
            let isLarge = block.isLarge
            if block.count == 0 { giveBack(block) } else { put(.rows(block, window: window.lowerBound)) }
            if isLarge { waitForAll() }
        }
        if windows.note(count) {
            next.reset()
            try next.bindInteger(window.upperBound, at: 1)
            windows.skip(to: try next.step() && !next.isNull(0) ? next.integer(0) : nil)
        }
        return true
    }

    private var isStopped: Bool { shelves.withLock { $0.isStopped } }

    private func takeFree() -> RowBlock? {
        freeCount.wait()
        return shelves.withLock { $0.isStopped ? nil : $0.free.popLast() }
    }

    private func put(_ outcome: Outcome) {
        shelves.withLock { $0.filled.append(outcome) }
        filledCount.signal()
    }

    /// Reads no further before what is large has been written.
    private func waitForAll() {
        for _ in 0..<Self.blockCount { freeCount.wait() }
        for _ in 0..<Self.blockCount { freeCount.signal() }
    }

    // MARK: - The caller's side

    /// The next outcome; nil where there is none within some milliseconds.
    func take(within milliseconds: Int) -> Outcome? {
        guard filledCount.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return shelves.withLock { $0.filled.removeFirst() }
    }

    /// Gives a block back to be filled again.
    func giveBack(_ block: RowBlock) {
        shelves.withLock { $0.free.append(block) }
        freeCount.signal()
    }

    func askToStop() {
        shelves.withLock { $0.isStopped = true }
        // As often as it may wait.
        for _ in 0..<Self.blockCount { freeCount.signal() }
    }

    /// Waits for the thread: its connection must be closed before the files change.
    func waitForEnd() {
        ended.wait()
    }
}

/// The windows that several readers claim.
final class SharedWindows: Sendable {
    private let windows: Mutex<KeyWindows>

    init(_ windows: KeyWindows) {
        self.windows = Mutex(windows)
    }

    func claim() -> ClosedRange<Int64>? { windows.withLock { $0.claim() } }

    func note(_ count: Int64) -> Bool { windows.withLock { $0.note(count) } }

    func skip(to key: Int64?) { windows.withLock { $0.skip(to: key) } }
}

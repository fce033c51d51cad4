internal import Synchronization
internal import Threading

/// Writes blocks to a file in order on another thread, while the caller fills the next ones. If the system cannot start
/// a thread, the caller's thread writes them.
final class BlockWriter: Sendable {
    /// A block belongs to the caller until it is written, and then to the queue until it is returned.
    private final class Block: @unchecked Sendable {
        @exclusivity(unchecked) var bytes: ByteBuffer
        @exclusivity(unchecked) var count = 0
        @exclusivity(unchecked) var offset: Int64 = 0

        init(size: Int) {
            bytes = ByteBuffer(capacity: size)
        }
    }

    /// The error, which both threads can see.
    private final class Failure: Sendable {
        let error = Mutex<BuildError?>(nil)

        func check() throws(BuildError) {
            if let error = error.withLock({ $0 }) { throw error }
        }
    }

    private let file: OutputFile
    /// The queue of filled blocks; nil marks the end.
    private let exchange: BufferExchange<Block, Block?>
    private let failure = Failure()
    private let hasThread: Bool

    /// - Parameters:
    ///   - size: the number of bytes of a block.
    ///   - count: the number of blocks in addition to the caller's.
    init(_ file: OutputFile, size: Int, count: Int) {
        let exchange = BufferExchange<Block, Block?>((0..<max(1, count)).map { _ in Block(size: size) })
        self.file = file
        self.exchange = exchange
        do throws(ThreadError) {
            try WorkerThread.start { [failure] in
                while let block = exchange.next() { Self.write(block, to: file, failure, exchange) }
            }
            hasThread = true
        } catch {
            hasThread = false
        }
    }

    deinit {
        if hasThread { exchange.put(nil) }
    }

    /// Takes a filled block, and returns an empty one in its place.
    ///
    /// - Throws: the error of an earlier block.
    func write(_ filled: inout ByteBuffer, _ count: Int, at offset: Int64) throws(BuildError) {
        guard let block = exchange.takeFree() else {
            preconditionFailure("blocks end with stop(), which a writer never calls; these bytes would be lost")
        }
        swap(&filled, &block.bytes)
        block.count = count
        block.offset = offset
        if hasThread {
            exchange.put(block)
        } else {
            Self.write(block, to: file, failure, exchange)
        }
        try failure.check()
    }

    private static func write(
        _ block: Block, to file: OutputFile, _ failure: Failure, _ exchange: BufferExchange<Block, Block?>
    ) {
        do throws(BuildError) {
            try file.write(block.bytes, 0..<block.count, at: block.offset)
        } catch {
            failure.error.withLock { $0 = $0 ?? error }
        }
        exchange.giveBack(block)
    }

    /// Waits until all blocks have been written to the file.
    func wait() throws(BuildError) {
        exchange.waitForAll()
        try failure.check()
    }
}

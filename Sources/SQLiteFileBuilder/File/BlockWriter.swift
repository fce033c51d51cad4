internal import Dispatch
internal import Synchronization
internal import Threading

/// Writes blocks to a file on another thread, in order, while the caller fills the next ones.
final class BlockWriter: Sendable {
    /// Belongs to the caller until it is written, and then to the queue until it comes back.
    private final class Block: @unchecked Sendable {
        @exclusivity(unchecked) var bytes: ByteBuffer
        @exclusivity(unchecked) var count = 0
        @exclusivity(unchecked) var offset: Int64 = 0

        init(size: Int) {
            bytes = ByteBuffer(capacity: size)
        }
    }

    /// One is written and one waits, beside that of the caller: whoever is late for a moment stops nobody.
    private static let blockCount = 2

    private let file: OutputFile
    private let queue = DispatchQueue(label: "SQLiteFileBuilder.BlockWriter")
    private let exchange: BufferExchange<Block, Block>
    private let failure = Mutex<BuildError?>(nil)

    /// - Parameter size: bytes of a block.
    init(_ file: OutputFile, size: Int) {
        self.file = file
        exchange = BufferExchange((0..<Self.blockCount).map { _ in Block(size: size) })
    }

    /// Takes a block over and gives an empty one back.
    ///
    /// - Throws: what was wrong with an earlier block.
    func write(_ filled: inout ByteBuffer, _ count: Int, at offset: Int64) throws(BuildError) {
        guard let block = exchange.takeFree() else {
            preconditionFailure("blocks end with stop(), which a writer never calls; these bytes would be lost")
        }
        swap(&filled, &block.bytes)
        block.count = count
        block.offset = offset
        exchange.put(block)
        queue.async { [self] in writeNext() }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func writeNext() {
        let block = exchange.next()
        do throws(BuildError) {
            try file.write(block.bytes, 0..<block.count, at: block.offset)
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
        exchange.giveBack(block)
    }

    /// Waits until all blocks are in the file.
    func wait() throws(BuildError) {
        exchange.waitForAll()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}

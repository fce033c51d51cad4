internal import Dispatch

/// Writes blocks to a file on another thread, one at a time, while the caller fills the next one.
final class BlockWriter: @unchecked Sendable {
    private let file: OutputFile
    private let queue = DispatchQueue(label: "SQLiteFileBuilder.BlockWriter")
    private let isDone = DispatchSemaphore(value: 0)
    /// The caller's alone.
    @exclusivity(unchecked) private var isPending = false
    /// The queue's while a block is pending, and then the caller's.
    @exclusivity(unchecked) private var block: ByteBuffer
    @exclusivity(unchecked) private var failure: BuildError?

    /// - Parameter size: bytes of a block.
    init(_ file: OutputFile, size: Int) {
        self.file = file
        block = ByteBuffer(capacity: size)
    }

    /// Takes a block over and gives an empty one back.
    ///
    /// - Throws: what was wrong with an earlier block.
    func write(_ filled: inout ByteBuffer, _ count: Int, at offset: Int64) throws(BuildError) {
        try wait()
        swap(&filled, &block)
        isPending = true
        queue.async { [self] in
            do throws(BuildError) {
                try file.write(block, 0..<count, at: offset)
            } catch {
                failure = error
            }
            isDone.signal()
        }
    }

    /// Waits until all blocks are in the file.
    func wait() throws(BuildError) {
        if isPending {
            isDone.wait()
            isPending = false
        }
        if let failure { throw failure }
    }
}

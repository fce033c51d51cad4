import Glibc
internal import Dispatch
internal import Synchronization
internal import Threading

/// Copies the bytes of a large file from the system's cache to the device without making a second copy of them in the
/// cache.
///
/// Several threads write one block each, from a mapping of that block of the source, so that the device always has
/// something to write. A file system that does not support this, and an error of any kind, end it early: the caller
/// copies the remaining bytes in the usual way, which also reports the error.
final class DirectCopy: Sendable {
    /// The size in bytes from which a file is copied this way. A smaller file reaches the device in a moment, and is
    /// more likely to be read again soon.
    static let smallestSize: Int64 = 64 << 20
    /// The number of bytes that a thread writes at a time.
    private static let blockBytes: Int64 = 2 << 20

    /// The number of threads, with the calling one, which together keep the device busy.
    private static let threadCount = 3
    /// What a device may require offsets and sizes to be multiples of.
    private static let alignment: Int64 = 4096

    /// `O_DIRECT` of <fcntl.h>, which Swift does not see.
    #if arch(arm64) || arch(arm)
        private static let direct: Int32 = 0o200000
    #else
        private static let direct: Int32 = 0o40000
    #endif

    private struct Progress {
        /// Where the next block begins.
        var next: Int64 = 0
        /// Where the blocks begin that are being written.
        var written: [Int64] = []
        /// Where the first block begins that could not be written.
        var end: Int64
    }

    private let input: Int32
    private let output: Int32
    private let progress: Mutex<Progress>
    private let shown: CopyProgress?

    private init(from input: Int32, to output: Int32, size: Int64, shown: CopyProgress?) {
        (self.input, self.output, self.shown) = (input, output, shown)
        progress = Mutex(Progress(end: size / Self.alignment * Self.alignment))
    }

    /// Copies bytes from the start of a file to the start of another one.
    ///
    /// - Parameters:
    ///   - size: the number of bytes of the source.
    ///   - shown: gets the number of bytes that are copied.
    ///   - isCancelled: asked before each block that this thread writes; true ends the copy early.
    /// - Returns: the number of bytes copied, from the start without a gap.
    static func run(
        from input: Int32, to output: Int32, size: Int64, shown: CopyProgress?, _ isCancelled: (() -> Bool)?
    ) -> Int64 {
        let flags = fcntl(output, F_GETFL)
        guard flags >= 0, fcntl(output, F_SETFL, flags | direct) == 0 else { return 0 }
        defer { _ = fcntl(output, F_SETFL, flags) }
        let copy = DirectCopy(from: input, to: output, size: size, shown: shown)
        let ended = DispatchSemaphore(value: 0)
        var started = 0
        for _ in 1..<threadCount {
            do throws(ThreadError) {
                try WorkerThread.start {
                    while copy.writeBlock() {}
                    ended.signal()
                }
                started += 1
            } catch {
                break
            }
        }
        while !(isCancelled?() ?? false), copy.writeBlock() {}
        copy.stop()
        for _ in 0..<started { ended.wait() }
        return copy.progress.withLock { $0.end }
    }

    /// Writes the next block, and returns whether there was one that could be written.
    private func writeBlock() -> Bool {
        guard let (start, count) = begin() else { return false }
        // One block at a time: mapped pages count as memory of the process.
        guard let block = mmap(nil, count, PROT_READ, MAP_SHARED, input, off_t(start)), block != MAP_FAILED else {
            end(start, isWritten: false)
            return false
        }
        // A page that cannot be read makes the call fail.
        let isWritten = pwrite(output, block, count, off_t(start)) == count
        munmap(block, count)
        end(start, isWritten: isWritten)
        return isWritten
    }

    private func begin() -> (start: Int64, count: Int)? {
        progress.withLock { progress in
            let start = progress.next
            let count = min(Self.blockBytes, progress.end - start)
            guard count > 0 else { return nil }
            progress.next += count
            progress.written.append(start)
            return (start, Int(count))
        }
    }

    private func end(_ start: Int64, isWritten: Bool) {
        let copied = progress.withLock { progress in
            progress.written.removeAll { $0 == start }
            if !isWritten { progress.end = min(progress.end, start) }
            return min(progress.end, progress.written.min() ?? progress.next)
        }
        shown?.copied = copied
    }

    /// Lets no further block begin.
    private func stop() {
        progress.withLock { $0.end = min($0.end, $0.next) }
    }
}

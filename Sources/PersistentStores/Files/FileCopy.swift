import Glibc

/// A copy of the bytes of one open file to another, from start to end.
struct FileCopy {
    /// The number of bytes copied at a time: larger blocks are no faster, and a copy can be cancelled between two
    /// blocks.
    private static let blockBytes = 1 << 20

    /// The number of bytes handed to the device at a time while the next are copied, which shortens the wait at the
    /// end.
    private static let writeBackBytes: Int64 = 8 << 20

    /// `FICLONE` of <linux/fs.h>, which Swift does not see.
    private static let cloning: UInt = 0x4004_9409

    private typealias Allocation = @convention(c) (Int32, Int32, off_t, off_t) -> Int32

    /// Not declared for Swift; `posix_fallocate` writes the bytes where the file system has nothing better.
    private static let allocate: Allocation? = dlsym(nil, "fallocate").map {
        unsafeBitCast($0, to: Allocation.self)
    }

    private let input: Int32
    private let source: String
    private let output: Int32
    private let destination: String
    private let isCancelled: (() -> Bool)?

    /// Gets the number of bytes that are copied of a large file.
    var shown: CopyProgress?
    /// The size in bytes from which a file is copied past the system's cache.
    var directSize = DirectCopy.smallestSize
    /// Whether `sendfile` is tried, which copies within the kernel.
    var isInKernel = true

    /// - Parameters:
    ///   - source: the path of the source, for errors.
    ///   - destination: the path of the copy, for errors.
    ///   - isCancelled: asked between blocks; true ends the copy with an error whose `isCancelled` is true.
    init(
        of input: Int32, _ source: String, to output: Int32, _ destination: String, _ isCancelled: (() -> Bool)?
    ) {
        (self.input, self.source, self.output, self.destination) = (input, source, output, destination)
        self.isCancelled = isCancelled
    }

    /// Lets both files have the same blocks until either of them changes, if the file system can; else copies the
    /// bytes.
    func run() throws(FileError) {
        try checkCancelled()
        if ioctl(output, Self.cloning, input) == 0 { return }
        try copyBlocks()
    }

    private func checkCancelled() throws(FileError) {
        if isCancelled?() ?? false { throw FileError(.copy, source, number: ECANCELED) }
    }

    /// Copies the bytes: of large files past the system's cache, and others within the kernel. If it cannot, they go
    /// through a block of our own.
    func copyBlocks() throws(FileError) {
        var status = stat()
        guard fstat(input, &status) == 0 else { throw FileError(.inspect, source) }
        let size = Int64(status.st_size)
        // A system that knows the size beforehand looks for room once, and not for each page. If there is none, it says
        // so again.
        if size > Self.blockBytes { _ = Self.allocate?(output, 0, 0, off_t(size)) }
        var copied: Int64 = 0
        if size >= directSize {
            copied = DirectCopy.run(from: input, to: output, size: size, shown: shown, isCancelled)
            guard lseek(output, off_t(copied), SEEK_SET) == copied else { throw FileError(.write, destination) }
        }
        var handedOver = copied
        var isInKernel = isInKernel
        var block: [UInt8] = []
        while true {
            try checkCancelled()
            let count: Int64
            if isInKernel {
                guard let sent = try send(from: copied) else {
                    isInKernel = false
                    continue
                }
                count = sent
            } else {
                if block.isEmpty { block = [UInt8](repeating: 0, count: Self.blockBytes) }
                count = try copyThrough(&block, from: copied)
            }
            if count == 0 { break }
            copied += count
            if copied - handedOver >= Self.writeBackBytes {
                FileSystem.beginWriting(handedOver..<copied, of: output)
                handedOver = copied
            }
        }
        // The source may have become shorter meanwhile, also after its end had been copied.
        guard fstat(input, &status) == 0 else { throw FileError(.inspect, source) }
        let end = min(copied, Int64(status.st_size))
        if end < max(size, copied), ftruncate(output, off_t(end)) != 0 { throw FileError(.write, destination) }
    }

    /// Copies the next block within the kernel.
    /// - Returns: the number of bytes; 0 at the end; nil if the kernel cannot copy between these files.
    private func send(from offset: Int64) throws(FileError) -> Int64? {
        while true {
            var place = off_t(offset)
            let count = sendfile(output, input, &place, Self.blockBytes)
            if count >= 0 { return Int64(count) }
            switch errno {
            case EINTR: continue
            case EINVAL, ENOSYS: return nil
            case let number: throw FileError(.copy, [ENOSPC, EDQUOT, EFBIG].contains(number) ? destination : source)
            }
        }
    }

    /// Copies the next block through memory, and returns the number of its bytes; 0 at the end.
    private func copyThrough(_ block: inout [UInt8], from offset: Int64) throws(FileError) -> Int64 {
        while true {
            let count = pread(input, &block, Self.blockBytes, off_t(offset))
            if count >= 0 {
                try FileSystem.write(block[..<count], to: output, of: destination)
                return Int64(count)
            }
            guard errno == EINTR else { throw FileError(.read, source) }
        }
    }
}

import Glibc

extension FileSystem {
    /// The number of bytes copied at a time: larger blocks are no faster, and a copy can be cancelled between two
    /// blocks.
    private static let copyBlock = 1 << 20

    /// The number of bytes handed to the device at a time while the next are copied, which shortens the wait at the
    /// end.
    private static let writeBackBlock: Int64 = 8 << 20

    /// Copies a file with its owner, group and permissions, as far as this user may give them; the destination must
    /// not exist. The copy is not yet synchronized.
    ///
    /// - Parameters:
    ///   - source: the path of the file, which must be a regular one.
    ///   - destination: the path of the copy.
    ///   - isCancelled: asked between blocks; true ends the copy with an error whose `isCancelled` is true.
    /// - Throws: `FileError` if the source cannot be read or is not a regular file, if the destination exists or cannot
    ///   be written, or if the copy was cancelled.
    public static func copyFile(
        _ source: String, to destination: String, isCancelled: (() -> Bool)? = nil
    ) throws(FileError) {
        // A pipe that was put there in the last moment must not block the call.
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw FileError(.open, source) }
        defer { close(input) }
        var status = stat()
        guard fstat(input, &status) == 0 else { throw FileError(.inspect, source) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.copy, source, number: EINVAL) }
        let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o700)
        guard output >= 0 else { throw FileError(.create, destination) }
        defer { close(output) }
        FileRights(status).give(to: output)
        try copyBytes(from: input, to: output, source: source, destination: destination, isCancelled)
    }

    /// Copies a file that another process may remove at any time, such as a journal; the destination must not exist.
    ///
    /// - Returns: whether there was a file.
    /// - Throws: as `copyFile(_:to:isCancelled:)`.
    @discardableResult package static func copyFileIfThere(
        _ source: String, to destination: String, isCancelled: (() -> Bool)? = nil
    ) throws(FileError) -> Bool {
        do throws(FileError) {
            try copyFile(source, to: destination, isCancelled: isCancelled)
            return true
        } catch {
            guard error.operation == .open, error.isMissing else { throw error }
            return false
        }
    }

    /// Copies bytes into an existing file without replacing it, so that other processes keep it open or locked.
    /// - Throws: `FileError` if the source cannot be read, the destination cannot be written, or the copy was
    ///   cancelled.
    public static func copyContents(
        of source: String, into destination: String, isCancelled: (() -> Bool)? = nil
    ) throws(FileError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw FileError(.open, source) }
        defer { close(input) }
        try copyContents(of: input, source, into: destination, isCancelled: isCancelled)
    }

    /// Copies bytes from the start of an open descriptor, which stays open.
    package static func copyContents(
        of input: Int32, _ source: String, into destination: String, isCancelled: (() -> Bool)?
    ) throws(FileError) {
        let output = open(destination, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard output >= 0 else { throw FileError(.open, destination) }
        defer { close(output) }
        try copyBytes(from: input, to: output, source: source, destination: destination, isCancelled)
    }

    /// Copies a folder with all in it, synchronized, with owner, group and permissions as far as this user may give
    /// them; the destination must not exist.
    ///
    /// Links are an error, since their targets are not part of the folder; so is anything that is neither a file nor a
    /// folder.
    /// - Throws: `FileError` if the destination exists or cannot be written, if there is something in the source that
    ///   is neither file nor folder, or if the copy was cancelled.
    public static func copyDirectory(
        _ source: String, to destination: String, isCancelled: (() -> Bool)? = nil
    ) throws(FileError) {
        guard mkdir(destination, 0o700) == 0 else { throw FileError(.create, destination) }
        for name in try names(in: source) {
            let (from, to) = (source + "/" + name, destination + "/" + name)
            switch try storePart(at: from, to: .copy) {
            case nil: throw FileError(.inspect, from, number: ENOENT)
            case .folder: try copyDirectory(from, to: to, isCancelled: isCancelled)
            case .file:
                try copyFile(from, to: to, isCancelled: isCancelled)
                try synchronize(to)
            }
        }
        try synchronize(destination)
        // Last, because a read-only folder accepts no files.
        FileRights(of: source)?.give(to: destination)
    }

    /// Returns whether two files have the same bytes.
    static func hasSameContent(_ first: String, _ second: String) throws(FileError) -> Bool {
        guard size(first) == size(second) else { return false }
        let left = open(first, O_RDONLY | O_CLOEXEC)
        guard left >= 0 else { throw FileError(.open, first) }
        defer { close(left) }
        let right = open(second, O_RDONLY | O_CLOEXEC)
        guard right >= 0 else { throw FileError(.open, second) }
        defer { close(right) }
        while true {
            let block = try bytes(of: left, first)
            guard try block == bytes(of: right, second) else { return false }
            if block.isEmpty { return true }
        }
    }

    /// Returns the next block of a file; a shorter one only at its end.
    private static func bytes(of descriptor: Int32, _ path: String) throws(FileError) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: copyBlock)
        var filled = 0
        while filled < copyBlock {
            let count = block.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + filled }, copyBlock - filled)
            }
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw FileError(.read, path)
            }
        }
        return Array(block[..<filled])
    }

    /// `FICLONE` of <linux/fs.h>, which Swift does not see.
    private static let cloning: UInt = 0x4004_9409

    /// Lets a file have the blocks of another one until either of them changes, where the file system can do that.
    private static func share(_ input: Int32, with output: Int32) -> Bool { ioctl(output, cloning, input) == 0 }

    private typealias Allocation = @convention(c) (Int32, Int32, off_t, off_t) -> Int32

    /// Not declared for Swift; `posix_fallocate` writes the bytes where the file system has nothing better.
    private static let allocate: Allocation? = dlsym(nil, "fallocate").map {
        unsafeBitCast($0, to: Allocation.self)
    }

    /// The blocks are shared, if the file system can; else the bytes are copied.
    private static func copyBytes(
        from input: Int32, to output: Int32, source: String, destination: String, _ isCancelled: (() -> Bool)?
    ) throws(FileError) {
        if isCancelled?() ?? false { throw FileError(.copy, source, number: ECANCELED) }
        if share(input, with: output) { return }
        try copyBlocks(from: input, to: output, source: source, destination: destination, isCancelled)
    }

    /// `sendfile` copies within the kernel; where it cannot, the bytes go through a block of our own.
    static func copyBlocks(
        from input: Int32, to output: Int32, source: String, destination: String, inKernel: Bool = true,
        _ isCancelled: (() -> Bool)?
    ) throws(FileError) {
        var status = stat()
        guard fstat(input, &status) == 0 else { throw FileError(.inspect, source) }
        let size = Int64(status.st_size)
        // A system that knows the size beforehand looks for room once, and not for each page. If there is none, it says
        // so again.
        if size > copyBlock { _ = allocate?(output, 0, 0, off_t(size)) }
        var copied: Int64 = 0
        var handedOver: Int64 = 0
        var inKernel = inKernel
        var block: [UInt8] = []
        while true {
            if isCancelled?() ?? false { throw FileError(.copy, source, number: ECANCELED) }
            if inKernel {
                var place = off_t(copied)
                let count = sendfile(output, input, &place, copyBlock)
                if count == 0 { break }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    guard errno == EINVAL || errno == ENOSYS else {
                        throw FileError(.copy, [ENOSPC, EDQUOT, EFBIG].contains(errno) ? destination : source)
                    }
                    inKernel = false
                    continue
                }
                copied += Int64(count)
            } else {
                if block.isEmpty { block = [UInt8](repeating: 0, count: copyBlock) }
                let count = pread(input, &block, copyBlock, off_t(copied))
                if count == 0 { break }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    throw FileError(.read, source)
                }
                try write(block[..<count], to: output, of: destination)
                copied += Int64(count)
            }
            if copied - handedOver >= writeBackBlock {
                beginWriting(handedOver..<copied, of: output)
                handedOver = copied
            }
        }
        // The file has become shorter meanwhile.
        if copied < size, ftruncate(output, off_t(copied)) != 0 { throw FileError(.write, destination) }
    }
}

import Glibc

extension FileSystem {
    /// The number of bytes that are compared at a time.
    private static let comparedBlock = 1 << 20

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
        try FileCopy(of: input, source, to: output, destination, isCancelled).run()
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
    /// - Parameter shown: gets the number of bytes that are copied of a large file.
    package static func copyContents(
        of input: Int32, _ source: String, into destination: String, shown: CopyProgress? = nil,
        isCancelled: (() -> Bool)?
    ) throws(FileError) {
        let output = open(destination, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard output >= 0 else { throw FileError(.open, destination) }
        defer { close(output) }
        var copy = FileCopy(of: input, source, to: output, destination, isCancelled)
        copy.shown = shown
        try copy.run()
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
        var block = [UInt8](repeating: 0, count: comparedBlock)
        var filled = 0
        while filled < comparedBlock {
            let count = block.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + filled }, comparedBlock - filled)
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
}

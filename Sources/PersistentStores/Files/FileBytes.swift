import Glibc

/// Reads parts of files, and writes new files from parts of others.
public enum FileBytes {
    /// A part of a new file.
    enum Piece {
        case bytes([UInt8])
        /// Bytes of the old file, given as a range of offsets.
        case old(Range<Int64>)
    }

    /// The size of the blocks that are copied, in bytes.
    private static let block = 1 << 18

    /// Returns the first bytes of a file; fewer if it is shorter.
    ///
    /// A pipe or a device is not a file: the call does not wait for its data.
    /// - Throws: `StoreError` if the file cannot be opened or read.
    public static func beginning(of path: String, count: Int) throws(StoreError) -> [UInt8] {
        try read(path, at: 0, count: count)
    }

    /// Returns bytes from an offset; fewer if the file ends before.
    static func read(_ path: String, at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        do throws(FileError) {
            let descriptor = try opened(path)
            defer { close(descriptor) }
            return try read(descriptor, path, at: offset, count: count)
        } catch {
            throw StoreError(error)
        }
    }

    private static func opened(_ path: String) throws(FileError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(.open, path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(.read, path, number: EINVAL)
        }
        return descriptor
    }

    private static func read(
        _ descriptor: Int32, _ path: String, at offset: Int64, count: Int
    ) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let step = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, Int(offset) + filled)
            }
            if step == 0 { break }
            if step > 0 {
                filled += step
            } else if errno != EINTR {
                throw FileError(.read, path)
            }
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Fills an empty file with pieces; does not synchronize it.
    ///
    /// - Parameter isCancelled: asked before each block; true ends the copy with a cancellation error.
    static func write(
        _ pieces: [Piece], of old: String, to path: String, isCancelled: (() -> Bool)? = nil
    ) throws(StoreError) {
        do throws(FileError) {
            let input = try opened(old)
            defer { close(input) }
            let output = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            guard output >= 0 else { throw FileError(.open, path) }
            defer { close(output) }
            for piece in pieces {
                switch piece {
                case .bytes(let bytes): try FileSystem.write(bytes[...], to: output, of: path)
                case .old(let range):
                    var offset = range.lowerBound
                    while offset < range.upperBound {
                        if isCancelled?() ?? false { throw FileError(.write, path, number: ECANCELED) }
                        let count = Int(min(Int64(block), range.upperBound - offset))
                        let bytes = try read(input, old, at: offset, count: count)
                        guard bytes.count == count else { throw FileError(.read, old, number: EIO) }
                        try FileSystem.write(bytes[...], to: output, of: path)
                        offset += Int64(count)
                    }
                }
            }
        } catch {
            throw StoreError(error)
        }
    }
}

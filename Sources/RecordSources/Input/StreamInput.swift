internal import Glibc
import Synchronization

/// Sources that can be read only once: standard input, and pipes and devices by their names, such as the shell creates
/// for `<(...)`.
///
/// Each is opened once. Its first bytes are examined to detect the format, and are then read again by the source.
package enum StreamInput {
    private struct Look {
        let descriptor: InputDescriptor
        /// The bytes of the first read, at most 512.
        var start: [UInt8]?
        var isTaken = false
    }

    private static let looks = Mutex<[String: Look]>([:])

    /// Returns the name of a source in messages.
    package static func title(of name: String) -> String { name == "-" ? "standard input" : name }

    /// Returns whether a source can be read only once. Folders and paths that do not exist are not streams.
    package static func isStream(_ path: String) -> Bool {
        if path == "-" { return true }
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
    }

    /// Returns the first bytes of a stream: those of a single read, at most 512.
    static func start(of path: String) throws(SourceError) -> [UInt8] {
        try withLook(at: path) { look throws(SourceError) in
            if let start = look.start { return start }
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = try look.descriptor.read(into: &bytes, 0..<bytes.count, at: 0)
            let start = Array(bytes.prefix(count))
            look.start = start
            return start
        }
    }

    /// Returns the stream to its reader, from its beginning on.
    /// - Throws: `SourceError` if the stream cannot be opened or read, or has been read before.
    static func input(_ path: String) throws(SourceError) -> RawInput {
        let start = try start(of: path)
        let descriptor = try withLook(at: path) { look throws(SourceError) in
            guard !look.isTaken else { throw SourceError(.alreadyRead, in: path) }
            look.isTaken = true
            return look.descriptor
        }
        return RawInput(bytes: start, name: path, stream: descriptor)
    }

    /// Removes a stream when its reader is released.
    static func close(_ path: String) {
        looks.withLock { $0.removeValue(forKey: path) }?.descriptor.close()
    }

    private static func withLook<Result: Sendable>(
        at path: String, _ body: (inout Look) throws(SourceError) -> Result
    ) throws(SourceError) -> Result {
        let result: Swift.Result<Result, SourceError> = looks.withLock { looks in
            do throws(SourceError) {
                var look: Look
                if let known = looks[path] { look = known } else { look = Look(descriptor: try descriptor(of: path)) }
                defer { looks[path] = look }
                return .success(try body(&look))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func descriptor(of path: String) throws(SourceError) -> InputDescriptor {
        // Opening a named pipe without a writer would block. The reader waits for the writer instead.
        let number = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        return InputDescriptor(number: number, name: path, isStream: true)
    }
}

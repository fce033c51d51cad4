internal import Glibc
import Synchronization

/// Sources that can be read once only: standard input, and pipes and devices by their names, which the shell makes of
/// `<(...)`.
///
/// Each is opened once. Its first bytes are looked at to find out what it is, and read again by the source that it
/// becomes.
package enum StreamInput {
    private struct Look {
        let descriptor: InputDescriptor
        /// What the first read gave, at most 512 bytes.
        var start: [UInt8]?
        var isTaken = false
    }

    private static let looks = Mutex<[String: Look]>([:])

    /// What a person calls a source.
    package static func title(of name: String) -> String { name == "-" ? "standard input" : name }

    /// Whether a source can be read once only. A folder is not a stream, nor is what does not exist.
    package static func isStream(_ path: String) -> Bool {
        if path == "-" { return true }
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
    }

    /// The first bytes of a stream: as many as one read gives, at most 512.
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

    /// The stream for the one who reads it, from its beginning on.
    /// - Throws: `SourceError` if it cannot be opened or read, or was read before.
    static func input(_ path: String) throws(SourceError) -> RawInput {
        let start = try start(of: path)
        let descriptor = try withLook(at: path) { look throws(SourceError) in
            guard !look.isTaken else { throw SourceError(.alreadyRead, in: path) }
            look.isTaken = true
            return look.descriptor
        }
        return RawInput(bytes: start, name: path, stream: descriptor)
    }

    /// Forgets a stream when its reader goes.
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
        // A named pipe without a writer would hold the call; what reads it waits for the writer.
        let number = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        return InputDescriptor(number: number, name: path, isStream: true)
    }
}

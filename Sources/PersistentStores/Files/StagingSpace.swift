import Glibc

/// The space that this process takes in a folder while it makes a file there: that of all files in the folder which it
/// has open for writing, also if they have no name.
///
/// The space is measured when this is asked for, so that the peak is that of these moments.
public final class StagingSpace {
    private let folder: String
    /// The largest space so far, in bytes.
    public private(set) var peak: Int64 = 0
    /// When `measureIfDue()` measures again.
    private var due = 0.0

    /// Begins to measure.
    /// - Parameter path: the path of the file that is made.
    public init(beside path: String) {
        folder = FileSystem.resolvingLinks(FileSystem.directory(of: path))
    }

    /// Measures the space, unless measuring would take more than a hundredth of the time: it asks for every file that the
    /// process has open.
    public func measureIfDue() {
        let start = Clock.seconds
        guard start >= due else { return }
        measure()
        let end = Clock.seconds
        due = end + 100 * (end - start)
    }

    /// Measures the space that is taken now.
    public func measure() {
        var taken: Int64 = 0
        // A file may be open several times.
        var files: Set<[UInt]> = []
        for name in (try? FileSystem.names(in: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), isBeside(descriptor) else { continue }
            var status = stat()
            guard fstat(descriptor, &status) == 0,
                files.insert([UInt(status.st_dev), UInt(status.st_ino)]).inserted
            else { continue }
            // Blocks of 512 bytes, whatever those of the file system are (stat(2)).
            taken += Int64(status.st_blocks) * 512
        }
        peak = max(peak, taken)
    }

    private func isBeside(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY,
            let path = Self.destination(of: "/proc/self/fd/\(descriptor)")
        else { return false }
        return FileSystem.directory(of: path) == folder
    }

    private static func destination(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}

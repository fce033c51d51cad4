internal import Glibc
import TextEncodings

/// A folder with files that values may name. No name can lead out of it.
public struct BinaryFolder: Equatable, Sendable {
    /// The path of the folder.
    public let path: String
    /// The size in bytes of the largest file that is read.
    public let largestFile: Int

    /// 64 MiB, because a file that is stored in a row is in memory while its object is written.
    public static let defaultLargestFile = 64 << 20

    /// Creates a folder; files of more than 128 MiB are never read.
    public init(path: String, largestFile: Int = BinaryFolder.defaultLargestFile) {
        self.path = path
        self.largestFile = min(largestFile, 128 << 20)
    }

    /// Returns the contents of the regular file at a relative path, without following symbolic links.
    func content(of name: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        let descriptor = try open(name)
        defer { close(descriptor) }
        return try content(of: descriptor)
    }

    /// Opens the file at a relative path for reading, without following symbolic links; the caller closes it.
    ///
    /// Each folder of the path is opened relative to the one before, so that the path cannot be redirected by replacing
    /// a folder meanwhile.
    func open(_ name: Span<UInt8>) throws(ConversionFailure) -> Int32 {
        let components = try components(of: name)
        var descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConversionFailure(.unreadableFile) }
        for (index, component) in components.enumerated() {
            let isLast = index == components.count - 1
            // A named pipe must not block.
            let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (isLast ? 0 : O_DIRECTORY)
            let next = openat(descriptor, component, flags)
            let number = errno
            close(descriptor)
            guard next >= 0 else {
                throw ConversionFailure(number == ELOOP || number == ENOTDIR ? .unsafePath : .unreadableFile)
            }
            descriptor = next
        }
        return descriptor
    }

    /// Returns the size in bytes of a regular file; throws an error if it is too large.
    func size(of descriptor: Int32) throws(ConversionFailure) -> Int {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw ConversionFailure(.unreadableFile)
        }
        guard information.st_size <= largestFile else { throw ConversionFailure(.fileTooLarge) }
        return Int(information.st_size)
    }

    private func components(of name: Span<UInt8>) throws(ConversionFailure) -> [String] {
        var components: [String] = []
        var start = 0
        for index in 0...name.count where index == name.count || name[index] == UInt8(ascii: "/") {
            let component = String(copying: name.extracting(start..<index))
            guard !component.isEmpty, component != ".", component != "..", !component.utf8.contains(0) else {
                throw ConversionFailure(.unsafePath, at: start)
            }
            components.append(component)
            start = index + 1
        }
        return components
    }

    private func content(of descriptor: Int32) throws(ConversionFailure) -> [UInt8] {
        let size = try size(of: descriptor)
        var content = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let read = content.withUnsafeMutableBytes { bytes in
                Glibc.read(descriptor, bytes.baseAddress?.advanced(by: count), size - count)
            }
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else { throw ConversionFailure(.unreadableFile) }
            count += read
        }
        return content
    }
}

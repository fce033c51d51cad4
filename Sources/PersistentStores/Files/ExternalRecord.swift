import Glibc

/// A file with a binary value that Core Data keeps outside the database (SPEC B.6).
public enum ExternalRecord {
    /// Whether a name is a UUID as Core Data writes it: anything else could lead out of the folder.
    public static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            if [8, 13, 18, 23].contains(index) { return byte == UInt8(ascii: "-") }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "a")...UInt8(ascii: "f"):
                return true
            default: return false
            }
        }
    }

    /// The bytes of a record; nil where there is no such file.
    public static func content(named name: String, in directory: String) throws(FileError) -> [UInt8]? {
        let path = directory + "/" + name
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileError(.open, path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(.inspect, path) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileError(.read, path)
            }
            done += count
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }
}

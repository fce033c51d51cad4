internal import Glibc

/// An error of a zip archive, or of a file in it.
public enum ZipError: Error, Hashable, Sendable {
    /// The file cannot be opened; `systemError` is the system's error number (errno).
    case cannotOpen(systemError: Int32)
    /// The file cannot be read; `systemError` is the system's error number (errno).
    case cannotRead(systemError: Int32)
    /// The file has no directory at its end.
    case notAnArchive
    /// The archive is damaged; with the problem as a clause.
    case damaged(String)
    /// The bytes of an entry, given by its path, cannot be decompressed.
    case notDecoded(entry: String, StreamDecodingError)
    /// An entry, given by its path, requires a password.
    case encrypted(entry: String)
    /// An entry, given by its path, has an unknown compression method (APPNOTE, section 4.4.5).
    case unknownMethod(entry: String, Int)
}

extension ZipError: CustomStringConvertible {
    /// What is wrong and what to do, without the path.
    public var description: String {
        switch self {
        case .cannotOpen(let error):
            "cannot be opened: \(String(cString: strerror(error))); check the path and its permissions"
        case .cannotRead(let error): "cannot be read: \(String(cString: strerror(error)))"
        case .notAnArchive:
            "this is not a zip archive, or its end is missing; get a whole copy"
        case .damaged(let reason): "the zip archive is damaged: \(reason); get an intact copy"
        case .notDecoded(let entry, let error): "\(entry): \(error)"
        case .encrypted(let entry): "\(entry) is encrypted; save the file without a password"
        case .unknownMethod(let entry, let method):
            "\(entry) is compressed by method \(method), and only deflate is read; pack the file again with deflate"
        }
    }
}

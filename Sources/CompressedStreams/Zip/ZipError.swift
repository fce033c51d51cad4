internal import Glibc

/// Why a zip archive, or a file in it, cannot be read.
public enum ZipError: Error, Hashable, Sendable {
    /// The file cannot be opened; `systemError` is the system's error number (errno).
    case cannotOpen(systemError: Int32)
    /// The file cannot be read; `systemError` is the system's error number (errno).
    case cannotRead(systemError: Int32)
    /// It has no directory at its end.
    case notAnArchive
    /// What is wrong, as a clause.
    case damaged(String)
    /// The bytes of an entry, which is named by its path, cannot be unpacked.
    case notDecoded(entry: String, StreamDecodingError)
    /// An entry, which is named by its path, needs a password.
    case encrypted(entry: String)
    /// A number of APPNOTE, section 4.4.5.
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

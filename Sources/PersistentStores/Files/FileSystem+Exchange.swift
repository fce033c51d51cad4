import Glibc

extension FileSystem {
    private typealias Renameat2 =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// The system call, which is not declared for Swift and is missing from older C libraries.
    private static let renameat2: Renameat2? = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Renameat2.self) }

    /// `RENAME_EXCHANGE` of <linux/fs.h>.
    private static let exchanging: UInt32 = 2

    /// Exchanges two paths, files or folders, atomically. Returns false if the system or its file system cannot.
    static func exchange(_ first: String, _ second: String) throws(FileError) -> Bool {
        guard let renameat2 else { return false }
        if renameat2(AT_FDCWD, first, AT_FDCWD, second, exchanging) == 0 { return true }
        if [EINVAL, ENOSYS, ENOTSUP].contains(errno) { return false }
        throw FileError(.rename, first)
    }
}

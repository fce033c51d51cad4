import Glibc

extension FileSystem {
    private typealias SyncFileRange = @convention(c) (Int32, off_t, off_t, UInt32) -> Int32

    /// The system call, which is not declared for Swift.
    private static let syncFileRange: SyncFileRange? = dlsym(nil, "sync_file_range").map {
        unsafeBitCast($0, to: SyncFileRange.self)
    }

    /// `SYNC_FILE_RANGE_WRITE` of <fcntl.h>.
    private static let writing: UInt32 = 2

    /// Makes the system begin to write bytes of a file to the device, without waiting for it.
    ///
    /// The bytes are durable only after the file has been synchronized, which also reports errors.
    static func beginWriting(_ bytes: Range<Int64>, of descriptor: Int32) {
        _ = syncFileRange?(descriptor, off_t(bytes.lowerBound), off_t(bytes.count), writing)
    }
}

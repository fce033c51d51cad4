import Glibc

extension FileSystem {
    private typealias SyncFileRange = @convention(c) (Int32, off_t, off_t, UInt32) -> Int32

    /// Not declared for Swift.
    private static let syncFileRange: SyncFileRange? = dlsym(nil, "sync_file_range").map {
        unsafeBitCast($0, to: SyncFileRange.self)
    }

    /// `SYNC_FILE_RANGE_WRITE` of <fcntl.h>.
    private static let writing: UInt32 = 2

    /// Lets the system begin to bring bytes of a file to the device, and does not wait for it.
    ///
    /// Nothing is promised of them until the file is synchronized, which says what was wrong as well.
    static func beginWriting(_ bytes: Range<Int64>, of descriptor: Int32) {
        _ = syncFileRange?(descriptor, off_t(bytes.lowerBound), off_t(bytes.count), writing)
    }
}

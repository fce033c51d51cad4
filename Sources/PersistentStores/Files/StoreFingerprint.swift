import Glibc

/// The inode, size and modification time of a store's files, by which a write to them is noticed.
///
/// Only `stat` is used: opening and closing a file would drop the locks that this process holds on it.
public struct StoreFingerprint: Sendable, Equatable {
    private struct File: Sendable, Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private let main: File?
    private let writeAheadLog: File?

    /// Reads the state of the files.
    ///
    /// - Parameters:
    ///   - files: the files of the store.
    ///   - isSettled: whether to wait until the last write is so long ago that any later one gets a different time.
    ///     Otherwise a write right after the check could go unnoticed.
    public init(of files: StoreFiles, isSettled: Bool = false) {
        var (main, log) = Self.look(files)
        // Two rounds suffice unless some process keeps writing; then the fingerprint changes anyway.
        for _ in 0..<3 {
            let wait = isSettled ? max(Self.unsettledNanoseconds(main), Self.unsettledNanoseconds(log)) : 0
            guard wait > 0 else { break }
            var time = timespec(tv_sec: Int(wait / 1_000_000_000), tv_nsec: Int(wait % 1_000_000_000))
            nanosleep(&time, nil)
            (main, log) = Self.look(files)
        }
        (self.main, writeAheadLog) = (main, log)
    }

    private static func look(_ files: StoreFiles) -> (main: File?, log: File?) {
        // An empty log is equivalent to a missing one: SQLite creates one when it opens the store.
        (file(files.path), file(files.writeAheadLog).flatMap { $0.size == 0 ? nil : $0 })
    }

    private static func file(_ path: String) -> File? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return File(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }

    /// The fingerprint as one line of text, for a record that a later run reads.
    public var text: String {
        [main, writeAheadLog].map { file in
            file.map { "\($0.inode):\($0.size):\($0.seconds).\($0.nanoseconds)" } ?? "none"
        }.joined(separator: "+")
    }

    /// In nanoseconds. The kernel stamps files by a clock that ticks every 1 to 10 milliseconds; old file systems store
    /// whole seconds, FAT every other one.
    private static let tick: Int64 = 20_000_000
    private static let coarseTick: Int64 = 2_000_000_000

    /// Returns how long it takes until the next write of a file is certain to get a different time, in nanoseconds.
    private static func unsettledNanoseconds(_ file: File?) -> Int64 {
        guard let file else { return 0 }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // A time that is far in the past or in the future does not come from a recent write.
        let (seconds, overflow) = now.tv_sec.subtractingReportingOverflow(file.seconds)
        guard !overflow, (-10...10).contains(seconds) else { return 0 }
        let age = Int64(seconds) * 1_000_000_000 + Int64(now.tv_nsec - file.nanoseconds)
        return max(0, min((file.nanoseconds == 0 ? coarseTick : tick) - age, coarseTick))
    }
}

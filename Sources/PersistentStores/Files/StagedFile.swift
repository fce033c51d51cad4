import Glibc

/// A database that is made beside its final place, under a recognizable name, and renamed when it is complete.
///
/// A run that was killed leaves the file behind, and the next run removes it. A running process holds an advisory lock
/// on it.
public final class StagedFile {
    /// The current path of the file.
    public let path: String

    private let descriptor: Int32

    /// Writes bytes to the device while others are still being read.
    private var early: EarlySynchronization?

    /// Whether the file has been moved to its final place.
    public private(set) var isMoved = false

    /// Whether the file was left by an earlier run and is to be continued.
    public let isResumed: Bool

    /// Whether the file is kept on deinitialization, for a run that continues with it.
    public var isKept = false

    /// The length in bytes of the longest file name on Linux file systems, less that of the longest suffix,
    /// `-rows-journal`.
    private static let longestName = 255 - 13

    /// The size in bytes from which on writing the file to the device takes longer than an additional synchronization.
    private static let largeSize = 16 << 20

    /// Returns the staging path for a destination.
    public static func stagingPath(for destination: String) -> String {
        path(for: destination, ending: "ferry-staging")
    }

    /// Returns a hidden path beside a destination.
    static func path(for destination: String, ending: String) -> String {
        let name = FileSystem.name(of: destination)
        var staging = ".\(name).\(ending)"
        if staging.utf8.count > longestName {
            // The beginning of the name, as long as it fits, and a hash that distinguishes names with the same
            // beginning (FNV-1a).
            let sum = name.utf8.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) {
                $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
            var beginning = name
            while beginning.utf8.count > longestName / 2 { beginning.removeLast() }
            staging = ".\(beginning)-\(String(sum, radix: 16)).\(ending)"
        }
        return FileSystem.directory(of: destination) + "/" + staging
    }

    /// Returns the path of a file that holds rows until the staged file is written with them. It is removed with the
    /// staged file.
    public static func rowsPath(of staged: String) -> String { staged + "-rows" }

    private static func leftovers(_ path: String, keepingRows: Bool = false) -> [String] {
        let rows = rowsPath(of: path)
        return StoreFiles(path).sidecars + (keepingRows ? [] : StoreFiles(rows).sidecars + [rows])
    }

    /// Creates the empty file; removes a file that an earlier run left.
    ///
    /// - Parameters:
    ///   - destination: the final path of the file.
    ///   - isPrivate: whether other users may not read it before `adoptAttributes(of:)`.
    ///   - resuming: whether a file that an earlier run left is kept instead, to be continued.
    /// - Throws: `StoreError.busyStaging` if another run is working on the same destination.
    public init(for destination: String, isPrivate: Bool = false, resuming: Bool = false) throws(StoreError) {
        path = Self.stagingPath(for: destination)
        if resuming {
            let opened = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            if opened >= 0 {
                if flock(opened, LOCK_EX | LOCK_NB) == 0, Self.isEntry(path, of: opened) {
                    descriptor = opened
                    isResumed = true
                    return
                }
                close(opened)
            }
        }
        isResumed = false
        // Each round fails because another process was first; so many failures cannot all come from processes that have
        // died.
        for _ in 0..<100 {
            try Self.removeStale(path)
            let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o666)
            if opened < 0, errno == EEXIST { continue }
            // The error names the destination, which is the path that users know.
            guard opened >= 0 else { throw StoreError(FileError(.create, destination)) }
            if flock(opened, LOCK_EX | LOCK_NB) == 0, Self.isEntry(path, of: opened) {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw StoreError(.busyStaging, path: path)
    }

    /// Removes the file that a killed run has left for a destination; the file of a run in progress stays.
    public static func removeStale(for destination: String) {
        try? removeStale(stagingPath(for: destination))
    }

    /// Removes the directory entry without writing to the file, which may have another name by now.
    private static func removeStale(_ path: String) throws(StoreError) {
        if FileSystem.isDirectory(path), !FileSystem.isLink(path) {
            // Left by a killed run that made other files there.
            return try StagingFolder(path).remove()
        }
        var opened = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        // A staged copy of a read-only store is read-only, too.
        if opened < 0, errno == EACCES { opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        if opened < 0, errno != ENOENT { throw StoreError(FileError(.create, path)) }
        if opened >= 0 {
            defer { close(opened) }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { throw StoreError(.busyStaging, path: path) }
            // The process that held the lock before may have renamed or removed the file in the meantime.
            guard isEntry(path, of: opened) else { return }
            guard unlink(path) == 0 else { throw StoreError(FileError(.remove, path)) }
        }
        for leftover in Self.leftovers(path) { unlink(leftover) }
    }

    private static func isEntry(_ path: String, of descriptor: Int32) -> Bool {
        var ours = stat()
        var there = stat()
        return fstat(descriptor, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino
            && ours.st_dev == there.st_dev
    }

    /// Empties a resumed file that cannot be continued; no connection may have it open.
    ///
    /// - Parameter keepingRows: whether the file with rows stays.
    /// - Throws: `StoreError` if the file cannot be written.
    public func clear(keepingRows: Bool = false) throws(StoreError) {
        for leftover in Self.leftovers(path, keepingRows: keepingRows) { unlink(leftover) }
        guard ftruncate(descriptor, 0) == 0 else { throw StoreError(FileError(.write, path)) }
    }

    deinit {
        _ = early?.wait()
        if !isMoved, !isKept {
            for leftover in Self.leftovers(path) { unlink(leftover) }
            unlink(path)
        }
        close(descriptor)
    }

    /// Begins to write the bytes of a large file to the device, while the file is hardly modified any more.
    public func beginSynchronizing() {
        var status = stat()
        guard early == nil, fstat(descriptor, &status) == 0, status.st_size >= Self.largeSize else { return }
        early = EarlySynchronization(descriptor)
    }

    /// Appends bytes.
    /// - Throws: `StoreError` if the disk is full, or writing fails.
    public func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) {
            try FileSystem.write(bytes[...], to: descriptor, of: path)
        } catch {
            throw StoreError(error)
        }
    }

    /// Waits until the bytes are on the device.
    /// - Throws: `StoreError` if the device fails, now or at an earlier write.
    public func synchronize() throws(StoreError) {
        // The system reports only once that bytes did not reach the device.
        if let number = early?.wait() { throw StoreError(FileError(.synchronize, path, number: number)) }
        guard fsync(descriptor) == 0 else { throw StoreError(FileError(.synchronize, path)) }
    }

    /// Gives the file the owner, group and permissions of another one; returns those that this user may not set.
    public func adoptAttributes(of other: String) -> [FileAttribute] {
        guard let rights = FileRights(of: other) else { return FileAttribute.allCases }
        rights.give(to: descriptor)
        return rights.missing(in: descriptor)
    }

    /// Moves the file to its destination, atomically.
    ///
    /// Returns why the folder's entry may not be durable; nil if it is. The file is in its place in either case.
    /// - Parameters:
    ///   - destination: the final path of the file.
    ///   - replacing: false to fail if the destination exists, or has a log or journal that the file would take over.
    /// - Throws: `StoreError` with code `exists` if something at the destination is not to be replaced; another one if
    ///   the file cannot be renamed.
    public func move(to destination: String, replacing: Bool) throws(StoreError) -> FileError? {
        let files = StoreFiles(destination)
        for path in [files.writeAheadLog, files.journal] where !replacing && FileSystem.isThere(path) {
            throw StoreError(.exists, path: path)
        }
        do throws(FileError) {
            if replacing {
                try FileSystem.rename(path, to: destination)
            } else {
                try FileSystem.renameExclusively(path, to: destination)
            }
        } catch {
            throw !replacing && error.number == EEXIST ? StoreError(.exists, path: destination) : StoreError(error)
        }
        end()
        return FileSystem.durabilityProblem(ofEntriesIn: FileSystem.directory(of: destination))
    }

    /// Moves the file to its destination, atomically; the destination may be a store that is held.
    func move(to destination: String, replacing: Bool, _ held: ReplacementLock?) throws(StoreError) -> FileError? {
        guard let held else { return try move(to: destination, replacing: replacing) }
        return try replace(held)
    }

    /// Replaces a store that is held.
    ///
    /// - Returns: why the folder's entry may not be durable; nil if it is. The file is in its place in either case.
    /// - Throws: `StoreError`, `.locked` if another process has the store open; both files are then where they were,
    ///   and the caller must abandon the lock.
    public func replace(_ held: ReplacementLock) throws(StoreError) -> FileError? {
        let unsynchronized = try held.replace(by: path)
        end()
        return unsynchronized
    }

    /// Removes the file with rows, which no run needs any more when the staged file is in its place.
    private func end() {
        isMoved = true
        let rows = Self.rowsPath(of: path)
        for path in StoreFiles(rows).sidecars + [rows] { unlink(path) }
    }
}

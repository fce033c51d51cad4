import Glibc

/// A database that is made beside its final place, under a name that tells what it is, and renamed there when it is
/// whole.
///
/// A run that was killed leaves it behind; the next one removes it. While a run lives it holds an advisory lock on it.
public final class StagedFile {
    /// The folder entry of the file.
    public let path: String

    private let descriptor: Int32

    /// What brings bytes to the device while others are still read.
    private var early: EarlySynchronization?

    /// Whether it has taken its final place.
    public private(set) var isMoved = false

    /// Whether it is what an earlier run has left, to be continued.
    public let isResumed: Bool

    /// Whether it stays when no one needs it any more, for a run that goes on with it.
    public var isKept = false

    /// The bytes that a file name may have on Linux' file systems, less SQLite's longest ending, `-journal`.
    private static let longestName = 255 - 8

    /// Bytes that take a device longer than asking it twice does.
    private static let largeSize = 16 << 20

    /// The staging name for a destination.
    public static func stagingPath(for destination: String) -> String {
        path(for: destination, ending: "ferry-staging")
    }

    /// A hidden name beside a destination.
    static func path(for destination: String, ending: String) -> String {
        let name = FileSystem.name(of: destination)
        var staging = ".\(name).\(ending)"
        if staging.utf8.count > longestName {
            // As much of the name as fits, and a number that tells names with the same beginning apart (FNV-1a).
            let sum = name.utf8.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) {
                $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
            var beginning = name
            while beginning.utf8.count > longestName / 2 { beginning.removeLast() }
            staging = ".\(beginning)-\(String(sum, radix: 16)).\(ending)"
        }
        return FileSystem.directory(of: destination) + "/" + staging
    }

    /// Creates the empty file; one that an earlier run left is removed.
    ///
    /// - Parameters:
    ///   - destination: the path that the file is to get.
    ///   - isPrivate: whether no one else may read it before `adoptAttributes(of:)`.
    ///   - resuming: whether what an earlier run left is kept instead, to be continued.
    /// - Throws: `StoreError.busyStaging` where another run is working on the same destination.
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
        // Each round ends because another process came first; no one loses so often to processes that have died.
        for _ in 0..<100 {
            try Self.removeStale(path)
            let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o666)
            if opened < 0, errno == EEXIST { continue }
            // People know the name that it is to have.
            guard opened >= 0 else { throw StoreError(FileError(.create, destination)) }
            if flock(opened, LOCK_EX | LOCK_NB) == 0, Self.isEntry(path, of: opened) {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw StoreError(.busyStaging, path: path)
    }

    /// Removes what a run that died has left for a destination; what a living one is making stays.
    public static func removeStale(for destination: String) {
        try? removeStale(stagingPath(for: destination))
    }

    /// The entry is removed, and its file never written to: it may have another name by now.
    private static func removeStale(_ path: String) throws(StoreError) {
        if FileSystem.isDirectory(path), !FileSystem.isLink(path) {
            // A run that made other files there, and was killed.
            return try StagingFolder(path).remove()
        }
        var opened = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        // A store that may only be read makes a staged file like it.
        if opened < 0, errno == EACCES { opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        if opened < 0, errno != ENOENT { throw StoreError(FileError(.create, path)) }
        if opened >= 0 {
            defer { close(opened) }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { throw StoreError(.busyStaging, path: path) }
            // Whoever held the lock before may have renamed or removed the file in the meantime.
            guard isEntry(path, of: opened) else { return }
            guard unlink(path) == 0 else { throw StoreError(FileError(.remove, path)) }
        }
        for leftover in StoreFiles(path).sidecars { unlink(leftover) }
    }

    private static func isEntry(_ path: String, of descriptor: Int32) -> Bool {
        var ours = stat()
        var there = stat()
        return fstat(descriptor, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino
            && ours.st_dev == there.st_dev
    }

    /// Empties a file that is not what it was taken for; no one may have it open.
    /// - Throws: `StoreError` if the file cannot be written.
    public func clear() throws(StoreError) {
        for leftover in StoreFiles(path).sidecars { unlink(leftover) }
        guard ftruncate(descriptor, 0) == 0 else { throw StoreError(FileError(.write, path)) }
    }

    deinit {
        _ = early?.wait()
        if !isMoved, !isKept {
            for leftover in StoreFiles(path).sidecars { unlink(leftover) }
            unlink(path)
        }
        close(descriptor)
    }

    /// Begins to bring the bytes of a large file to the device, for the time in which it is hardly written to any more.
    public func beginSynchronizing() {
        var status = stat()
        guard early == nil, fstat(descriptor, &status) == 0, status.st_size >= Self.largeSize else { return }
        early = EarlySynchronization(descriptor)
    }

    /// Writes bytes where the last ones ended.
    /// - Throws: `StoreError` if the disk is full or fails.
    public func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) {
            try FileSystem.write(bytes, to: descriptor, of: path)
        } catch {
            throw StoreError(error)
        }
    }

    /// Waits until the bytes are on the device.
    /// - Throws: `StoreError` if the device fails, now or at an earlier write.
    public func synchronize() throws(StoreError) {
        // The system says only once that bytes did not get there.
        if let number = early?.wait() { throw StoreError(FileError(.synchronize, path, number: number)) }
        guard fsync(descriptor) == 0 else { throw StoreError(FileError(.synchronize, path)) }
    }

    /// Gives the file the owner, group and permissions of another one, and says which of them this user may not give.
    public func adoptAttributes(of other: String) -> [FileAttribute] {
        guard let rights = FileRights(of: other) else { return FileAttribute.allCases }
        rights.give(to: descriptor)
        return rights.missing(in: descriptor)
    }

    /// Takes the destination's place at once.
    ///
    /// Returns why the folder's entry may not be durable; nil if it is. The file has its place all the same.
    /// - Parameters:
    ///   - destination: the path that the file gets.
    ///   - replacing: false to fail where the destination exists, or a log or journal that would become its own.
    /// - Throws: `StoreError` with code `exists` if something is there that is not replaced; another one if the file
    ///   cannot be renamed.
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
        isMoved = true
        return FileSystem.durabilityProblem(ofEntriesIn: FileSystem.directory(of: destination))
    }

    /// Takes the destination's place at once, that of a store that is held or another one.
    func move(to destination: String, replacing: Bool, _ held: ReplacementLock?) throws(StoreError) -> FileError? {
        guard let held else { return try move(to: destination, replacing: replacing) }
        return try replace(held)
    }

    /// Takes the place of a store that is held.
    ///
    /// - Returns: why the folder's entry may not be durable; nil if it is. The file has its place all the same.
    /// - Throws: `StoreError`, `.locked` where another process has the store open; both files are where they were, and
    ///   the lock has to be abandoned.
    public func replace(_ held: ReplacementLock) throws(StoreError) -> FileError? {
        let unsynchronized = try held.replace(by: path)
        isMoved = true
        return unsynchronized
    }
}

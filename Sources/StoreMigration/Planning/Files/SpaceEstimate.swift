import PersistentStores

/// The space that a migration needs, and the free space; a backup may be on another file system.
struct SpaceEstimate: Sendable {
    let needed: Int64
    let free: Int64?

    /// The space of a backup on another file system; nil if there is none.
    let backup: BackupSpace?

    init(_ needed: Int64, in folder: String) {
        self.needed = needed
        free = FileSystem.freeSpace(folder)
        backup = nil
    }

    /// - Parameter target: the folder of the backup, which need not exist yet.
    init(_ needed: Int64, in folder: String, backup: Int64, to target: String) {
        var existing = target
        while !FileSystem.exists(existing), existing != ".", existing != "/" {
            existing = FileSystem.directory(of: existing)
        }
        let isElsewhere = FileSystem.device(existing) != FileSystem.device(folder)
        self.needed = isElsewhere ? needed : needed + backup
        free = FileSystem.freeSpace(folder)
        self.backup =
            isElsewhere
            ? BackupSpace(folder: target, bytesNeeded: backup, bytesFree: FileSystem.freeSpace(existing)) : nil
    }
}

/// The space of a backup that is on another file system.
public struct BackupSpace: Sendable, Hashable, Codable {
    /// The folder of the backup.
    public let folder: String
    /// The number of bytes that the backup takes.
    public let bytesNeeded: Int64
    /// The number of free bytes there; nil if it is not known.
    public let bytesFree: Int64?

    var isMissing: Bool { bytesFree.map { $0 < bytesNeeded } ?? false }
}

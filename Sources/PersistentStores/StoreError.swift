public import SQLiteAccess

/// Why a store cannot be opened, read or replaced.
public struct StoreError: Error, Sendable {
    /// Why the operation failed, with what is known beyond the path.
    public enum Code: Sendable {
        /// There is no such file.
        case missing
        /// The folder for a new file does not exist.
        case folderMissing
        /// The path is a folder.
        case isDirectory
        /// The path for a backup is not a folder.
        case notAFolder
        /// The file has no bytes.
        case empty
        /// The file is not an SQLite database, or is an encrypted one.
        case notADatabase
        /// The file is truncated; both sizes are in bytes.
        case truncated(expected: Int64, found: Int64)
        /// The database lacks a table that every Core Data store has.
        case notACoreDataStore(missing: String)
        /// The metadata cannot be decoded, for this reason.
        case metadataUnreadable(String)
        /// The metadata have a value that the store's type cannot hold, for this reason.
        case metadataUnwritable(String)
        /// The file of an XML or binary store is malformed or incomplete.
        case unreadable(String)
        /// The file does not have the format of any store.
        case notAStore
        /// SQLite reports that the database is damaged, with this message.
        case corrupt(String)
        /// Another process holds a lock.
        case locked
        /// The file system does not provide the locks that SQLite uses to exclude other processes.
        case locksUnavailable(SQLiteError)
        /// Another process wrote to the store while it was being read.
        case changed
        /// The disk or a quota is full; the bytes that are needed and the bytes that are free, if known.
        case noSpace(needed: Int64?, free: Int64?)
        /// An import that commits batch by batch has not been completed.
        case importInterrupted
        /// Another run of this tool is making the same file.
        case busyStaging
        /// A file would exceed the maximum file size of this process.
        case fileSizeLimit
        /// This user may not write to the store or its folder.
        case readOnly
        /// A file or folder already exists at the path.
        case exists
        /// The new store would be the old one, possibly under another name.
        case sameStore
        /// The new store's folder for external data would be that of the old store.
        case sharedExternalData(String)
        /// An operation on a file failed.
        case file(FileError)
        /// SQLite cannot open the file, or cannot make the files that it needs next to it.
        case cannotOpen(SQLiteError)
        /// SQLite failed for a reason that no other code describes.
        case database(SQLiteError)
        /// The model needs more columns in a table than SQLite allows.
        case tooManyColumns(table: String, count: Int, maximum: Int)
        /// The store keeps no persistent history.
        case noHistory
        /// The persistent history no longer has the transactions that follow this token.
        case historyExpired(String)
        /// This store cannot have issued the token of persistent history.
        case historyOfAnotherStore(String)
        /// Changes that CloudKit has not exported yet would be lost with the history.
        case historyMirrored
        /// The store has no entity of this name.
        case noEntity(String)
        /// Entities whose names differ only in case would share a table.
        case sharedTable(String, entities: [String])
    }

    /// Why the operation failed.
    public let code: Code
    /// The path of the file or folder that the error is about.
    public let path: String

    /// Makes an error about a path.
    public init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }

    /// Makes an error from SQLite's; its code is about stores if there is one with that meaning.
    public init(_ error: SQLiteError, path: String) {
        // A file system that is no longer available returns empty pages, which look damaged.
        if error.isCorrupt, let fault = FileSystem.fault(at: path) {
            self.init(unreachable: fault)
        } else if error.isBusy || error.isReaderLeftBehind && FileSystem.isWritable(path) {
            self.init(.locked, path: path)
        } else if error.isFull {
            self.init(.noSpace(needed: nil, free: FileSystem.freeSpace(FileSystem.directory(of: path))), path: path)
        } else if error.isFileSizeLimit {
            self.init(.fileSizeLimit, path: path)
        } else if error.isLockFault {
            // Shared memory may also simply lack space, or exceed the maximum file size.
            self.init(.locksUnavailable(error), path: path)
        } else if error.isReadOnly || error.isCannotOpen && FileSystem.isReadableOnly(path) {
            // SQLite reports that it cannot open the database if it cannot make the files beside it.
            self.init(.readOnly, path: path)
        } else if error.isCannotOpen {
            self.init(.cannotOpen(error), path: path)
        } else if error.isNotADatabase {
            self.init(.notADatabase, path: path)
        } else if error.isCorrupt {
            self.init(.corrupt(error.message), path: path)
        } else {
            self.init(.database(error), path: path)
        }
    }

    /// Makes an error from that of a file operation; a full disk and a file size limit have their own codes.
    public init(_ error: FileError) {
        let code: Code =
            if error.isNoSpace {
                .noSpace(needed: nil, free: FileSystem.freeSpace(FileSystem.directory(of: error.path)))
            } else if error.isTooLarge {
                .fileSizeLimit
            } else {
                .file(error)
            }
        self.init(code, path: error.path)
    }

    /// Throws if the file at a path cannot be reached, most often because it does not exist.
    /// - Throws: `StoreError` if the path cannot be reached.
    public static func checkReach(_ path: String) throws(StoreError) {
        if let fault = FileSystem.fault(at: path) { throw StoreError(unreachable: fault) }
    }

    private init(unreachable fault: FileError) {
        self.init(fault.isMissing ? .missing : .file(fault), path: fault.path)
    }

    /// Returns the error for a path that is already taken, including by a store that is being read.
    public static func taken(_ path: String, by stores: [String]) -> StoreError {
        StoreError(stores.contains { FileSystem.isSameFile(path, $0) } ? .sameStore : .exists, path: path)
    }

    /// Whether the error only says that the caller cancelled the operation.
    public var isCancelled: Bool {
        switch code {
        case .file(let error): error.isCancelled
        case .database(let error): error.isInterrupted
        default: false
        }
    }

    /// Whether the same call may succeed later: the store is locked, or there is not enough space.
    public var isTemporary: Bool {
        switch code {
        case .locked, .changed, .busyStaging, .noSpace, .fileSizeLimit: true
        default: false
        }
    }

    /// The error number of Cocoa.
    public var cocoaCode: Int {
        switch code {
        case .metadataUnreadable, .notACoreDataStore, .notAStore, .empty: 134020
        case .locked, .locksUnavailable, .cannotOpen, .database, .corrupt, .noSpace: 134180
        case .historyExpired: 134301
        default: 134080
        }
    }
}

extension StoreError: Equatable {
    public static func == (left: StoreError, right: StoreError) -> Bool {
        left.cocoaCode == right.cocoaCode && left.path == right.path && "\(left)" == "\(right)"
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        // The file error names the path itself.
        if case .file(let error) = code, error.path == path, !error.isCancelled { return error.description }
        return "\(path): \(sentence)"
    }

    /// What is wrong and what to do, without the path.
    public var sentence: String {
        switch code {
        case .missing: "there is no such file; check the path"
        case .folderMissing: "there is no such folder; make it, or choose another path"
        case .isDirectory: "this is a folder; name the store's main file in it"
        case .notAFolder: "this is not a folder; name a folder for the backup, which is made if there is none"
        case .empty: "the file is empty; check the path, or get a complete copy"
        case .notADatabase: "this is not an SQLite database, whatever its name says; check the path"
        case .truncated(let expected, let found):
            "the file is truncated: its header promises \(expected) bytes, and it has \(found); get a complete copy"
        case .notACoreDataStore(let missing):
            "this SQLite database is not a Core Data store: it has no \(missing) table; import it instead"
        case .metadataUnreadable(let reason):
            "the store's metadata cannot be read (\(reason)); restore it from a backup"
        case .unreadable(let reason):
            "the file cannot be read to its end (\(reason)); get a complete copy, or restore a backup"
        case .metadataUnwritable(let reason): "the store's metadata cannot be written (\(reason)); nothing has changed"
        case .notAStore:
            "this is neither an SQLite nor an XML nor a binary store, whatever its name says; check that it is the "
                + "right file"
        case .changed: "another process wrote to the store meanwhile; close the app or tool that uses it and try again"
        case .corrupt(let reason):
            "the database is damaged (\(reason)); restore a backup, or salvage it with sqlite3's .recover"
        case .locked:
            "the store is locked by another process; close the app or tool that uses it and try again"
                + (FileSystem.networkFileSystem(path).map {
                    " (it is on a network file system, \($0): where nothing uses it, the server does not answer for "
                        + "its locks; work on a copy on a local disk)"
                } ?? "")
        case .locksUnavailable(let error):
            "its file system does not support the locks or the shared memory that SQLite needs, as some network "
                + "file systems do not (\(error)); close all programs that use the store, and work on a copy on a local disk"
        case .noSpace(let needed, let free):
            Self.noSpace(needed: needed, free: free)
        case .importInterrupted:
            "an import into the store was interrupted; complete it with ferry import --commit batch --resume, or give it "
                + "up with ferry import --abandon: what it has committed stays"
        case .busyStaging: "another run of ferry is writing this; wait until it ends, and try again"
        case .fileSizeLimit:
            "a file would exceed the size that this process may write; raise the limit (ulimit -f) and try again"
        case .readOnly:
            "the store is read-only: its permissions, those of its folder, or its file system forbid writing; "
                + "change them, or write a new store elsewhere"
        case .exists: "it exists already; remove it or choose another path"
        case .sameStore: "this is the store itself; choose another path"
        case .sharedExternalData(let folder):
            "its external data would be in \(folder), which is the old store's; choose a name that differs in more "
                + "than the extension, or another folder"
        case .file(let error) where error.isCancelled: "cancelled; nothing has changed"
        case .file(let error): error.description
        case .cannotOpen(let error):
            "SQLite cannot open the database, or the files next to it that it needs ("
                + (FileSystem.obstacle(to: path).map { "\($0)" } ?? "\(error)")
                + "); change that, or work on a copy in a folder that you may write to"
        case .database(let error): error.isInterrupted ? "cancelled; nothing has changed" : error.description
        case .tooManyColumns(let table, let count, let maximum):
            "the table \(table) would need \(count) columns, and this SQLite allows \(maximum); split the entity"
        case .noHistory: "the store keeps no persistent history (it has no table ATRANSACTION)"
        case .historyExpired(let token):
            "the history after the token \(token) has been pruned (134301); read all that is there, without a token"
        case .historyOfAnotherStore(let token):
            "the token \(token) is not of this store, or of a later state of it; read all that is there, without a token"
        case .historyMirrored:
            "the store is mirrored with CloudKit, which exports what its history says: what is pruned before is never "
                + "exported; use --force to prune all the same"
        case .noEntity(let name): "the store has no entity \(name); \"ferry inspect\" lists those that it has"
        case .sharedTable(let table, let entities):
            "the entities \(entities.joined(separator: " and ")) would have one table, \(table); give them names that "
                + "differ in more than case"
        }
    }

    private static func noSpace(needed: Int64?, free: Int64?) -> String {
        let found = free.map { "\(Quantity.bytes($0)) are free" }
        if let needed {
            return "no space is left on the device; \(Quantity.bytes(needed)) are needed"
                + (found.map { ", and \($0)" } ?? "") + "; free some and try again"
        }
        let folder = TemporaryFolder.place
        let temporary = FileSystem.freeSpace(folder).map { ", where \(Quantity.bytes($0)) are free" } ?? ""
        return "no space is left on its device\(found.map { ", where \($0)" } ?? ""), or in the folder for temporary "
            + "files, \(folder)\(temporary) (TMPDIR names another one); free some and try again"
    }
}

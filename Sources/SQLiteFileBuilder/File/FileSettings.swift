public import SQLiteAccess

/// The settings of a database file that its header records ("Database File Format", section 1.3).
public struct FileSettings: Sendable, Equatable {
    /// Whether and when unused pages are removed from the file: SQLite's `auto_vacuum`.
    public enum Vacuum: Int, Sendable {
        /// Unused pages stay in the file and are used again.
        case none = 0
        /// Each transaction removes unused pages.
        case full = 1
        /// Unused pages are removed on `PRAGMA incremental_vacuum`.
        case incremental = 2
    }

    /// The page size in bytes: a power of two from 512 to 65536.
    public var pageSize = 4096
    /// Whether and when unused pages are removed; in Core Data's stores, on request.
    public var vacuum = Vacuum.incremental
    /// The encoding of all texts.
    public var encoding = DatabaseFile.TextEncoding.utf8
    /// A number for the application's use (`PRAGMA user_version`).
    public var userVersion: Int32 = 0
    /// A number that identifies the application that owns the file (`PRAGMA application_id`).
    public var applicationID: Int32 = 0
    /// The number of changes to the schema; 1 or more.
    public var schemaCookie: UInt32 = 1
    /// The number of changes to the file; 1 or more. Connections use it to notice that the file has changed.
    public var changeCounter: UInt32 = 1
    /// The version number of SQLite, such as 3_045_001 for 3.45.1.
    public var libraryVersion: UInt32 = 3_040_000

    /// Creates the settings of a new file in UTF-8, with pages of 4096 bytes that are removed on request.
    public init() {}
}

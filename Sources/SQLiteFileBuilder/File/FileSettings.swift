/// The settings of a database file that its header records ("Database File Format", section 1.3).
public struct FileSettings: Sendable, Equatable {
    /// Whether the file gives pages back that are not used any more: SQLite's `auto_vacuum`.
    public enum Vacuum: Int, Sendable {
        /// Pages are kept and used again.
        case none = 0
        /// Each transaction gives its pages back.
        case full = 1
        /// Pages are given back when `PRAGMA incremental_vacuum` asks for it.
        case incremental = 2
    }

    /// Bytes: a power of two from 512 to 65536.
    public var pageSize = 4096
    /// Whether pages are given back; Core Data's stores do it on request.
    public var vacuum = Vacuum.incremental
    /// The number that is the application's to use (`PRAGMA user_version`).
    public var userVersion: Int32 = 0
    /// The number by which an application marks its files (`PRAGMA application_id`).
    public var applicationID: Int32 = 0
    /// Changes of the schema so far, 1 or more.
    public var schemaCookie: UInt32 = 1
    /// Changes of the file so far, 1 or more: a connection on the file notices by it that others changed it.
    public var changeCounter: UInt32 = 1
    /// SQLite's version as a number, 3_045_001 for 3.45.1.
    public var libraryVersion: UInt32 = 3_040_000

    /// The settings of a new file: pages of 4096 bytes, given back on request.
    public init() {}
}

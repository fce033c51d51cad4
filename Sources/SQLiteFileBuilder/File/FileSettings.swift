/// The settings of a database file that its header records ("Database File Format", section 1.3).
public struct FileSettings: Sendable, Equatable {
    public enum Vacuum: Int, Sendable {
        case none = 0
        case full = 1
        case incremental = 2
    }

    /// Bytes: a power of two from 512 to 65536.
    public var pageSize = 4096
    public var vacuum = Vacuum.incremental
    public var userVersion: Int32 = 0
    public var applicationID: Int32 = 0
    /// Changes of the schema so far, 1 or more.
    public var schemaCookie: UInt32 = 1
    /// Changes of the file so far, 1 or more: a connection on the file notices by it that others changed it.
    public var changeCounter: UInt32 = 1
    /// SQLite's version as a number, 3_045_001 for 3.45.1.
    public var libraryVersion: UInt32 = 3_040_000

    public init() {}
}

/// The state of a database file and the files beside it, read without opening a connection.
public struct DatabaseFile: Sendable {
    /// The encoding of all text in the file.
    public enum TextEncoding: UInt32, Sendable {
        /// UTF-8.
        case utf8 = 1
        /// UTF-16, little-endian.
        case utf16LittleEndian = 2
        /// UTF-16, big-endian.
        case utf16BigEndian = 3
    }

    /// The path of the main file as given by the caller.
    public let path: String
    /// The size of the main file, in bytes.
    public let size: Int64
    /// The size of the `-wal` beside it, in bytes; nil if there is none.
    public let writeAheadLogSize: Int64?
    /// The size of the `-shm` beside it, in bytes; nil if there is none.
    public let sharedMemorySize: Int64?
    /// The size of the `-journal` beside it, in bytes; nil if there is none.
    public let journalSize: Int64?
    /// Whether the journal must be rolled back before the file is read, because its writer died during a transaction.
    public let hasHotJournal: Bool

    private let header: DatabaseHeader?

    /// Reads the header of a database file, and checks the files beside it.
    /// - Throws: `SQLiteError` "cannot open" for a missing file, a directory, or a file that may not be read; never
    ///   because of the content.
    public init(path: String) throws(SQLiteError) {
        let location = try DatabaseLocation(path: path, mustExist: true)
        let file = try DatabaseFileHandle(location)
        self.path = path
        size = location.size ?? 0
        header = try DatabaseHeader(file)
        writeAheadLogSize = try SystemFile.size(of: location.writeAheadLog, for: path)
        sharedMemorySize = try SystemFile.size(of: location.sharedMemory, for: path)
        journalSize = try SystemFile.size(of: location.journal, for: path)
        hasHotJournal = try location.hasHotJournal(file)
    }

    /// Whether the file begins as every SQLite database does. An empty file does not, although SQLite accepts it.
    public var isSQLite: Bool { header != nil }

    /// Whether the file is empty: a database without tables.
    public var isEmpty: Bool { size == 0 }

    /// The size of a page in bytes, 512 to 65536 in a sound file; nil if it is not a database.
    public var pageSize: Int? { header?.pageSize }

    /// Whether changes are first written to a `-wal`.
    public var usesWriteAheadLog: Bool { header?.usesWriteAheadLog ?? false }

    /// The number of pages in the header; nil if it has none (SQLite before 3.7 did not write it).
    public var pageCount: Int? {
        guard let header, header.pageCount > 0, header.changeCounter == header.versionValidFor else { return nil }
        return Int(header.pageCount)
    }

    /// Whether the file ends before its last page, and there is neither a log nor a journal that could have it.
    public var isTruncated: Bool {
        guard let pageCount, let pageSize, !hasHotJournal else { return false }
        guard (writeAheadLogSize ?? 0) <= WriteAheadLogHeader.size else { return false }
        return size < Int64(pageCount) * Int64(pageSize)
    }

    /// The encoding of all text; nil if the header names none.
    public var textEncoding: TextEncoding? { header.flatMap { TextEncoding(rawValue: $0.textEncoding) } }

    /// The schema format, 1 to 4; nil if the file is not a database.
    public var schemaFormat: Int? { header.map { Int($0.schemaFormat) } }

    /// The value of `PRAGMA auto_vacuum`: 0 none, 1 full, 2 incremental; nil if the file is not a database.
    public var autoVacuum: Int? {
        header.map { $0.largestRootPage == 0 ? 0 : $0.isIncrementalVacuum ? 2 : 1 }
    }

    /// The number by which an application marks its files; nil if it is not a database.
    public var applicationID: Int32? { header?.applicationID }

    /// The number for the application's own use; nil if the file is not a database.
    public var userVersion: Int32? { header?.userVersion }
}

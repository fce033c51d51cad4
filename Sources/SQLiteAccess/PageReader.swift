internal import CSQLite

/// Reads the pages of a connection's database in the state of its transaction, below SQLite's pager.
///
/// The connection must hold a read transaction, without uncommitted changes, while pages are read, and must not be used
/// otherwise meanwhile. Pages are read through the connection's own file: closing another descriptor of that file would
/// drop the locks that this process holds on it. Pages in the write-ahead log replace those in the file.
@safe
public final class PageReader {
    /// The path of the file as given by the caller.
    public let path: String
    /// The size of a page in bytes, a power of two from 512 to 65536.
    public let pageSize: Int
    /// The number of bytes of a page that hold content: the rest is reserved for extensions.
    public let usableSize: Int
    /// The number of pages in the database; page numbers begin at 1.
    public let pageCount: UInt32
    /// The first page of the freelist; 0 if it is empty.
    public let firstFreePage: UInt32
    /// The number of pages on the freelist, according to the header.
    public let freePageCount: UInt32
    /// The highest page that is the root of a B-tree, according to the header; 0 for a file without auto-vacuum.
    public let largestRoot: UInt32
    /// Whether pages are released only on request.
    public let vacuumsIncrementally: Bool

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafePointer<sqlite3_io_methods>
    private let log: LogFrames?
    /// The file, if this reader has opened it.
    private let opened: DatabaseFileHandle?

    /// Whether pages are read from the write-ahead log. They may include commits since the transaction began.
    public var hasLog: Bool { log != nil }

    /// Opens the pages of a database of a connection, and reads their header.
    /// - Parameters:
    ///   - connection: a connection in a read transaction, without uncommitted changes.
    ///   - schema: `main`, or the name of an attached database.
    ///   - attached: the file of the attached database; nil for the connection's own.
    /// - Throws: `SQLiteError`: "not a database" if the header is not that of a database, "malformed" if it is
    ///   inconsistent, and read errors.
    public init(
        _ connection: Connection, schema: String = "main", path attached: String? = nil
    ) throws(SQLiteError) {
        let path = attached ?? connection.path
        self.path = path
        // Makes the transaction read, if it has only just begun.
        _ = try connection.value("SELECT count(*) FROM \(SQLiteIdentifier.quoted(schema)).sqlite_schema")
        let handle = unsafe try connection.open()
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &pointer) {
            unsafe sqlite3_file_control(handle, schema, SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard code == SQLITE_OK, let file = unsafe pointer, let methods = unsafe file.pointee.pMethods else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "the database has no file", path: path)
        }
        unsafe self.file = file
        unsafe self.methods = methods
        var header = [UInt8](repeating: 0, count: 100)
        unsafe try Self.read(file, methods, into: &header, at: 0, path: path)
        func number(_ offset: Int) -> UInt32 { header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let usesLog = header[18] == 2 || header[19] == 2
        let log = usesLog ? try LogFrames(DatabaseLocation(path: path, mustExist: true)) : nil
        let size = Int(header[16]) << 8 | Int(header[17])
        // If the first page is only in the log, the file of the database is empty.
        pageSize = log?.pageSize ?? (size == 1 ? 65536 : size)
        guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "the page size is \(pageSize)", path: path)
        }
        var first = [UInt8](repeating: 0, count: pageSize)
        if try log?.read(1, into: &first) != true {
            unsafe try Self.read(file, methods, into: &first, at: 0, path: path)
        }
        header = Array(first[0..<100])
        guard header.starts(with: "SQLite format 3\0".utf8) else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "file is not a database", path: path)
        }
        usableSize = pageSize - Int(header[20])
        guard usableSize >= 480 else {
            throw SQLiteError(
                code: SQLITE_CORRUPT, message: "\(header[20]) bytes of each page are reserved", path: path)
        }
        var bytes: Int64 = 0
        let sizeCode = unsafe methods.pointee.xFileSize(file, &bytes)
        guard sizeCode == SQLITE_OK else { throw connection.failure(sizeCode) }
        // The count in the header is only valid if the same writer set the change counter.
        let counted = number(28) > 0 && number(24) == number(92) ? number(28) : 0
        // As in SQLite, what is left of the last page is a page.
        let stored = UInt32(clamping: (bytes + Int64(pageSize) - 1) / Int64(pageSize))
        pageCount = log?.pageCount ?? (counted > 0 ? counted : stored)
        guard pageCount <= max(stored, log?.lastPage ?? 0) else {
            throw SQLiteError(
                code: SQLITE_CORRUPT, message: "the database has \(pageCount) pages, its file \(stored)",
                path: path)
        }
        firstFreePage = number(32)
        freePageCount = number(36)
        largestRoot = number(52)
        vacuumsIncrementally = number(64) != 0
        self.log = log
        opened = nil
    }

    /// Returns a reader of the same pages that another thread can use at the same time; nil if the file cannot be
    /// opened once more, or has been replaced.
    ///
    /// Its file has no locks: it may only be used while the transaction of the first reader lasts.
    public func another() -> PageReader? { try? PageReader(copying: self) }

    private init(copying other: PageReader) throws(SQLiteError) {
        let opened = try DatabaseFileHandle(DatabaseLocation(path: other.path, mustExist: true))
        var (header, found) = ([UInt8](repeating: 0, count: 100), [UInt8](repeating: 0, count: 100))
        unsafe try Self.read(other.file, other.methods, into: &header, at: 0, path: other.path)
        unsafe try Self.read(opened.file, opened.methods, into: &found, at: 0, path: other.path)
        guard header == found else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file has been replaced", path: other.path)
        }
        self.opened = opened
        unsafe file = opened.file
        unsafe methods = opened.methods
        log = other.log
        path = other.path
        pageSize = other.pageSize
        usableSize = other.usableSize
        pageCount = other.pageCount
        firstFreePage = other.firstFreePage
        freePageCount = other.freePageCount
        largestRoot = other.largestRoot
        vacuumsIncrementally = other.vacuumsIncrementally
    }

    /// Fills a buffer of `pageSize` bytes with a page; bytes after the end of the file are zero.
    ///
    /// - Parameters:
    ///   - number: the page number, 1 to `pageCount`.
    ///   - bytes: the buffer, which is resized to a page if necessary.
    /// - Throws: `SQLiteError` if the file or the write-ahead log cannot be read.
    public func read(_ number: UInt32, into bytes: inout [UInt8]) throws(SQLiteError) {
        if try log?.read(number, into: &bytes) == true { return }
        unsafe try Self.read(file, methods, into: &bytes, at: Int64(number - 1) * Int64(pageSize), path: path)
    }

    /// Fills a buffer with consecutive pages, or with the first bytes of a page; only without a write-ahead log.
    ///
    /// - Parameters:
    ///   - first: the number of the first page; all numbers must be from 1 to `pageCount`.
    ///   - bytes: the buffer, whose size determines how much is read.
    /// - Throws: `SQLiteError` if the file cannot be read.
    public func read(from first: UInt32, into bytes: inout [UInt8]) throws(SQLiteError) {
        precondition(log == nil, "the pages of a log are read one by one")
        unsafe try Self.read(file, methods, into: &bytes, at: Int64(first - 1) * Int64(pageSize), path: path)
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>,
        into bytes: inout [UInt8], at offset: Int64, path: String
    ) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeMutableBytes {
            unsafe methods.pointee.xRead(file, $0.baseAddress, Int32(clamping: $0.count), offset)
        }
        guard code != SQLITE_OK, code != ExtendedCode.shortRead else { return }
        let words = unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) }
        throw SQLiteError(code: code, message: words ?? "unknown error", path: path)
    }
}

@available(*, unavailable)
extension PageReader: Sendable {}

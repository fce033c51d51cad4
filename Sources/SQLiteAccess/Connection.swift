internal import CSQLite

/// A connection to a database, confined to one thread at a time: it is opened without a mutex.
///
/// Schemas are not trusted (functions of the application cannot run from views, triggers or defaults), extensions
/// cannot be loaded, and a misspelled name in double quotes is an error, not a string. Close a read-only connection
/// before the process writes to its file: both would share an index of the log that cannot be written, and writing
/// would fail with "read-only".
@safe
public final class Connection {
    /// The path of the database file as given by the caller.
    public let path: String

    /// The path that errors show: that of the database file, unless it stands in for another file.
    public let shownPath: String

    /// nil after `close()`; statements keep the handle open, since `close()` fails if one is left.
    private(set) var handle: OpaquePointer?

    var progressHandler: ProgressHandler?

    /// Referenced by SQLite while the connection is open.
    var changedRows: ChangedRows?

    /// How long a statement waits for the locks of other connections, in milliseconds.
    var busyTimeout: Int32

    /// Opens a database file, or an in-memory database for `:memory:`.
    ///
    /// With read-only access the file is read immediately, so that its errors are reported here; otherwise it is read
    /// by the first statement.
    /// - Parameters:
    ///   - path: the path of the file, or `:memory:`.
    ///   - access: whether the file is only read, can be changed, or is created.
    ///   - milliseconds: how long a statement waits for the locks of other connections; with 0, it fails immediately.
    ///   - shownPath: the path that errors show; nil for that of the file.
    /// - Throws: `SQLiteError`: "cannot open" for a file that is missing, not permitted or not a regular file; "not a
    ///   database"; "busy".
    public init(
        path: String, access: Access, busyTimeout milliseconds: Int32 = 0, shownAs shownPath: String? = nil
    ) throws(SQLiteError) {
        self.path = path
        let shownPath = shownPath ?? path
        self.shownPath = shownPath
        busyTimeout = milliseconds
        let location = try DatabaseLocation(path: path, mustExist: access == .readOnly || access == .readWrite)
        switch access {
        case .readWrite, .create, .createWithoutLocks:
            if access != .createWithoutLocks { try location.checkJournal() }
            unsafe handle = try Self.opened(location.uri(access.parameters), of: shownPath, milliseconds)
        case .readOnly:
            var opened: OpaquePointer?
            try ReadOnlyRoute.open(location, busyTimeout: milliseconds) { uri throws(SQLiteError) in
                let candidate = unsafe try Self.opened(uri, of: shownPath, milliseconds)
                do throws(SQLiteError) {
                    unsafe try Self.readHeader(candidate, schema: "main", path: shownPath)
                    unsafe opened = candidate
                } catch {
                    unsafe sqlite3_close_v2(candidate)
                    throw error
                }
            }
            unsafe handle = opened
            setCheckpointOnClose(false)
        }
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Closes the file. Later calls throw "misuse"; a second `close()` does nothing.
    /// - Throws: `SQLiteError` "busy" if a statement is left; the connection then stays open.
    public func close() throws(SQLiteError) {
        guard let open = unsafe handle else { return }
        let code = unsafe sqlite3_close(open)
        guard code == SQLITE_OK else { throw failure(code) }
        unsafe handle = nil
    }

    /// Returns the handle; throws "misuse" after `close()`.
    func open() throws(SQLiteError) -> OpaquePointer {
        guard let open = unsafe handle else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed", path: shownPath)
        }
        return unsafe open
    }

    func failure(_ code: Int32, sql: String? = nil) -> SQLiteError {
        unsafe Self.failure(code, handle, sql: sql, path: shownPath)
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

internal import CSQLite

/// A connection to a database, confined to one thread at a time: it is opened without a mutex.
///
/// Schemas are not trusted (functions of the application cannot run from views, triggers or defaults), extensions
/// cannot be loaded, and a misspelt name in double quotes is an error, not a string. Close a read-only connection
/// before the process writes to its file: the two would share an index of the log that cannot be written, and writing
/// fails with "read-only".
@safe
public final class Connection {
    /// The database file as the caller named it.
    public let path: String

    /// What errors call the database file: its path, unless it stands for another file.
    public let shownPath: String

    /// nil after `close()`; statements keep it open, since an open statement makes `close()` fail.
    private(set) var handle: OpaquePointer?

    var progressHandler: ProgressHandler?

    /// SQLite points at it while the connection is open.
    var changedRows: ChangedRows?

    /// How long a statement waits for the locks of other connections, in milliseconds.
    var busyTimeout: Int32

    /// Opens a database file, or memory for `:memory:`.
    ///
    /// Read-only access reads at once, so that errors of the file show here; the others read at the first statement.
    /// - Parameters:
    ///   - path: the path of the file, or `:memory:`.
    ///   - access: whether the file is only read, changed, or made.
    ///   - milliseconds: how long a statement waits for the locks of other connections; 0 fails at once.
    ///   - shownPath: what errors call the file; nil for its path.
    /// - Throws: `SQLiteError`: "cannot open" for what is missing, forbidden or no regular file; "not a database";
    ///   "busy".
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
    /// - Throws: `SQLiteError` "busy" while a statement is left; the connection stays open.
    public func close() throws(SQLiteError) {
        guard let open = unsafe handle else { return }
        let code = unsafe sqlite3_close(open)
        guard code == SQLITE_OK else { throw failure(code) }
        unsafe handle = nil
    }

    /// The handle, or "misuse" after `close()`.
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

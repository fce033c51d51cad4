internal import CSQLite
internal import Synchronization

/// Traces the statements that connections of the process run.
public enum StatementTrace {
    /// The level of detail.
    public enum Level: Int, Sendable, CaseIterable, Comparable {
        /// Each statement when it begins, with `?` for values and constants.
        case statements = 1
        /// Also the duration and the number of rows of each statement.
        case times
        /// Also the constants in the text, and the bound values.
        case values

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Settings: Sendable {
        let level: Level
        let longestText: Int
        /// The only database whose connections are traced; nil for all.
        let path: String?
        let write: @Sendable (String) -> Void
    }

    private static let settings = Mutex<Settings?>(nil)
    /// The number of rows returned by running statements, by statement.
    private static let rows = Mutex<[UInt: Int]>([:])

    /// Starts tracing for connections that are opened from here on.
    ///
    /// - Parameters:
    ///   - level: the level of detail.
    ///   - longestText: the maximum size of a statement in bytes; longer ones are truncated.
    ///   - write: receives lines, from any thread; it must not use a connection.
    public static func start(
        _ level: Level, longestText: Int = 16 << 10, _ write: @escaping @Sendable (String) -> Void
    ) {
        start(level, longestText: longestText, of: nil, write)
    }

    /// - Parameter path: the only database whose connections are traced; used by tests.
    static func start(
        _ level: Level, longestText: Int, of path: String?, _ write: @escaping @Sendable (String) -> Void
    ) {
        settings.withLock { $0 = Settings(level: level, longestText: longestText, path: path, write: write) }
    }

    /// Stops tracing.
    public static func stop() { settings.withLock { $0 = nil } }

    static func install(on handle: OpaquePointer, of path: String) {
        guard let settings = settings.withLock({ $0 }), settings.path.map({ $0 == path }) ?? true else { return }
        let level = settings.level
        let events = level >= .times ? SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW : SQLITE_TRACE_STMT
        unsafe sqlite3_trace_v2(
            handle, UInt32(events),
            { event, _, statement, detail in
                if let statement = unsafe statement {
                    unsafe StatementTrace.note(Int32(bitPattern: event), statement, detail)
                }
                return 0
            }, nil)
    }

    private static func note(
        _ event: Int32, _ statement: UnsafeMutableRawPointer, _ detail: UnsafeMutableRawPointer?
    ) {
        guard let settings = settings.withLock({ $0 }) else { return }
        let key = UInt(bitPattern: statement)
        switch event {
        case SQLITE_TRACE_ROW: rows.withLock { $0[key, default: 0] += 1 }
        case SQLITE_TRACE_PROFILE:
            let nanoseconds = unsafe detail?.load(as: Int64.self) ?? 0
            let count = rows.withLock { $0.removeValue(forKey: key) } ?? 0
            settings.write("sql: \(milliseconds(nanoseconds)) ms, \(count) \(count == 1 ? "row" : "rows")")
        default:
            guard let text = unsafe detail?.assumingMemoryBound(to: CChar.self) else { return }
            var sql = unsafe String(cString: text)
            // A trigger is reported as a comment with its name; its statements have no texts.
            let isTrigger = sql.hasPrefix("--")
            if settings.level < .values {
                sql = SQLConstants.hidden(in: sql)
            } else if !isTrigger, let expanded = unsafe sqlite3_expanded_sql(OpaquePointer(statement)) {
                sql = unsafe String(cString: expanded)
                unsafe sqlite3_free(expanded)
            }
            settings.write("sql: \(isTrigger ? sql : shortened(sql, to: settings.longestText))")
        }
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let hundredths = nanoseconds / 10_000
        let rest = "\(hundredths % 100)"
        return "\(hundredths / 100).\(rest.count < 2 ? "0" + rest : rest)"
    }

    /// Returns the beginning of a text, with the size of the rest.
    static func shortened(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            text.utf8.formIndex(before: &end)
        }
        return "\(text[..<end])… (\(text.utf8[end...].count) more bytes)"
    }
}

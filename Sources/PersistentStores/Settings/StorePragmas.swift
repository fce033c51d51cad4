public import SQLiteAccess

/// Settings for a SQLite store: validated pragmas with their values.
public struct StorePragmas: Sendable, Equatable {
    private var values: [StorePragma: String] = [:]

    /// Makes settings without values: a store keeps its own.
    public init() {}

    /// Checks pragmas with their values.
    /// - Parameter pairs: names and values in SQLite's form; of several with the same name the last is used.
    /// - Throws: `StorePragmaError` for a setting that is not offered, or a value that is not allowed.
    public init(_ pairs: [(name: String, value: String)]) throws(StorePragmaError) {
        for (name, value) in pairs {
            guard let pragma = StorePragma(rawValue: name) else { throw StorePragmaError(.unknown(name)) }
            guard pragma.accepts(value) else { throw StorePragmaError(.badValue(pragma, value)) }
            values[pragma] = value.lowercased()
        }
    }

    /// Whether no setting has a value.
    public var isEmpty: Bool { values.isEmpty }

    /// Returns the same settings, with a value for a setting that has none.
    public func with(_ pragma: StorePragma, ifAbsent value: String) -> StorePragmas {
        var result = self
        result.values[pragma] = values[pragma] ?? value
        return result
    }

    /// The value of a setting, in lower case; nil if it has none.
    public subscript(pragma: StorePragma) -> String? { values[pragma] }

    /// Returns the journal mode for a store that is new, or that had a write-ahead log or not.
    public func journalMode(isLogged: Bool) -> String { values[.journalMode] ?? (isLogged ? "wal" : "delete") }

    // MARK: A file that no one else sees

    /// Sets a complete file's page size and vacuum mode, if they differ, and finally its journal mode.
    ///
    /// A different page size rewrites the whole file. Call it outside a transaction.
    /// - Parameters:
    ///   - connection: a connection to the file, without a transaction.
    ///   - wasLogged: whether the store that the file is made from has a write-ahead log; nil to ask the file.
    /// - Throws: `SQLiteError` if the file cannot be written.
    public func applyToFile(_ connection: Connection, wasLogged: Bool? = nil) throws(SQLiteError) {
        let isLogged = try connection.value("PRAGMA main.journal_mode").string?.lowercased() == "wal"
        // With a log, the page size cannot be changed.
        if isLogged { _ = try connection.value("PRAGMA main.journal_mode = DELETE") }
        try applyFormat(connection)
        _ = try connection.value("PRAGMA main.journal_mode = \(journalMode(isLogged: wasLogged ?? isLogged))")
    }

    private func applyFormat(_ connection: Connection) throws(SQLiteError) {
        var isChanged = false
        for pragma in [StorePragma.pageSize, .autoVacuum] {
            guard let value = values[pragma] else { continue }
            let found = try connection.value("PRAGMA main.\(pragma.rawValue)").integer
            guard found != pragma.number(of: value) else { continue }
            try connection.execute("PRAGMA main.\(pragma.rawValue) = \(value)")
            isChanged = true
        }
        if isChanged { try connection.execute("VACUUM main") }
    }

    // MARK: A store that is there

    /// Refuses settings that cannot be changed in an existing store, or that would let a power failure damage it.
    /// - Throws: `StorePragmaError` for the first setting that is refused.
    public func checkForChange() throws(StorePragmaError) {
        for pragma in [StorePragma.pageSize, .autoVacuum] where values[pragma] != nil {
            throw StorePragmaError(.onlyNew(pragma))
        }
        if let value = values[.synchronous], !["full", "extra", "2", "3"].contains(value) {
            throw StorePragmaError(.weaker(.synchronous, value))
        }
    }

    /// Sets how a connection writes to an existing store; call it before the transaction.
    /// - Throws: `SQLiteError` if the connection is closed.
    public func applyToConnection(_ connection: Connection) throws(SQLiteError) {
        for pragma in [StorePragma.synchronous, .fullfsync, .checkpointFullfsync] {
            guard let value = values[pragma] else { continue }
            try connection.execute("PRAGMA \(pragma.isOfEachDatabase ? "main." : "")\(pragma.rawValue) = \(value)")
        }
    }

    /// Changes the journal mode of an existing store; call it after the transaction, which a failure does not undo.
    /// - Returns: why the mode is unchanged, usually because another process has the store open; nil if it is as
    ///   requested.
    public func applyJournalMode(_ connection: Connection) -> String? {
        guard let mode = values[.journalMode] else { return nil }
        do throws(SQLiteError) {
            let found = try connection.value("PRAGMA main.journal_mode = \(mode)").string?.lowercased()
            if found == mode { return nil }
        } catch {
            if !error.isBusy { return "the store keeps its journal mode: \(error)" }
        }
        return "the store keeps its journal mode, since another process has it open; close that, and set it again"
    }
}

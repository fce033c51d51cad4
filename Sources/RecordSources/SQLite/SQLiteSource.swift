internal import Glibc
internal import PersistentStores
internal import SQLiteAccess
import TextEncodings

/// The rows of a table, view or query of an SQLite database; the values keep their types.
///
/// The database is opened read-only, and no file is written beside it.
public struct SQLiteSource: RecordSource {
    /// The rows to read.
    public enum Selection: Equatable, Sendable {
        /// The rows of a table or view with this name.
        case relation(String)
        /// The rows of a single read-only statement.
        case query(String)
    }

    /// The path of the database.
    public let name: String
    /// The columns with their declared types; columns of a query have no types.
    public let columns: [SourceColumn]
    /// The bytes that surround rejected records; empty, because they are written as a database.
    public let wrapping: RecordWrapping

    private let statement: Statement
    private let limits: RecordLimits
    private var position = RecordPosition(byteOffset: 0, line: 1, record: 0)
    private var recordsToSkip: Int
    private var isFinished = false

    /// Opens a database. If a position from an earlier run is given, reading continues there: the rows before it are
    /// skipped.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - selection: the table, the view or the query.
    ///   - limits: the limits of a record; larger rows are rejected.
    ///   - position: the position at which an earlier run stopped; nil to begin with the first row.
    /// - Throws: `SQLiteError` if the database cannot be read, or if the query is not a single statement; `SourceError`
    ///   if there is no such table or view, or if the query is not read-only.
    public init(
        path: String, selection: Selection, limits: RecordLimits = RecordLimits(), from position: RecordPosition? = nil
    ) throws {
        try self.init(Self.connection(to: path), path: path, selection: selection, limits: limits, from: position)
    }

    /// Reads through a connection that several sources use one after the other.
    init(
        _ connection: Connection, path: String, selection: Selection, limits: RecordLimits = RecordLimits(),
        from position: RecordPosition? = nil
    ) throws {
        switch selection {
        case .relation(let name):
            guard let relation = try SQLiteSchema.relation(named: name, connection) else {
                let known = try SQLiteSchema.names(connection).map(\.name)
                throw SourceError(.noRelation(name, known: known), in: path)
            }
            try self.init(connection, path: path, relation: relation, limits: limits, from: position)
        case .query(let query):
            if let rejected = try SQLiteSchema.relation(ofQuery: query, connection) {
                try self.init(connection, path: path, relation: rejected, limits: limits, from: position)
                return
            }
            let prepared = try connection.prepare(query, persistent: true)
            guard prepared.isReadOnly, prepared.columnCount > 0, prepared.parameterCount == 0 else {
                throw SourceError(.database("the query must only read, and have no parameters"), in: path)
            }
            self.init(
                prepared, path: path,
                columns: (0..<prepared.columnCount).map { SourceColumn(name: prepared.columnName($0)) }, limits: limits,
                from: position)
        }
    }

    /// Reads a table or view through a connection that several sources use.
    init(
        _ connection: Connection, path: String, relation: SQLiteRelation, limits: RecordLimits = RecordLimits(),
        from position: RecordPosition? = nil
    ) throws {
        let list = relation.columns.map { SQLiteIdentifier.quoted($0.name) }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(list) FROM \(SQLiteIdentifier.quoted(relation.name))", persistent: true)
        self.init(
            statement, path: path,
            columns: relation.columns.map { SourceColumn(name: $0.name, declaredType: $0.declaredType) },
            limits: limits, from: position)
    }

    private init(
        _ statement: Statement, path: String, columns: [SourceColumn], limits: RecordLimits,
        from position: RecordPosition?
    ) {
        name = path
        self.limits = limits
        self.statement = statement
        self.columns = columns
        wrapping = RecordWrapping(fileExtension: "sqlite")
        recordsToSkip = position?.record ?? 0
    }

    /// Opens a database read-only.
    static func connection(to path: String) throws -> Connection {
        guard !StreamInput.isStream(path) else {
            throw SourceError(
                .database("a database cannot be read from standard input or a pipe; save it as a file"), in: path)
        }
        return try Connection(path: path, access: .readOnly, busyTimeout: LockTimeout.milliseconds)
    }

    /// Fills a batch with the next rows; returns false and an empty batch after the last row.
    /// - Throws: `SourceError` if the database has fewer rows than the position requires; `SQLiteError` if it cannot be
    ///   read.
    public mutating func next(into batch: inout RecordBatch) throws -> Bool {
        batch.removeAll()
        batch.start = position
        while !batch.isFull && !isFinished {
            guard try statement.step() else {
                isFinished = true
                break
            }
            position.record += 1
            position.line += 1
            if recordsToSkip > 0 {
                recordsToSkip -= 1
                batch.start = position
            } else {
                try readRow(into: &batch)
            }
        }
        batch.end = position
        if isFinished && recordsToSkip > 0 { throw SourceError(.positionBeyondEnd, in: name) }
        return batch.count > 0
    }

    /// Returns the kind of a text: a database has real NULLs, so a token that stands for NULL in files is an ordinary
    /// text here.
    private static func textKind(_ text: ArraySlice<UInt8>) -> RecordField.Kind {
        text.isEmpty || text.elementsEqual(commonNullToken) ? .quoted : .text
    }

    private static let commonNullToken = Array(RecordField.commonNullToken.utf8)

    private mutating func readRow(into batch: inout RecordBatch) throws {
        let arenaStart = batch.arena.count
        let firstField = batch.fieldCount
        var undecodable: Int?
        var byteCount = 0
        for column in 0..<Int32(columns.count) {
            let start = batch.arena.count
            switch statement.storageClass(column) {
            case .null:
                batch.appendField(.null)
            case .integer:
                batch.appendNumber(.integer, bits: UInt64(bitPattern: statement.integer(column)))
            case .real:
                batch.appendNumber(.real, bits: statement.real(column).bitPattern)
            case .text, .blob:
                let isText = statement.storageClass(column) == .text
                var isValid = true
                statement.withSpan(column) { bytes in
                    byteCount += bytes.count
                    guard byteCount <= limits.bytes else { return }
                    batch.arena.append(copying: bytes)
                    if isText { isValid = UTF8Validation.isValid(bytes) }
                }
                if !isValid { undecodable = undecodable ?? Int(column) }
                batch.appendField(
                    RecordField(
                        isText ? Self.textKind(batch.arena[start...]) : .blob, start: start,
                        length: batch.arena.count - start))
            }
        }
        guard byteCount <= limits.bytes else {
            batch.truncateArena(to: arenaStart)
            batch.fieldCount = firstField
            batch.appendLargeRecord(
                RecordProblem(tooLarge: byteCount, limit: limits.bytes, line: position.record), sourceRange: 0..<0)
            return
        }
        let record = batch.count
        batch.appendEntry(
            RecordEntry(
                firstField: firstField, fieldCount: columns.count, arenaStart: arenaStart, arenaLength: 0,
                line: position.record, sourceOffset: 0))
        if let undecodable {
            batch.reject(record, for: RecordProblem(.undecodable, offset: undecodable, line: position.record))
        }
    }
}

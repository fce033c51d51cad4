internal import Glibc
internal import PersistentStores
internal import SQLiteAccess
import TextEncodings

/// The rows of a table, view or query of a SQLite database, with the types that the values have there.
///
/// The database is opened read-only: nothing is written to it nor beside it.
public struct SQLiteSource: RecordSource {
    /// What is read.
    public enum Selection: Equatable, Sendable {
        /// A table or view by its name.
        case relation(String)
        /// One statement that only reads.
        case query(String)
    }

    public let name: String
    /// The columns with their declared types; those of a query have none.
    public let columns: [SourceColumn]
    public let wrapping: RecordWrapping

    private let statement: Statement
    private var position = RecordPosition(byteOffset: 0, line: 1, record: 0)
    private var recordsToSkip: Int
    private var isFinished = false

    /// No value of a source is larger: it could not be held twice in the memory of a run.
    static let largestValue = 128 << 20

    /// Opens a database; a position from an earlier run makes it go on there, by passing over the rows before.
    public init(path: String, selection: Selection, from position: RecordPosition? = nil) throws {
        guard path != "-" else { throw SourceError(.cannotOpen(systemError: ESPIPE), in: path) }
        name = path
        let connection = try Connection(path: path, access: .readOnly, busyTimeout: LockTimeout.milliseconds)
        switch selection {
        case .relation(let relation):
            let schema = try SQLiteSchema(connection)
            guard let found = schema.relations.first(where: { $0.name == relation }) else {
                let known = schema.relations.map(\.name).joined(separator: ", ")
                throw SourceError(.database("there is no table or view '\(relation)'; there are: \(known)"), in: path)
            }
            let list = found.columns.map { SQLiteIdentifier.quoted($0.name) }.joined(separator: ", ")
            statement = try connection.prepare(
                "SELECT \(list) FROM \(SQLiteIdentifier.quoted(relation))", persistent: true)
            columns = found.columns.map { SourceColumn(name: $0.name, declaredType: $0.declaredType) }
        case .query(let query):
            let prepared = try connection.prepare(query, persistent: true)
            guard prepared.isReadOnly, prepared.columnCount > 0, prepared.parameterCount == 0 else {
                throw SourceError(.database("the query must only read, and have no parameters"), in: path)
            }
            statement = prepared
            columns = (0..<prepared.columnCount).map { SourceColumn(name: prepared.columnName($0)) }
        }
        wrapping = RecordWrapping(fileExtension: "sqlite")
        recordsToSkip = position?.record ?? 0
    }

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

    private mutating func readRow(into batch: inout RecordBatch) throws {
        let arenaStart = batch.arena.count
        let firstField = batch.fieldCount
        var undecodable: Int?
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
                    guard bytes.count <= SQLiteSource.largestValue else { return }
                    batch.arena.append(copying: bytes)
                    if isText { isValid = UTF8Validation.isValid(bytes) }
                }
                if !isValid { undecodable = undecodable ?? Int(column) }
                batch.appendField(
                    RecordField(isText ? .text : .blob, start: start, length: batch.arena.count - start))
            }
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

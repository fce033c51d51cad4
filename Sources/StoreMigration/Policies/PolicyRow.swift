import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// A row that policies read: the current row of a statement, or a row that was read ahead.
final class PolicyRow {
    /// The statement with the row. If the row was read ahead, the statement only converts values.
    private let statement: Statement
    /// The rows that were read ahead; nil if the statement has the row.
    let ahead: RecordBlock?

    /// The SQL of the statement if rows are read ahead.
    static let conversion = "SELECT ?1"

    init(_ statement: Statement, ahead: RecordBlock? = nil) {
        self.statement = statement
        self.ahead = ahead
    }

    /// Moves to the row that the statement finds by a key.
    func lookUp(_ key: Int64) throws(SQLiteError) {
        statement.reset()
        try statement.bindInteger(key, at: 1)
        _ = try statement.step()
    }

    /// Releases the statement's row.
    func leave() { statement.reset() }

    func storageClass(_ column: Int32) -> StorageClass {
        guard let ahead else { return statement.storageClass(column) }
        return ahead.storageClass(Int(column))
    }

    func isNull(_ column: Int32) -> Bool { storageClass(column) == .null }

    func value(_ column: Int32) -> SQLiteValue {
        guard let ahead else { return statement.value(column) }
        return ahead.value(Int(column))
    }

    /// Returns an integer; other values are converted as by SQLite's CAST, here and in the following functions.
    func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        guard let ahead else { return statement.integer(column) }
        if ahead.storageClass(Int(column)) == .integer { return ahead.integer(Int(column)) }
        return try converted(column).integer(0)
    }

    func real(_ column: Int32) throws(SQLiteError) -> Double {
        guard let ahead else { return statement.real(column) }
        if ahead.storageClass(Int(column)) == .real { return ahead.real(Int(column)) }
        return try converted(column).real(0)
    }

    func string(_ column: Int32) throws(SQLiteError) -> String {
        guard let ahead else { return statement.string(column) }
        if let text = ahead.string(Int(column)) { return text }
        return try converted(column).string(0)
    }

    /// Returns a text; nil for all other values.
    @_optimize(speed)
    func text(_ column: Int32) -> String? {
        guard let ahead else { return statement.storageClass(column) == .text ? statement.string(column) : nil }
        return ahead.string(Int(column))
    }

    /// Returns a number; nil for all other values.
    @_optimize(speed)
    func number(_ column: Int32) -> Double? {
        switch storageClass(column) {
        case .integer, .real: ahead?.real(Int(column)) ?? statement.real(column)
        default: nil
        }
    }

    /// Returns the bytes of a text or a BLOB.
    func bytes(_ column: Int32) throws(SQLiteError) -> [UInt8] {
        guard let ahead else { return statement.withBytes(column) { Array($0) } }
        switch ahead.storageClass(Int(column)) {
        case .text, .blob: return ahead.bytes(Int(column))
        default: return try converted(column).withBytes(0) { Array($0) }
        }
    }

    /// Returns a value that is not NULL, according to the type of its attribute.
    func attributeValue(_ column: Int32, as type: AttributeType) throws(SQLiteError) -> AttributeValue {
        guard let ahead else { return statement.attributeValue(column, as: type) }
        // The same values as a statement would return.
        switch (type, ahead.storageClass(Int(column))) {
        case (.string, .text): return .string(ahead.string(Int(column)) ?? "")
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
            return .integer(ahead.integer(Int(column)))
        case (.boolean, .integer): return .boolean(ahead.integer(Int(column)) != 0)
        case (.double, .real), (.float, .real): return .real(ahead.real(Int(column)))
        case (.date, .real): return .date(ahead.real(Int(column)))
        default: return try converted(column).attributeValue(0, as: type)
        }
    }

    private func converted(_ column: Int32) throws(SQLiteError) -> Statement {
        statement.reset()
        try statement.bind(value(column), at: 1)
        _ = try statement.step()
        return statement
    }

    /// Appends a value of the statement's row to the current row of a table.
    func append(_ column: Int32, to table: TableBuilder) throws(BuildError) {
        try table.append(column, of: statement)
    }

    /// Binds a value to a parameter; the value is valid as long as the row is.
    func bind(_ column: Int32, to other: Statement, at parameter: Int32) throws(SQLiteError) {
        if ahead == nil {
            try other.bindColumn(borrowing: column, of: statement, at: parameter)
        } else {
            try other.bind(value(column), at: parameter)
        }
    }
}

extension RecordBlock: RowBuffer {}

public import SQLiteAccess

/// Encodes rows that are read from one table for another table. Values that are only copied go from record to record as
/// bytes; the values that SQL computes come from a statement that is at the same row.
///
/// Must only be used by one thread at a time.
public final class RecordCopy {
    /// Which rows are copied.
    public enum Rows {
        /// All rows.
        case all
        /// The rows that have one of the numbers in the column at a position.
        case having(Int, SmallNumbers)
        /// The rows that a statement selects, with their keys in its first column. Its parameters are the first and the
        /// last key.
        case selected(Statement)
    }

    @exclusivity(unchecked) private var records: TableRecords
    @exclusivity(unchecked) private var values: RecordValues
    private let rows: Rows
    /// The column of the numbers that rows must have, and the numbers; no numbers if rows need none.
    private let wantedColumn: Int
    private let wanted: SmallNumbers?
    private let keyOffset: Int64
    private let encoder: RowEncoder
    @exclusivity(unchecked) private var last = Int64.min

    /// Prepares to copy rows.
    /// - Parameters:
    ///   - records: the records of the table that is read.
    ///   - columns: the number of columns of that table.
    ///   - rows: which rows are copied.
    ///   - keyOffset: a number that is added to the ID of every row.
    ///   - encoder: the encoder of the table that is written.
    public init(_ records: consuming TableRecords, columns: Int, rows: Rows, keyOffset: Int64, encoder: RowEncoder) {
        self.records = records
        values = RecordValues(columns: columns)
        (self.rows, self.keyOffset, self.encoder) = (rows, keyOffset, encoder)
        if case .having(let column, let numbers) = rows {
            (wantedColumn, wanted) = (column, numbers)
        } else {
            (wantedColumn, wanted) = (0, nil)
        }
    }

    /// Begins with the first row whose ID is in a range.
    /// - Throws: `SQLiteError`, with the page number, if a page cannot be read or is damaged.
    public func begin(_ keys: ClosedRange<Int64>) throws(SQLiteError) {
        last = keys.upperBound
        try records.seek(to: keys.lowerBound)
        if case .selected(let statement) = rows {
            statement.reset()
            try statement.bindInteger(keys.lowerBound, at: 1)
            try statement.bindInteger(keys.upperBound, at: 2)
        }
    }

    /// Adds rows to a block until it has a number of rows or bytes; returns false if there are no more rows.
    /// - Throws: `SQLiteError` if a page cannot be read or is damaged, or if the statement fails; `BuildError` if a
    ///   value is missing or cannot be converted, or if a row is too large.
    public func fill(_ block: RowBlock, rows count: Int, bytes: Int) throws -> Bool {
        switch rows {
        case .all, .having:
            while block.count < count, block.size < bytes {
                guard let rowID = try records.next(), rowID <= last else { return false }
                try append(rowID, computed: nil, to: block)
            }
        case .selected(let statement):
            while block.count < count, block.size < bytes {
                guard try statement.step() else { return false }
                let wanted = statement.integer(0)
                var rowID = try records.next()
                while let other = rowID, other < wanted { rowID = try records.next() }
                guard let rowID, rowID == wanted else { throw records.damage() }
                try append(rowID, computed: statement, to: block)
            }
        }
        return true
    }

    @inline(__always)
    private func append(_ rowID: Int64, computed: Statement?, to block: RowBlock) throws {
        try records.withRecord { bytes in
            guard values.read(bytes) else { throw records.damage() }
            if let wanted {
                guard let number = values.integer(wantedColumn, of: bytes), wanted[number] != nil else { return }
            }
            let (key, overflow) = rowID.addingReportingOverflow(keyOffset)
            guard !overflow else { throw records.damage() }
            try encoder.append(key, from: rowID, values, of: bytes, computed: computed, to: block)
        }
    }
}

/// Encodes the rows that a statement selects.
///
/// Must only be used by one thread at a time.
public final class SelectionCopy {
    private let statement: Statement
    private let key: Int32
    private let keyOffset: Int64
    private let encoder: RowEncoder
    private let noValues = RecordValues(columns: 0)

    /// Prepares to copy rows.
    /// - Parameters:
    ///   - statement: a statement whose parameters are the first and the last key of the source.
    ///   - key: the column that has the ID of the new row, before the offset is added.
    ///   - keyOffset: a number that is added to every ID.
    ///   - encoder: an encoder whose columns are those of the statement.
    public init(_ statement: Statement, key: Int32, keyOffset: Int64, encoder: RowEncoder) {
        (self.statement, self.key, self.keyOffset, self.encoder) = (statement, key, keyOffset, encoder)
    }

    /// Begins with the first row whose key is in a range.
    /// - Throws: `SQLiteError` if the statement cannot be used.
    public func begin(_ keys: ClosedRange<Int64>) throws(SQLiteError) {
        statement.reset()
        try statement.bindInteger(keys.lowerBound, at: 1)
        try statement.bindInteger(keys.upperBound, at: 2)
    }

    /// Adds rows to a block until it has a number of rows or bytes; returns false if there are no more rows.
    /// - Throws: `SQLiteError` if the statement fails; `BuildError` if a value is missing or cannot be converted, or if
    ///   a row is too large.
    public func fill(_ block: RowBlock, rows count: Int, bytes: Int) throws -> Bool {
        let noBytes: [UInt8] = []
        while block.count < count, block.size < bytes {
            guard try statement.step() else { return false }
            let rowID = statement.integer(key)
            try encoder.append(
                rowID &+ keyOffset, from: rowID, noValues, of: noBytes.span, computed: statement, to: block)
        }
        return true
    }
}

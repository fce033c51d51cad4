public import SQLiteAccess

/// The rows of a table with some of its columns, read from the pages of its b-tree in the order of the row IDs.
///
/// This is faster than SQLite's virtual machine, which would take longer than most of the work on the rows. The values
/// are those that a statement returns: a real column returns reals for the whole numbers that it stores, and a NaN is
/// NULL. Must only be used by one thread at a time.
public final class TableRows {
    /// A column of the rows.
    private struct Column {
        /// The position in a record; -1 for the row ID.
        let position: Int
        /// Whether integers are stored in place of reals.
        let isReal: Bool
    }

    @exclusivity(unchecked) private var records: TableRecords
    @exclusivity(unchecked) private var values: RecordValues
    private let columns: [Column]
    /// A column, and the numbers that it must have in each row that is read; nil to read every row.
    private let filter: (position: Int, numbers: SmallNumbers)?
    @exclusivity(unchecked) private var last = Int64.min
    /// The ID of the current row.
    @exclusivity(unchecked) public private(set) var rowID: Int64 = 0

    /// Prepares to read rows of the main database of a connection.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - names: the names of the columns; an alias of the row ID is allowed.
    ///   - filter: a column, and the numbers that it must have in each row that is read; nil to read every row.
    ///   - connection: a connection with a transaction that lasts as long as rows are read.
    /// - Throws: `SQLiteError` if the schema or the first page cannot be read.
    /// - Returns: nil if the pages alone do not determine the values: some pages are in the log, texts are not in
    ///   UTF-8, a column is generated, or a column has a default that older records lack.
    public convenience init?(
        of table: String, columns names: [String], having filter: (column: String, numbers: [Int64])?,
        on connection: Connection
    ) throws(SQLiteError) {
        guard let table = try RecordTable(table, in: "main", of: connection) else { return nil }
        let pages = try PageReader(connection)
        guard !pages.hasLog else { return nil }
        self.init(of: table, columns: names, having: filter, in: pages)
    }

    /// Prepares to read rows of a database.
    ///
    /// - Parameters:
    ///   - table: the table in that database.
    ///   - names: the names of the columns; an alias of the row ID is allowed.
    ///   - filter: a column, and the numbers that it must have in each row that is read; nil to read every row.
    ///   - pages: the pages of the database.
    /// - Returns: nil if texts are not in UTF-8, if a column is generated, or if a column has a default that older
    ///   records lack.
    public init?(
        of table: RecordTable, columns names: [String], having filter: (column: String, numbers: [Int64])?,
        in pages: PageReader
    ) {
        guard table.encoding == .utf8 else { return nil }
        columns = names.compactMap { name in
            if name.uppercased() == table.keyName { return Column(position: -1, isReal: false) }
            return table.value(name).map { Column(position: $0.position, isReal: $0.affinity == .real) }
        }
        self.filter = filter.flatMap { filter in
            guard let position = table.value(filter.column)?.position,
                let numbers = SmallNumbers(Dictionary(filter.numbers.map { ($0, $0) }, uniquingKeysWith: { $1 }))
            else { return nil }
            return (position, numbers)
        }
        guard columns.count == names.count, filter == nil || self.filter != nil else { return nil }
        records = TableRecords(pages, root: table.root)
        values = RecordValues(columns: table.columnCount)
    }

    /// Begins with the first row whose ID is in a range.
    /// - Throws: `SQLiteError`, with the page number, if a page cannot be read or is damaged.
    public func begin(_ keys: ClosedRange<Int64>) throws(SQLiteError) {
        last = keys.upperBound
        try records.seek(to: keys.lowerBound)
    }

    /// Moves to the next row; returns false after the last one.
    /// - Throws: `SQLiteError`, with the page number, if a page cannot be read or is damaged.
    public func next() throws(SQLiteError) -> Bool {
        while let rowID = try records.next(), rowID <= last {
            let isWanted = try records.withRecord { (record) throws(SQLiteError) in
                guard values.read(record) else { throw records.damage() }
                guard let filter else { return true }
                return values.integer(filter.position, of: record).flatMap { filter.numbers[$0] } != nil
            }
            guard isWanted else { continue }
            self.rowID = rowID
            return true
        }
        return false
    }

    /// Returns the storage class of a value of the current row.
    public func storageClass(_ column: Int32) -> StorageClass {
        let column = columns[Int(column)]
        guard column.position >= 0 else { return .integer }
        guard column.position < values.count else { return .null }
        switch values.type(column.position) {
        case SerialType.null: return .null
        case SerialType.real:
            return records.withRecord { values.real(column.position, of: $0) }.isNaN ? .null : .real
        case let type where SerialType.isInteger(type): return column.isReal ? .real : .integer
        case let type where SerialType.isText(type): return .text
        default: return .blob
        }
    }

    /// Returns a value of the current row. The bytes of a text or a blob are given as a range of the record
    /// (`withRecord`).
    public func value(_ column: Int32) -> ArenaValue {
        let column = columns[Int(column)]
        guard column.position >= 0 else { return .integer(rowID) }
        guard column.position < values.count else { return .null }
        let type = values.type(column.position)
        guard type != SerialType.null else { return .null }
        let range = values.range(column.position)
        guard type < 12 else {
            let place = ArenaRange(start: range.lowerBound, count: range.count)
            return SerialType.isText(type) ? .text(place) : .blob(place)
        }
        let bits = records.withRecord { SerialType.integer(of: type, $0.extracting(range)) }
        guard type == SerialType.real else { return column.isReal ? .real(Double(bits)) : .integer(bits) }
        let real = Double(bitPattern: UInt64(bitPattern: bits))
        return real.isNaN ? .null : .real(real)
    }

    /// Calls a closure with some bytes of the current row's record.
    /// - Throws: the closure's error.
    public func withRecord<Failure: Error>(
        _ place: ArenaRange, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try records.withRecord { (record) throws(Failure) in try body(record.extracting(place.range)) }
    }

    /// Returns an integer of the current row; 0 for all other values.
    public func integer(_ column: Int32) -> Int64 {
        let position = columns[Int(column)].position
        guard position >= 0 else { return rowID }
        return records.withRecord { values.integer(position, of: $0) } ?? 0
    }

    /// Returns a number of the current row as a real; 0 for all other values.
    public func real(_ column: Int32) -> Double {
        let position = columns[Int(column)].position
        guard position >= 0 else { return Double(rowID) }
        return records.withRecord { values.real(position, of: $0) }
    }

    /// Calls a closure with the bytes of a text or a blob of the current row; with an empty span for NULL.
    /// - Throws: the closure's error.
    public func withSpan<Result, Failure: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let position = columns[Int(column)].position
        let range = position >= 0 && position < values.count ? values.range(position) : 0..<0
        return try records.withRecord { (record) throws(Failure) in try body(record.extracting(range)) }
    }

    /// Returns the first cell whose value may differ from the current row's value in the same column.
    ///
    /// The row may have the same value nevertheless, if it is stored in another class: a number as text, or a NaN as
    /// NULL.
    ///
    /// - Parameters:
    ///   - first: the index of the first cell to compare.
    ///   - cells: the values.
    ///   - column: the column of the cell with index 0; the other cells are in the columns after it.
    ///   - arena: the bytes of texts and blobs.
    /// - Returns: the index of the cell; the number of cells if the row has all of the values.
    public func firstDifference(
        from first: Int, of cells: Span<ArenaValue>, at column: Int32, in arena: Span<UInt8>
    ) -> Int {
        records.withRecord { record in
            var index = first
            while index < cells.count, holds(cells[index], columns[Int(column) + index], record, arena) { index += 1 }
            return index
        }
    }

    @inline(__always)
    private func holds(
        _ value: ArenaValue, _ column: Column, _ record: Span<UInt8>, _ arena: Span<UInt8>
    ) -> Bool {
        let position = column.position
        guard position >= 0 else { return value == .integer(rowID) }
        guard position < values.count else { return value == .null }
        let type = values.type(position)
        switch value {
        case .null: return type == SerialType.null
        case .integer(let number):
            return SerialType.isInteger(type) && !column.isReal
                && SerialType.integer(of: type, record.extracting(values.range(position))) == number
        case .real(let number):
            return (type == SerialType.real || SerialType.isInteger(type))
                && values.real(position, of: record) == number
        case .text(let range):
            return SerialType.isText(type)
                && record.extracting(values.range(position)).isEqual(to: arena.extracting(range.range))
        case .blob(let range):
            return SerialType.isBlob(type)
                && record.extracting(values.range(position)).isEqual(to: arena.extracting(range.range))
        }
    }
}

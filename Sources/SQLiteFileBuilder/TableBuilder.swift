public import SQLiteAccess

/// Writes the rows of a table and collects the entries of its indexes.
///
/// Rows are added in ascending order of their IDs, each with a value for every column of the table in the order of the
/// table's definition. The value for an alias of the row ID is ignored. Several tables may be written alternately.
///
/// In this class and those below it, accesses to stored properties are not checked for overlaps at run time, which took
/// a third of the time when measured: nothing calls back into these classes, and only one thread uses them.
public final class TableBuilder {
    /// The columns and indexes of the table.
    public let definition: TableDefinition
    let root: UInt32
    let indexes: [IndexWriter]
    /// The indexes to which each row is added individually; the others get integers in blocks.
    @exclusivity(unchecked) private var others: [IndexWriter]
    @exclusivity(unchecked) private var integers: IntegerColumns
    /// The path of the file that is written.
    public let path: String
    private let hasNotNull: Bool
    /// Whether rows consist of a few integers that are stored unchanged.
    private let holdsIntegers: Bool
    @exclusivity(unchecked) private var tree: TableTree
    /// The row that was begun.
    @exclusivity(unchecked) var row: AffinityEncoder

    @exclusivity(unchecked) private var gathersEntries = true
    @exclusivity(unchecked) private var encoded = ByteBuffer(capacity: 0)

    /// The number of rows appended so far.
    @exclusivity(unchecked) public private(set) var count = 0

    init(
        _ definition: TableDefinition, file: PageFile, root: UInt32, indexes: [IndexWriter], integerBlock: Int
    ) {
        self.definition = definition
        self.root = root
        self.indexes = indexes
        integers = IntegerColumns(indexes, blockRows: integerBlock)
        others = integers.others
        path = file.file.path
        hasNotNull = definition.columns.contains(where: \.isNotNull)
        holdsIntegers =
            definition.columns.count <= IntegerRow.maximumCount && definition.rowIDColumn == nil
            && definition.columns.allSatisfy { $0.affinity == .integer || $0.affinity == .numeric }
        tree = TableTree(file: file, root: root)
        row = AffinityEncoder(definition)
    }

    /// The highest row ID so far; nil before the first row.
    public var lastRowID: Int64? { tree.lastRowID }

    /// Appends a row whose bytes lie in an arena.
    /// - Throws: `BuildError` if there are too few or too many values, if a value is missing, if the row is too large,
    ///   if its ID does not ascend, or if the disk fails.
    public func append(
        _ rowID: Int64, _ cells: Span<ArenaValue>, in arena: Span<UInt8>
    ) throws(BuildError) {
        row.removeAll()
        for position in cells.indices { try append(cells[position], in: arena) }
        try endRow(rowID)
    }

    /// Appends rows that were encoded for this table's definition.
    /// - Throws: `BuildError` if an ID does not ascend, or if the disk fails.
    public func append(_ rows: RowBlock) throws(BuildError) {
        // Rows that were added individually come before these in every index.
        try integers.flush()
        var start = 0
        for index in rows.rowIDs.indices {
            let rowID = rows.rowIDs[index]
            try checkAscending(rowID)
            try tree.append(rowID, rows.bytes, start..<rows.ends[index])
            start = rows.ends[index]
        }
        count += rows.count
        for (index, entries) in zip(indexes, rows.entries) { try index.add(entries) }
    }

    /// Appends packed rows that were encoded for this table's definition.
    ///
    /// - Parameters:
    ///   - firstRowID: the ID of the first row; the others get consecutive IDs.
    ///   - rows: the packed rows.
    ///   - chosen: the indexes of the rows that are appended.
    ///   - numbers: for each of these rows, the integers of its open columns; 0 leaves a column NULL.
    /// - Throws: `BuildError` if a value is missing, if a row is too large, if its ID does not ascend, or if the disk
    ///   fails.
    public func append(
        _ firstRowID: Int64, _ rows: PackedRows, _ chosen: [Int], numbers: [Int64]
    ) throws(BuildError) {
        let width = rows.open.count
        let chosen = chosen.span
        let numbers = numbers.span
        for place in chosen.indices {
            row.load(rows, chosen[place], numbers.extracting(place * width..<(place + 1) * width))
            try endRow(firstRowID + Int64(place))
        }
    }

    // MARK: - A row value by value

    /// Begins a row. Its values are appended in the order of the columns, followed by a call of `endRow`.
    public func beginRow() {
        row.removeAll()
    }

    /// Appends NULL to the row that was begun.
    public func appendNull() {
        row.addNull()
    }

    /// Appends an integer to the row that was begun.
    public func append(_ value: Int64) {
        row.add(value)
    }

    /// Appends a real to the row that was begun; a NaN becomes NULL.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert the value for its column.
    public func append(_ value: Double) throws(BuildError) {
        try row.add(value)
    }

    /// Appends a text in UTF-8 to the row that was begun.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert the value for its column.
    public func append(text: Span<UInt8>) throws(BuildError) {
        try row.add(text: text)
    }

    /// Appends a blob to the row that was begun.
    public func append(blob: Span<UInt8>) {
        row.add(blob: blob)
    }

    /// Appends a value of any storage class to the row that was begun.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert the value for its column.
    public func append(_ value: SQLiteValue) throws(BuildError) {
        switch value {
        case .null: appendNull()
        case .integer(let value): append(value)
        case .real(let value): try append(value)
        case .text(let bytes): try append(text: bytes.span)
        case .blob(let bytes): append(blob: bytes.span)
        }
    }

    /// Appends a value whose bytes lie in an arena.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert the value for its column.
    @inline(__always)
    public func append(_ value: ArenaValue, in arena: Span<UInt8>) throws(BuildError) {
        try row.add(value, in: arena)
    }

    /// Appends a value from an earlier row of this table.
    public func append(_ column: Int, of record: StoredRecord) {
        row.add(record.slot(column), of: record)
    }

    /// Appends a record that was written for this table before.
    /// - Throws: `BuildError` if its ID does not ascend, or if the disk fails.
    public func append(_ rowID: Int64, _ record: StoredRecord) throws(BuildError) {
        beginRow()
        for column in definition.columns.indices { append(column, of: record) }
        try endRow(rowID)
    }

    /// Calls a closure with the record of the row that was begun, without appending the row.
    /// - Throws: `BuildError` of the kind `columnCount` if the row does not have a value for each column; the closure's
    ///   error.
    public func withEncodedRow<Result>(
        _ body: (Span<UInt8>) throws(BuildError) -> Result
    ) throws(BuildError) -> Result {
        guard row.record.count == definition.columns.count else { throw wrongCount(row.record.count) }
        row.seal()
        let size = row.record.size
        encoded.reserve(size)
        row.record.copy(0..<size, to: &encoded, at: 0)
        return try encoded.withBytes(0..<size, body)
    }

    /// Stops collecting index entries, because the rows will be read again and the file will be built in another way.
    public func leaveIndexes() {
        gathersEntries = false
    }

    /// Appends the row that was begun.
    /// - Throws: `BuildError` if there are too few or too many values, if a value is missing, if the row is too large,
    ///   if its ID does not ascend, or if the disk fails.
    public func endRow(_ rowID: Int64) throws(BuildError) {
        guard row.record.count == definition.columns.count else { throw wrongCount(row.record.count) }
        if hasNotNull { try definition.checkNotNull(row.record, rowID, path: path) }
        try checkAscending(rowID)
        row.seal()
        try definition.checkSize(row.record, rowID, path: path)
        try tree.append(rowID, row.record)
        count += 1
        guard gathersEntries else { return }
        if !integers.isEmpty { try addIntegers(rowID) }
        for index in others { try index.add(rowID, row.record) }
    }

    /// Appends a row of integers.
    /// - Throws: `BuildError` if the table has another number of columns, if the ID does not ascend, or if the disk
    ///   fails.
    public func append(_ rowID: Int64, _ integers: IntegerRow) throws(BuildError) {
        guard holdsIntegers, integers.count == definition.columns.count else {
            begin(integers)
            return try endRow(rowID)
        }
        try checkAscending(rowID)
        try tree.append(rowID, integers)
        count += 1
        guard gathersEntries else { return }
        if !self.integers.isEmpty {
            while try !self.integers.add(rowID, integers) { others = self.integers.others }
        }
        guard !others.isEmpty else { return }
        begin(integers)
        row.seal()
        for index in others { try index.add(rowID, row.record) }
    }

    private func begin(_ integers: IntegerRow) {
        beginRow()
        for column in 0..<integers.count { append(integers[column]) }
    }

    private func wrongCount(_ found: Int) -> BuildError {
        BuildError(.columnCount(table: definition.name, expected: definition.columns.count, found: found), path: path)
    }

    @inline(__always)
    private func checkAscending(_ rowID: Int64) throws(BuildError) {
        if let last = tree.lastRowID, rowID <= last {
            throw BuildError(.notAscending(table: definition.name, row: rowID, previous: last), path: path)
        }
    }

    @inline(__always)
    private func addIntegers(_ rowID: Int64) throws(BuildError) {
        while try !integers.add(rowID, row.record) { others = integers.others }
    }

    func finish() throws(BuildError) {
        try integers.flush()
        try tree.finish()
    }
}

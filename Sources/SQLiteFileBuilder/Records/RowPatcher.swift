/// Encodes rows of a table that has been built before, with other integers in some columns, on any thread.
///
/// Must only be used by one thread at a time.
public final class RowPatcher: @unchecked Sendable {
    private let definition: TableDefinition
    private let path: String
    private let hasNotNull: Bool
    private let entries: [IndexEntryEncoder]
    @exclusivity(unchecked) private var record: RecordEncoder
    private let columns: [Int]
    @exclusivity(unchecked) private var changes: RowEdits
    @exclusivity(unchecked) private var isChanged = false

    /// Prepares to change rows.
    ///
    /// - Parameters:
    ///   - table: the table in which the rows are built again.
    ///   - columns: the columns that may change.
    /// - Returns: nil if one of the columns does not store integers unchanged, or is an alias of the row ID.
    public init?(_ table: TableBuilder, columns: [Int]) {
        definition = table.definition
        path = table.path
        let all = definition.columns
        guard columns.allSatisfy({ all[$0].affinity.keepsIntegers && $0 != table.definition.rowIDColumn }) else {
            return nil
        }
        hasNotNull = all.contains(where: \.isNotNull)
        entries = definition.indexes.map { IndexEntryEncoder($0, of: table.definition) }
        record = RecordEncoder(columns: all.count)
        self.columns = Set(columns).sorted()
        changes = RowEdits(self.columns)
    }

    /// Returns the place of a column's edits, for `set` and `add`.
    public func place(of column: Int) -> Int? { columns.firstIndex(of: column) }

    /// Sets a value of the next row to an integer or NULL.
    @inline(__always)
    public func set(_ place: Int, _ value: Int64?) {
        changes.set(place, value == nil ? .null : .integer, value ?? 0)
        isChanged = true
    }

    /// Adds a number to an integer of the next row.
    @inline(__always)
    public func add(_ place: Int, _ number: Int64) {
        changes.set(place, .increment, number)
        isChanged = true
    }

    /// Adds the current row of a scan to a block, with the edits.
    ///
    /// - Throws: `BuildError` if the record is damaged or becomes too large, or if a value is missing.
    public func append(_ scan: LeafScan, to block: RowBlock) throws(BuildError) {
        guard record.load(scan.record, changes) else { throw scan.damage }
        if isChanged {
            for place in 0..<changes.count { changes.set(place, .none) }
            isChanged = false
        }
        if hasNotNull { try definition.checkNotNull(record, scan.rowID, path: path) }
        record.seal()
        // The size is compared here, so that the definition is not retained for each row.
        if record.size > TableDefinition.largestRow { try definition.checkSize(record, scan.rowID, path: path) }
        block.add(scan.rowID, record, entries)
    }

    /// Returns whether the row that was added last has an integer in a column.
    @inline(__always)
    public func isInteger(_ column: Int) -> Bool { SerialType.isInteger(record.slot(column).type) }
}

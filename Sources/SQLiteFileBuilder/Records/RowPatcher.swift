/// Encodes rows of a table that were built before, with other integers in some columns, on any thread.
///
/// Belongs to one thread at a time.
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
    ///   - table: the table that they are built in again.
    ///   - columns: the columns that may change.
    /// - Returns: nil if one of these does not store integers as they are, or stands for the row ID.
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

    /// Where the edits of a column are kept: for `set` and `add`.
    public func place(of column: Int) -> Int? { columns.firstIndex(of: column) }

    /// Gives the next row an integer, or NULL.
    @inline(__always)
    public func set(_ place: Int, _ value: Int64?) {
        changes.set(place, value == nil ? .null : .integer, value ?? 0)
        isChanged = true
    }

    /// Lets an integer of the next row grow by a number.
    @inline(__always)
    public func add(_ place: Int, _ number: Int64) {
        changes.set(place, .increment, number)
        isChanged = true
    }

    /// Adds the row that a scan is at to a block, with what was set.
    ///
    /// - Throws: `BuildError` if the record is damaged or becomes too large, or a value is missing.
    public func append(_ scan: LeafScan, to block: RowBlock) throws(BuildError) {
        guard record.load(scan.record, changes) else { throw scan.damage }
        if isChanged {
            for place in 0..<changes.count { changes.set(place, .none) }
            isChanged = false
        }
        if hasNotNull { try definition.checkNotNull(record, scan.rowID, path: path) }
        record.seal()
        // Asked here so that the definition is not retained for each row.
        if record.size > TableDefinition.largestRow { try definition.checkSize(record, scan.rowID, path: path) }
        block.add(scan.rowID, record, entries)
    }

    /// Whether a column of the row that was added last has an integer.
    @inline(__always)
    public func isInteger(_ column: Int) -> Bool { SerialType.isInteger(record.slot(column).type) }
}

import SQLiteAccess

/// Looks up the objects that rows share, and caches those that were found, up to a memory limit.
///
/// The arguments are the primary key of a row, and the values that determine the object.
final class KeyedLookup: RecordFunction {
    private let statement: Statement
    private let keepsNull: Bool
    private let limits: MigrationLimits
    @exclusivity(unchecked) private var rowID: Int64?
    @exclusivity(unchecked) private var row = RowKey()
    @exclusivity(unchecked) private var hasValue = false
    @exclusivity(unchecked) private var known: [[UInt8]: SQLiteValue] = [:]
    @exclusivity(unchecked) private var knownBytes = 0

    /// Creates the function.
    ///
    /// - Parameters:
    ///   - statement: a query for the object of the row whose primary key is its parameter.
    ///   - keepsNull: whether a row all of whose values are NULL has no object.
    ///   - limits: the maximum size of the cache.
    init(_ statement: Statement, keepsNull: Bool, _ limits: MigrationLimits) {
        (self.statement, self.keepsNull, self.limits) = (statement, keepsNull, limits)
    }

    func addNull() { row.addNull() }

    func add(_ value: Int64) {
        if rowID == nil {
            rowID = value
        } else {
            hasValue = true
            row.add(value)
        }
    }

    func add(_ value: Double) {
        hasValue = true
        row.add(value)
    }

    func add(text: Span<UInt8>) {
        hasValue = true
        row.add(text: text)
    }

    func add(blob: Span<UInt8>) {
        hasValue = true
        row.add(blob: blob)
    }

    func result() throws(SQLiteError) -> SQLiteValue {
        defer {
            (rowID, hasValue) = (nil, false)
            row.removeAll()
        }
        // If all values of a row are NULL, its own key determines the object, so the cache is not used.
        if hasValue, let value = known[row.bytes] { return value }
        if !hasValue, keepsNull { return .null }
        try statement.bindInteger(rowID ?? 0, at: 1)
        defer { statement.reset() }
        let value: SQLiteValue = try statement.step() ? statement.value(0) : .null
        if hasValue, known.count < limits.knownKeys, knownBytes + row.bytes.count <= limits.knownKeyBytes {
            known[row.bytes] = value
            knownBytes += row.bytes.count
        }
        return value
    }
}

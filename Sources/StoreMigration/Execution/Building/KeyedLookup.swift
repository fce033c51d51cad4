import SQLiteAccess

/// Looks for the objects that rows share, and remembers those that were found, as far as some memory holds them.
///
/// The arguments are the primary key of a row and the values that the object follows from.
final class KeyedLookup: RecordFunction {
    private let statement: Statement
    private let limits: MigrationLimits
    @exclusivity(unchecked) private var rowID: Int64?
    /// The values of the row, each behind its class; texts and blobs behind their lengths.
    @exclusivity(unchecked) private var key: [UInt8] = []
    @exclusivity(unchecked) private var hasValue = false
    @exclusivity(unchecked) private var known: [[UInt8]: SQLiteValue] = [:]
    @exclusivity(unchecked) private var knownBytes = 0

    /// - Parameter statement: looks for the object of the row whose primary key is its parameter.
    init(_ statement: Statement, _ limits: MigrationLimits) {
        (self.statement, self.limits) = (statement, limits)
    }

    func addNull() { key.append(UInt8(StorageClass.null.rawValue)) }

    func add(_ value: Int64) {
        if rowID == nil {
            rowID = value
        } else {
            add(.integer, UInt64(bitPattern: value))
        }
    }

    func add(_ value: Double) { add(.real, value.bitPattern) }
    func add(text: Span<UInt8>) { add(.text, text) }
    func add(blob: Span<UInt8>) { add(.blob, blob) }

    private func add(_ storage: StorageClass, _ bytes: Span<UInt8>) {
        add(storage, UInt64(bytes.count))
        bytes.withUnsafeBufferPointer { key.append(contentsOf: $0) }
    }

    private func add(_ storage: StorageClass, _ number: UInt64) {
        hasValue = true
        key.append(UInt8(storage.rawValue))
        withUnsafeBytes(of: number) { key.append(contentsOf: $0) }
    }

    func result() throws(SQLiteError) -> SQLiteValue {
        defer {
            (rowID, hasValue) = (nil, false)
            key.removeAll(keepingCapacity: true)
        }
        // Objects of rows without any value follow from the rows' own keys.
        if hasValue, let value = known[key] { return value }
        try statement.bindInteger(rowID ?? 0, at: 1)
        defer { statement.reset() }
        let value: SQLiteValue = try statement.step() ? statement.value(0) : .null
        if hasValue, known.count < limits.knownKeys, knownBytes + key.count <= limits.knownKeyBytes {
            known[key] = value
            knownBytes += key.count
        }
        return value
    }
}

public import SQLiteAccess

/// Rows of a table that are encoded except for some integers, which are filled in when the rows are appended.
///
/// This allows another thread to do the part of the work that needs neither the file nor the numbers of other rows.
/// Packed rows are passed between threads, and only one thread at a time may use them.
public final class PackedRows: @unchecked Sendable {
    /// The places of the parts of a row.
    struct Row {
        let start: Int
        let typeBytes: Int
        let valueBytes: Int
    }

    /// The columns of integers that are not known yet, in order.
    let open: [Int]
    private let definition: TableDefinition
    /// For each row, the places of its values, their types, and the values.
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private(set) var rows: [Row] = []

    /// Creates an empty list of rows for a table.
    ///
    /// - Parameters:
    ///   - definition: the columns of the table.
    ///   - open: the columns of integers that are not known yet, in ascending order; an alias of the row ID is not
    ///     allowed.
    /// - Returns: nil if one of the open columns does not store integers unchanged.
    public init?(_ definition: TableDefinition, open: [Int]) {
        self.definition = definition
        self.open = open
        guard open.allSatisfy({ $0 != definition.rowIDColumn && definition.columns[$0].affinity.keepsIntegers })
        else { return nil }
    }

    /// The number of rows.
    public var count: Int { rows.count }

    /// Removes the rows, and keeps the memory for the next ones.
    public func removeAll() {
        rows.removeAll(keepingCapacity: true)
    }

    /// Replaces the rows with others whose bytes lie in an arena.
    ///
    /// - Parameters:
    ///   - template: a value without bytes for each column of the table; NULL for values that are not known yet.
    ///   - columns: the columns that differ from the template, each with the position of its value.
    ///   - cells: the values of all rows, row by row.
    ///   - width: the number of values in each row.
    ///   - count: the number of rows.
    ///   - arena: the bytes of texts and blobs.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert a value for its column; the list is
    ///   empty then.
    public func replace(
        with template: [ArenaValue], _ columns: [(column: Int, position: Int)], of cells: Span<ArenaValue>, width: Int,
        count: Int, in arena: Span<UInt8>
    ) throws(BuildError) {
        precondition(template.count == definition.columns.count, "a row has a value for each column of its table")
        removeAll()
        // Everything that changes with each value is local, because memory close to what another thread writes is slow.
        var row = AffinityEncoder(definition)
        // For each column, the position of its value; -1 if all rows have the template's value.
        var positions = [Int](repeating: -1, count: template.count)
        for (column, position) in columns { positions[column] = position }
        let sources = positions.span
        let constants = template.span
        // The columns before the first one that differs are encoded only once.
        let first = positions.firstIndex { $0 >= 0 } ?? positions.count
        let begun = try Self.begin(&row, template[..<first], arena)
        var found: [Row] = []
        var packed = ByteBuffer(capacity: 0)
        swap(&found, &rows)
        swap(&packed, &bytes)
        defer {
            swap(&found, &rows)
            swap(&packed, &bytes)
        }
        var start = 0
        for index in 0..<count {
            row.goBack(to: begun)
            do throws(BuildError) {
                for column in first..<sources.count {
                    let position = sources[column]
                    let cell = position < 0 ? constants[column] : cells[index * width + position]
                    try row.add(cell, in: arena)
                }
            } catch {
                found.removeAll()
                throw error
            }
            let (typeBytes, valueBytes) = row.record.pack(into: &packed, at: start)
            found.append(Row(start: start, typeBytes: typeBytes, valueBytes: valueBytes))
            start += row.record.packedSize
        }
    }

    /// This is a separate function so that the loop's function calls `add` in only one place, where it is inlined.
    @inline(never)
    private static func begin(
        _ row: inout AffinityEncoder, _ values: ArraySlice<ArenaValue>, _ arena: Span<UInt8>
    ) throws(BuildError) -> RecordEncoder.End {
        for value in values { try row.add(value, in: arena) }
        return row.record.end
    }
}

extension ColumnAffinity {
    var keepsIntegers: Bool { self == .integer || self == .numeric }
}

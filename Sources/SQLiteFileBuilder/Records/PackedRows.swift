public import SQLiteAccess

/// Rows of a table that are encoded but for some integers, which are known when they are appended.
///
/// What of building a table needs neither its file nor the numbers of other rows is done on another thread. Is handed
/// from one thread to another, and belongs to one at a time.
public final class PackedRows: @unchecked Sendable {
    /// Where the parts of a row are.
    struct Row {
        let start: Int
        let typeBytes: Int
        let valueBytes: Int
    }

    /// The columns of integers that are not known yet, in order.
    let open: [Int]
    private let affinities: [ColumnAffinity]
    private let rowIDColumn: Int?
    /// For each row where its values are, their types, and the values.
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private(set) var rows: [Row] = []

    /// Makes rows for a table.
    ///
    /// - Parameters:
    ///   - definition: the columns of the table.
    ///   - open: the columns of integers that are not known yet, in ascending order: none stands for the row id.
    /// - Returns: nil if one of these does not store integers as they are.
    public init?(_ definition: TableDefinition, open: [Int]) {
        affinities = definition.columns.map(\.affinity)
        rowIDColumn = definition.rowIDColumn
        self.open = open
        guard open.allSatisfy({ $0 != rowIDColumn && affinities[$0].keepsIntegers }) else { return nil }
    }

    /// How many rows there are.
    public var count: Int { rows.count }

    /// Removes the rows, and keeps the memory for the next ones.
    public func removeAll() {
        rows.removeAll(keepingCapacity: true)
    }

    /// Replaces the rows by others whose bytes lie in an arena.
    ///
    /// - Parameters:
    ///   - template: a value for each column of the table, without bytes: NULL where it is not known yet.
    ///   - columns: the columns that differ, each with the position of its value.
    ///   - cells: the values of all rows, one after the other.
    ///   - width: how many of these a row has.
    ///   - count: the number of rows.
    ///   - arena: the bytes of texts and blobs.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert a value for its column; there are no
    ///   rows then.
    public func replace(
        with template: [ArenaValue], _ columns: [(column: Int, position: Int)], of cells: Span<ArenaValue>, width: Int,
        count: Int, in arena: Span<UInt8>
    ) throws(BuildError) {
        precondition(template.count == affinities.count, "a row has a value for each column of its table")
        removeAll()
        // All that changes with each value is here: what lies beside memory that another thread writes is slow.
        var row = AffinityEncoder(affinities, rowIDColumn: rowIDColumn)
        // By column, the position of its value; -1 where all rows have the template's.
        var positions = [Int](repeating: -1, count: template.count)
        for (column, position) in columns { positions[column] = position }
        let sources = positions.span
        let constants = template.span
        // What comes before the first column that differs is there once and for all.
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

    /// Not in the function with the loop, where values are added in one place and nowhere else: it is compiled into that.
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

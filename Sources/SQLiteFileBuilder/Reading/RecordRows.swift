public import SQLiteAccess

/// Reads rows from the pages of a table into blocks, with the values of some columns.
///
/// Must only be used by one thread at a time.
public final class RecordRows {
    /// The place of a column's value.
    enum Part {
        case null
        case rowID
        case constant(RecordEncoder.Slot)
        case value(Int)
        case filled(Int, isReal: Bool, RecordEncoder.Slot)
    }

    /// For each column, how its values are stored, for `RecordBlock`.
    public let affinities: [ColumnAffinity]
    private let parts: [Part]
    private let constants: AffinityEncoder
    private let filter: (position: Int, numbers: SmallNumbers)?
    @exclusivity(unchecked) private var records: TableRecords
    @exclusivity(unchecked) private var values: RecordValues
    @exclusivity(unchecked) private var last = Int64.min

    /// Prepares to read rows.
    ///
    /// - Parameters:
    ///   - records: the records of the table.
    ///   - count: the number of columns of the table.
    ///   - columns: the values to read.
    ///   - filter: the position of a column, and the numbers that it must have in each row that is read; nil to read
    ///     every row.
    ///   - encoding: the encoding of the texts in records.
    /// - Returns: nil if a value is neither a value of the row nor a constant.
    /// - Throws: `BuildError` if a constant is too large for a value.
    public init?(
        _ records: consuming TableRecords, columns count: Int, taking columns: [RecordColumn],
        having filter: (position: Int, numbers: SmallNumbers)?, encoding: DatabaseFile.TextEncoding = .utf8
    ) throws(BuildError) {
        var affinities: [ColumnAffinity] = []
        var parts: [Part] = []
        var constants = AffinityEncoder(columns.map { _ in .blob }, rowIDColumn: nil, encoding: encoding)
        for (place, column) in columns.enumerated() {
            switch column {
            case .constant(let value), .filled(_, _, let value): try constants.add(value)
            default: constants.addNull()
            }
            let slot = constants.record.slot(place)
            switch column {
            case .null: parts.append(.null)
            case .rowID: parts.append(.rowID)
            case .constant: parts.append(.constant(slot))
            case .value(let position, _): parts.append(.value(position))
            case .filled(let position, let affinity, _):
                parts.append(.filled(position, isReal: affinity == .real, slot))
            case .replaced, .evaluated, .computed: return nil
            }
            if case .value(_, let affinity) = column { affinities.append(affinity) } else { affinities.append(.blob) }
        }
        (self.affinities, self.parts, self.filter) = (affinities, parts, filter)
        self.constants = constants
        self.records = records
        values = RecordValues(columns: count)
    }

    /// Begins with the first row whose ID is in a range.
    /// - Throws: `SQLiteError`, with the page number, if a page cannot be read or is damaged.
    public func begin(_ keys: ClosedRange<Int64>) throws(SQLiteError) {
        last = keys.upperBound
        try records.seek(to: keys.lowerBound)
    }

    /// Adds rows to a block until it has a number of rows or bytes; returns false if there are no more rows.
    /// - Throws: `SQLiteError` if a page cannot be read or is damaged.
    public func fill(_ block: RecordBlock, rows count: Int, bytes: Int) throws(SQLiteError) -> Bool {
        while block.count < count, block.size < bytes {
            guard let rowID = try records.next(), rowID <= last else { return false }
            try records.withRecord { (record) throws(SQLiteError) in
                guard values.read(record) else { throw records.damage() }
                if let filter {
                    guard let number = values.integer(filter.position, of: record), filter.numbers[number] != nil
                    else { return }
                }
                block.append(rowID, values, of: record, parts, constants.record)
            }
        }
        return true
    }
}

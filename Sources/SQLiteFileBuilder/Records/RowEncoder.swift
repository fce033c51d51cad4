internal import SQLiteAccess

/// Encodes rows for a table, on any thread: the part of building a table that does not need the file.
public final class RowEncoder {
    /// The source of a column's value, without reference-counted parts.
    private enum Part {
        case null
        case rowID
        /// A value that is encoded already.
        case constant(RecordEncoder.Slot)
        /// The bytes at a position, and at a number of positions after it.
        case copied(Int, others: Int)
        case converted(Int, ColumnAffinity)
        case filled(Int, ColumnAffinity, RecordEncoder.Slot)
        /// The integer at a position, and the index of its replacements.
        case replaced(Int, Int)
        /// The index of a function.
        case evaluated(Int)
        case computed(Int32)
    }

    /// A function and the sources of its arguments.
    private struct Call {
        let arguments: [(position: Int, affinity: ColumnAffinity)]
        let function: any RecordFunction
    }

    private let definition: TableDefinition
    private let path: String
    private let hasNotNull: Bool
    private let watch: RowWatch?
    private let isWatched: Bool
    /// The column of the watch's condition; -1 if there is none.
    private let condition: Int32
    /// The columns that are watched, with their expected types.
    private let watched: [(position: Int, types: UInt16)]
    private let parts: [Part]
    private let replacements: [SmallNumbers]
    private let calls: [Call]
    @exclusivity(unchecked) private var constants: AffinityEncoder
    @exclusivity(unchecked) private var row: AffinityEncoder
    private let entries: [IndexEntryEncoder]

    /// Creates an encoder for the rows of a table.
    /// - Parameters:
    ///   - definition: the columns and indexes of the table.
    ///   - columns: for each column of the table, the source of its value.
    ///   - path: the path of the file that is written, for errors.
    ///   - watch: examines the rows as they are encoded; nil if the rows are not examined.
    /// - Throws: `BuildError` if a constant cannot be converted.
    public init(
        _ definition: TableDefinition, from columns: [RecordColumn], path: String, watch: RowWatch? = nil
    ) throws(BuildError) {
        self.definition = definition
        self.watch = watch
        isWatched = watch != nil
        condition = watch?.condition ?? -1
        watched = (watch?.columns ?? []).compactMap { expectation in
            let name = expectation.column.uppercased()
            return definition.columns.firstIndex { $0.name.uppercased() == name }.map { ($0, expectation.types) }
        }
        self.path = path
        hasNotNull = definition.columns.contains(where: \.isNotNull)
        let affinities = definition.columns.map(\.affinity)
        row = AffinityEncoder(definition)
        entries = definition.indexes.map { IndexEntryEncoder($0, of: definition) }
        var constants = AffinityEncoder(definition)
        for column in columns {
            switch column {
            case .constant(let value), .filled(_, _, let value): try constants.add(value)
            default: constants.addNull()
            }
        }
        var replacements: [SmallNumbers] = []
        var calls: [Call] = []
        var parts: [Part] = []
        for (place, column) in columns.enumerated() {
            switch column {
            case .null: parts.append(.null)
            case .rowID: parts.append(.rowID)
            case .constant: parts.append(.constant(constants.record.slot(place)))
            case .value(let position, let affinity):
                let isCopied = affinity == affinities[place] && place != definition.rowIDColumn
                if isCopied, case .copied(let first, let others) = parts.last, first + others + 1 == position {
                    parts[parts.count - 1] = .copied(first, others: others + 1)
                } else {
                    parts.append(isCopied ? .copied(position, others: 0) : .converted(position, affinity))
                }
            case .filled(let position, let affinity, _):
                parts.append(.filled(position, affinity, constants.record.slot(place)))
            case .replaced(let position, let numbers):
                parts.append(.replaced(position, replacements.count))
                replacements.append(numbers)
            case .evaluated(let arguments, let function):
                parts.append(.evaluated(calls.count))
                calls.append(Call(arguments: arguments, function: function))
            case .computed(let column): parts.append(.computed(column))
            }
        }
        self.constants = constants
        self.replacements = replacements
        self.calls = calls
        self.parts = parts
    }

    /// Adds a row to a block.
    ///
    /// - Parameters:
    ///   - rowID: the ID of the new row.
    ///   - source: the row ID of the record.
    ///   - values: the values of the record.
    ///   - bytes: the record; empty if there is none.
    ///   - computed: the statement that returns computed values, which is at the same row.
    ///   - block: the block to which the row is added.
    /// - Throws: `BuildError` if a value is missing or cannot be converted, or if the row is too large; `SQLiteError`
    ///   if a function fails.
    @inline(__always)
    func append(
        _ rowID: Int64, from source: Int64, _ values: borrowing RecordValues, of bytes: Span<UInt8>,
        computed: Statement?, to block: RowBlock
    ) throws {
        row.removeAll()
        for index in parts.indices {
            switch parts[index] {
            case .null: row.addNull()
            case .rowID: row.add(rowID)
            case .constant(let slot): row.add(slot, of: constants.record)
            case .copied(let position, let others):
                let positions = position..<position + others + 1
                if others == 0 || positions.upperBound > values.count || !row.add(positions, of: values, bytes) {
                    for position in positions {
                        if position < values.count {
                            row.add(copied: values.type(position), bytes.extracting(values.range(position)))
                        } else {
                            row.addNull()
                        }
                    }
                }
            case .converted(let position, let affinity):
                if position < values.count {
                    try row.add(
                        type: values.type(position), bytes.extracting(values.range(position)), from: affinity)
                } else {
                    row.addNull()
                }
            case .filled(let position, let affinity, let slot):
                if position < values.count, values.type(position) != SerialType.null {
                    try row.add(
                        type: values.type(position), bytes.extracting(values.range(position)), from: affinity)
                } else {
                    row.add(slot, of: constants.record)
                }
            case .replaced(let position, let place):
                if let value = values.integer(position, of: bytes) {
                    row.add(replacements[place][value] ?? value)
                } else {
                    row.addNull()
                }
            case .evaluated(let place): try row.add(value(of: calls[place], source, values, bytes))
            case .computed(let column): if let computed { try add(column, of: computed) }
            }
        }
        if hasNotNull { try definition.checkNotNull(row.record, rowID, path: path) }
        if isWatched, !isExpected(computed) { watch?.note() }
        row.seal()
        // The size is compared here, so that the definition is not retained for each row.
        if row.record.size > TableDefinition.largestRow {
            try definition.checkSize(row.record, rowID, path: path)
        }
        block.add(rowID, row.record, entries)
    }

    private func isExpected(_ computed: Statement?) -> Bool {
        if condition >= 0, let computed, computed.integer(condition) != 0 { return false }
        for index in watched.indices {
            let (slot, types) = (row.record.slot(watched[index].position), watched[index].types)
            if !ColumnExpectation.allows(slot.type, types) { return false }
            if types & ColumnExpectation.finite != 0, slot.type == SerialType.real,
                Double(bitPattern: row.record.body.load(UInt64.self, at: slot.start)).isInfinite
            {
                return false
            }
        }
        return true
    }

    /// Calls a function with the values that a statement would return: a real column stores whole numbers as integers.
    @inline(never)
    private func value(
        of call: Call, _ rowID: Int64, _ values: borrowing RecordValues, _ bytes: Span<UInt8>
    ) throws(SQLiteError) -> SQLiteValue {
        let function = call.function
        for (position, affinity) in call.arguments {
            guard position >= 0 else {
                function.add(rowID)
                continue
            }
            let type = position < values.count ? values.type(position) : SerialType.null
            guard type != SerialType.null else {
                function.addNull()
                continue
            }
            let value = bytes.extracting(values.range(position))
            switch type {
            case SerialType.real:
                let real = Double(bitPattern: UInt64(bitPattern: SerialType.integer(of: type, value)))
                if real.isNaN { function.addNull() } else { function.add(real) }
            case 1...9:
                let number = SerialType.integer(of: type, value)
                if affinity == .real { function.add(Double(number)) } else { function.add(number) }
            default:
                if !SerialType.isText(type) {
                    function.add(blob: value)
                } else if row.encoding == .utf8 {
                    function.add(text: value)
                } else {
                    function.add(text: row.encoding.utf8(value).span)
                }
            }
        }
        do {
            return try function.result()
        } catch {
            // The error that a statement with this function would report.
            throw error as? SQLiteError ?? SQLiteError(code: 1, message: String(describing: error))
        }
    }

    private func add(_ column: Int32, of select: Statement) throws(BuildError) {
        try select.withValue(column) { (value) throws(BuildError) in
            switch value.storageClass {
            case .null: row.addNull()
            case .integer: row.add(value.integer)
            case .real: try row.add(value.real)
            case .text: try value.withStoredBytes { (bytes) throws(BuildError) in try row.add(storedText: bytes) }
            case .blob: value.withStoredBytes { row.add(blob: $0) }
            }
        }
    }
}

extension AffinityEncoder {
    mutating func add(_ value: SQLiteValue) throws(BuildError) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number): try add(number)
        case .text(let bytes): try add(text: bytes.span)
        case .blob(let bytes): add(blob: bytes.span)
        }
    }
}

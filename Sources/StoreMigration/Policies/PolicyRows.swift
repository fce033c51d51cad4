import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The source rows of a policy in the order of their keys. While a file is being built, other threads read them ahead.
final class PolicyRows {
    private typealias Readers = WindowReaders<RecordBlock, RecordBlock>

    /// The row that was read last.
    let row: PolicyRow
    private let select: Statement
    private let key: Int32
    private let readers: Readers?
    private let checkCancelled: () throws -> Void
    /// The first key that has not been read yet, and whether the statement is being executed.
    private var lower: Int64
    private var isReading = false
    /// The number of rows in the current block, and the index of the next row in it.
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var place = 0

    /// How long to wait for rows between two checks for cancellation, in milliseconds.
    private static let patience = 100

    /// - Parameters:
    ///   - step: the policy's step, which selects the rows.
    ///   - run: the run of the policies.
    ///   - first: the first key that has not been read yet.
    init(_ step: PolicyStep, _ run: PolicyRun, from first: Int64) throws {
        lower = first
        key = step.recordColumn
        checkCancelled = { [unowned run] in try run.checkCancelled() }
        let ahead = try run.build.flatMap { try Self.readers(step, run, $0, from: first) }
        readers = ahead?.readers
        select = try run.connection.prepare(ahead == nil ? step.selectStatement : PolicyRow.conversion)
        row = PolicyRow(select, ahead: ahead?.rows)
    }

    /// Returns the readers, and a block for the current rows; nil if there are too few rows for threads.
    private static func readers(
        _ step: PolicyStep, _ run: PolicyRun, _ build: PolicyBuild, from lower: Int64
    ) throws -> (readers: Readers, rows: RecordBlock)? {
        let limits = run.options.fixedLimits
        let block = BatchLimits(
            rows: min(run.limits.rows, limits.block.rows), bytes: min(run.limits.bytes, limits.block.bytes))
        guard build.connections.count > 1, let keys = try step.fill.bounds(on: run.connection),
            limits.areWorthThreads(keys, rows: block.rows)
        else { return nil }
        let windows = SharedWindows(
            KeyWindows(
                from: max(keys.lowerBound, lower), to: keys.upperBound, rows: block.rows,
                keysPerRow: limits.keysPerRow))
        var affinities: [ColumnAffinity] = []
        let encoding = try DatabaseFile.TextEncoding(of: run.connection)
        let readers = try build.connections.opened().map { connection in
            let rows = try PolicyRowsAhead(step, on: connection, limits)
            affinities = rows.affinities
            let blocks = (0..<max(1, limits.circulatingBlocks)).map { _ in
                RecordBlock(rows.affinities, encoding: encoding, limits: limits.build)
            }
            return WindowReader(
                blocks, on: connection, windows: windows, next: try connection.prepare(step.fill.nextKeyStatement)
            ) { window, reader in
                try rows.begin(window)
                return try reader.handOver { try rows.fill($0, block) }
            }
        }
        return (try Readers(readers), RecordBlock(affinities, encoding: encoding, limits: limits.build))
    }

    /// Moves to the next row, and returns its key; nil after the last row.
    @_optimize(speed)
    func next() throws -> Int64? {
        guard let rows = row.ahead else { return try step() }
        while place >= count {
            guard let (block, reader) = try readers?.next(waiting: Self.patience, checkCancelled) else { return nil }
            rows.exchange(block)
            reader.giveBack(block)
            (count, place) = (rows.count, 0)
        }
        defer { place += 1 }
        return rows.move(to: place)
    }

    private func step() throws -> Int64? {
        if !isReading {
            try select.bindInteger(lower, at: 1)
            try select.bindInteger(.max, at: 2)
            isReading = true
        }
        guard try select.step() else { return nil }
        let found = select.integer(key)
        lower = found == .max ? found : found + 1
        return found
    }

    /// Releases the row, which would keep the store locked. The next row is found by its key.
    func leave() {
        select.reset()
        isReading = false
    }

    /// Stops reading, and waits for the end of the threads that read ahead.
    func stop() {
        leave()
        readers?.stop()
    }
}

/// The rows of a policy's step, as one thread reads them ahead. They are read from the pages of the source if the
/// policy gets unchanged values; otherwise, SQLite selects them.
private struct PolicyRowsAhead {
    private enum Rows {
        case records(RecordRows)
        case selection(Statement, key: Int32)
    }

    private let rows: Rows
    /// The affinities of the columns that the step selects.
    let affinities: [ColumnAffinity]

    /// - Parameters:
    ///   - step: the policy's step.
    ///   - connection: a connection to which the source is attached.
    ///   - limits: the limits of the migration.
    init(_ step: PolicyStep, on connection: Connection, _ limits: MigrationLimits) throws {
        if let records = try Self.records(step, on: connection, limits) {
            (rows, affinities) = (.records(records), records.affinities)
        } else {
            let select = try connection.prepare(step.selectStatement)
            rows = .selection(select, key: step.recordColumn)
            affinities = (0..<select.columnCount).map { _ in .blob }
        }
    }

    /// Returns the records of the rows; nil if SQLite has to select the rows.
    private static func records(
        _ step: PolicyStep, on connection: Connection, _ limits: MigrationLimits
    ) throws -> RecordRows? {
        let fill = step.fill
        guard step.calls.isEmpty, fill.condition == nil || fill.entityNumbers != nil,
            let pages = try SourceTable.pages(on: connection),
            let source = try SourceTable(of: fill, on: connection, [], limits)
        else { return nil }
        let columns = try zip(fill.columns + step.record.columns, fill.values + step.record.values).map {
            (name, value) throws(SQLiteError) -> RecordColumn? in
            switch value {
            // The key of the row is sufficient, because an object has its own key.
            case .key(let offset): offset == 0 || name == "Z_PK" ? .rowID : nil
            case .column(fill.key): .rowID
            case .inlined(let name): try source.column(.column(name))
            default: try source.column(value)
            }
        }
        let filter = fill.condition == nil ? nil : source.having(fill.entityNumbers ?? [])
        guard fill.condition == nil || filter != nil, columns.allSatisfy({ $0 != nil }) else { return nil }
        return try RecordRows(
            TableRecords(pages, root: source.root), columns: source.columnCount, taking: columns.compactMap { $0 },
            having: filter, encoding: source.encoding)
    }

    /// Begins with the first row of a window.
    func begin(_ window: ClosedRange<Int64>) throws {
        switch rows {
        case .records(let records): try records.begin(window)
        case .selection(let select, _):
            select.reset()
            try select.bindInteger(window.lowerBound, at: 1)
            try select.bindInteger(window.upperBound, at: 2)
        }
    }

    /// Fills a block with the next rows; returns false if they are the last of the window.
    func fill(_ block: RecordBlock, _ limits: BatchLimits) throws -> Bool {
        block.removeAll()
        switch rows {
        case .records(let records): return try records.fill(block, rows: limits.rows, bytes: limits.bytes)
        case .selection(let select, let key):
            while block.count < limits.rows, block.size < limits.bytes {
                guard try select.step() else { return false }
                block.append(select, key: key)
            }
            return true
        }
    }
}

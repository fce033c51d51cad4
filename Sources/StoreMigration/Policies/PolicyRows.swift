import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The source rows of a policy in the order of their keys: while a file is built, other threads read them ahead.
final class PolicyRows {
    private typealias Readers = WindowReaders<RecordBlock, RecordBlock>

    /// The row that was read last.
    let row: PolicyRow
    private let select: Statement
    private let key: Int32
    private let readers: Readers?
    private let checkCancelled: () throws -> Void
    /// The first key that is left, and whether the statement has a row.
    private var lower: Int64
    private var isReading = false
    /// The rows of the block that was taken over last, and the one that is next.
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var place = 0

    /// Milliseconds to wait for rows before asking whether to go on.
    private static let patience = 100

    /// - Parameter first: the first key that is still to be read.
    init(_ step: PolicyStep, _ run: PolicyRun, from first: Int64) throws {
        lower = first
        key = step.recordColumn
        checkCancelled = { [unowned run] in try run.checkCancelled() }
        let ahead = try run.build.flatMap { try Self.readers(step, run, $0, from: first) }
        readers = ahead?.readers
        select = try run.connection.prepare(ahead == nil ? step.selectStatement : PolicyRow.conversion)
        row = PolicyRow(select, ahead: ahead?.rows)
    }

    /// The readers, and a block for the rows that are looked at; nil if there are too few rows for threads.
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
        let readers = try build.connections.opened().map { connection in
            let rows = try PolicyRowsAhead(step, on: connection, limits)
            affinities = rows.affinities
            let blocks = (0..<max(1, limits.circulatingBlocks)).map { _ in
                RecordBlock(rows.affinities, limits: limits.build)
            }
            return WindowReader(
                blocks, on: connection, windows: windows, next: try connection.prepare(step.fill.nextKeyStatement)
            ) { window, reader in
                try rows.begin(window)
                return try reader.handOver { try rows.fill($0, block) }
            }
        }
        return (try Readers(readers), RecordBlock(affinities, limits: limits.build))
    }

    /// Goes to the next row; its key, or nil behind the last one.
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

    /// Lets go of the row, which would keep the store locked; the next one is looked for by its key.
    func leave() {
        select.reset()
        isReading = false
    }

    /// Reads no further; threads that read ahead have ended then.
    func stop() {
        leave()
        readers?.stop()
    }
}

/// The rows of a policy's step, as one thread reads them ahead: from the pages of the source where a policy gets what
/// stands there, or selected by SQLite.
private struct PolicyRowsAhead {
    private enum Rows {
        case records(RecordRows)
        case selection(Statement, key: Int32)
    }

    private let rows: Rows
    /// Of the columns that the step selects.
    let affinities: [ColumnAffinity]

    /// - Parameter connection: has the source attached.
    init(_ step: PolicyStep, on connection: Connection, _ limits: MigrationLimits) throws {
        if let records = try Self.records(step, on: connection, limits) {
            (rows, affinities) = (.records(records), records.affinities)
        } else {
            let select = try connection.prepare(step.selectStatement)
            rows = .selection(select, key: step.recordColumn)
            affinities = (0..<select.columnCount).map { _ in .blob }
        }
    }

    /// nil if SQLite has to select the rows.
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
            // Objects bring their own keys.
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
            having: filter)
    }

    /// Begins with the rows of a window.
    func begin(_ window: ClosedRange<Int64>) throws {
        switch rows {
        case .records(let records): try records.begin(window)
        case .selection(let select, _):
            select.reset()
            try select.bindInteger(window.lowerBound, at: 1)
            try select.bindInteger(window.upperBound, at: 2)
        }
    }

    /// Fills a block with the next rows; false if these are the window's last.
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

import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The source rows of a policy in the order of their keys: while a file is built, other threads read them ahead.
final class PolicyRows {
    private typealias Readers = WindowReaders<RowsAhead, RowsAhead>

    /// The row that was read last.
    let row: PolicyRow
    private let select: Statement
    private let key: Int32
    private let readers: Readers?
    private let checkCancelled: () throws -> Void
    /// The first key that is left, and whether the statement has a row.
    private var lower: Int64
    private var isReading = false
    private var ahead: (rows: RowsAhead, reader: Readers.Reader)?
    /// The keys of those rows, and the one that is next.
    @exclusivity(unchecked) private var keys: [Int64] = []
    @exclusivity(unchecked) private var place = 0

    /// Milliseconds to wait for rows before asking whether to go on.
    private static let patience = 100

    /// - Parameter first: the first key that is still to be read.
    init(_ step: PolicyStep, _ run: PolicyRun, from first: Int64) throws {
        lower = first
        key = step.recordColumn
        checkCancelled = { [unowned run] in try run.checkCancelled() }
        readers = try run.build.flatMap { try Self.readers(step, run, $0, from: first) }
        select = try run.connection.prepare(readers == nil ? step.selectStatement : PolicyRow.conversion)
        row = PolicyRow(select)
    }

    /// nil if there are too few rows for threads.
    private static func readers(
        _ step: PolicyStep, _ run: PolicyRun, _ build: PolicyBuild, from lower: Int64
    ) throws -> Readers? {
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
        return try Readers(
            try build.connections.opened().map { connection in
                let select = try connection.prepare(step.selectStatement)
                let width = Int(select.columnCount)
                let blocks = (0..<max(1, limits.circulatingBlocks)).map { _ in
                    RowsAhead(width: width, largestKept: limits.build.keptRowBytes)
                }
                return WindowReader(
                    blocks, on: connection, windows: windows, next: try connection.prepare(step.fill.nextKeyStatement)
                ) { window, reader in try read(window, of: select, step.recordColumn, block, for: reader) }
            })
    }

    /// Reads the rows of a window; returns how many there were.
    private static func read(
        _ window: ClosedRange<Int64>, of select: Statement, _ key: Int32, _ limits: BatchLimits,
        for reader: Readers.Reader
    ) throws -> Int64 {
        select.reset()
        try select.bindInteger(window.lowerBound, at: 1)
        try select.bindInteger(window.upperBound, at: 2)
        return try reader.handOver { rows in
            rows.removeAll()
            while rows.count < limits.rows, rows.arena.count < limits.bytes {
                guard try select.step() else { return false }
                rows.append(select, key: key)
            }
            return true
        }
    }

    /// Goes to the next row; its key, or nil behind the last one.
    func next() throws -> Int64? {
        guard let readers else { return try step() }
        while place >= keys.count {
            if let used = ahead {
                (ahead, keys) = (nil, [])
                row.endBlock()
                used.reader.giveBack(used.rows)
            }
            guard let (rows, reader) = try readers.next(waiting: Self.patience, checkCancelled) else { return nil }
            (ahead, keys, place) = ((rows, reader), rows.keys, 0)
            row.begin(rows)
        }
        defer { place += 1 }
        row.move(to: place)
        return keys[place]
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

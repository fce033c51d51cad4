import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

extension StepRunner {
    /// Rows of a block: enough that handing it over costs nothing, few enough that several are little memory.
    private static let blockLimits = BatchLimits(rows: 2000, bytes: 256 << 10)
    /// Below so many windows, threads and their connections cost more than they save.
    private static let windowsWorthThreads: Int64 = 8
    /// How long to wait for rows before asking whether to go on, in milliseconds.
    private static let patience = 100

    /// Fills tables of a file that is being built; the runner's connection only reads.
    func build(_ steps: [MigrationStep], into builder: DatabaseBuilder, _ connections: ReaderConnections) throws {
        try forEach(steps) { step in
            guard case .fill(let fill) = step.work else { return }
            let table = try builder.table(step.table)
            var batch = BuiltBatch(limit: options.limits.rows)
            if let (first, last) = try bounds(of: fill) {
                let rows = min(options.limits.rows, Self.blockLimits.rows)
                let (span, overflow) = last.subtractingReportingOverflow(first)
                let isLong = overflow || span / Int64(rows) >= Self.windowsWorthThreads
                if isLong, connections.count > 1 {
                    let windows = SharedWindows(KeyWindows(from: first, to: last, rows: rows))
                    try append(fill, to: table, windows, connections, &batch)
                } else {
                    try append(fill, to: table, first...last, &batch)
                }
            }
            finishBatch(batch.end())
        }
    }

    private func append(
        _ fill: TableFill, to table: TableBuilder, _ keys: ClosedRange<Int64>, _ batch: inout BuiltBatch
    ) throws {
        let copy = try TableCopy(fill, on: connection, into: table, limits: Self.blockLimits(options.limits))
        let block = RowBlock()
        try copy.begin(keys)
        var isMore = true
        while isMore {
            isMore = try copy.fill(block)
            try append(block, to: table, &batch)
        }
    }

    private func append(
        _ fill: TableFill, to table: TableBuilder, _ windows: SharedWindows, _ connections: ReaderConnections,
        _ batch: inout BuiltBatch
    ) throws {
        let readers = try RowReaders(
            try connections.opened().map { connection in
                let copy = try TableCopy(fill, on: connection, into: table, limits: Self.blockLimits(options.limits))
                return try RowReader(fill, copy, on: connection, windows: windows)
            })
        defer { readers.stop() }
        while let (block, reader) = try readers.next(waiting: Self.patience, { try checkCancelled() }) {
            try append(block, to: table, &batch)
            reader.giveBack(block)
        }
    }

    private func append(_ block: RowBlock, to table: TableBuilder, _ batch: inout BuiltBatch) throws {
        try table.append(block)
        guard let rows = batch.add(block.count) else { return }
        finishBatch(rows)
        try checkCancelled()
    }

    private static func blockLimits(_ limits: BatchLimits) -> BatchLimits {
        BatchLimits(rows: min(limits.rows, blockLimits.rows), bytes: min(limits.bytes, blockLimits.bytes))
    }
}

/// Rows since progress was last reported.
private struct BuiltBatch {
    let limit: Int
    private var rows = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the rows of a batch that is full.
    mutating func add(_ count: Int) -> Int64? {
        rows += count
        return rows >= limit ? end() : nil
    }

    mutating func end() -> Int64 {
        defer { rows = 0 }
        return Int64(rows)
    }
}

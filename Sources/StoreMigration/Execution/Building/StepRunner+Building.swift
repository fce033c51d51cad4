import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

extension StepRunner {
    /// How long to wait for rows before asking whether to go on, in milliseconds.
    private static let patience = 100

    /// Fills tables of a file that is being built; the runner's connection only reads.
    func build(_ steps: [MigrationStep], into builder: DatabaseBuilder, _ connections: ReaderConnections) throws {
        try forEach(steps) { step in
            guard let fill = step.rows else { return }
            let table = try builder.table(step.table)
            var batch = BuiltBatch(limit: options.limits.rows)
            if let keys = try fill.bounds(on: connection) {
                let rows = blockLimits.rows
                if connections.count > 1, options.fixedLimits.areWorthThreads(keys, rows: rows) {
                    let windows = SharedWindows(
                        KeyWindows(
                            from: keys.lowerBound, to: keys.upperBound, rows: rows,
                            keysPerRow: options.fixedLimits.keysPerRow))
                    try append(fill, to: table, windows, connections, &batch)
                } else {
                    try append(fill, to: table, keys, &batch)
                }
            }
            finishBatch(batch.end())
        }
        try checkWatched()
    }

    /// Goes on only if there is nothing that refuses the migration.
    private func checkWatched() throws {
        guard let watch, watch.isNoted else { return }
        self.watch = nil
        try checkData?()
    }

    private func append(
        _ fill: TableFill, to table: TableBuilder, _ keys: ClosedRange<Int64>, _ batch: inout BuiltBatch
    ) throws {
        let copy = try tableCopy(fill, connection, into: table)
        let block = RowBlock(limits: options.fixedLimits.build)
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
        let readers = try WindowReaders(
            try connections.opened().map { connection in
                let copy = try tableCopy(fill, connection, into: table)
                let blocks = (0..<max(1, options.fixedLimits.circulatingBlocks)).map { _ in
                    RowBlock(limits: options.fixedLimits.build)
                }
                return WindowReader(
                    blocks, on: connection, windows: windows, next: try connection.prepare(fill.nextKeyStatement)
                ) { window, reader in try Self.read(window, by: copy, for: reader) }
            })
        defer { readers.stop() }
        while let (block, reader) = try readers.next(waiting: Self.patience, { try checkCancelled() }) {
            try append(block, to: table, &batch)
            reader.giveBack(block)
        }
    }

    /// Encodes the rows of a window into blocks; returns how many there were.
    private static func read(
        _ window: ClosedRange<Int64>, by copy: TableCopy, for reader: WindowReader<RowBlock, RowBlock>
    ) throws -> Int64 {
        try copy.begin(window)
        return try reader.handOver { try copy.fill($0) }
    }

    private func append(_ block: RowBlock, to table: TableBuilder, _ batch: inout BuiltBatch) throws {
        try table.append(block)
        try checkWatched()
        guard let rows = batch.add(block.count) else { return }
        finishBatch(rows)
        try checkCancelled()
    }

    private func tableCopy(
        _ fill: TableFill, _ connection: Connection, into table: TableBuilder
    ) throws -> TableCopy {
        try TableCopy(
            fill, on: connection, into: table, valueFunctions, watch, limits: blockLimits, options.fixedLimits)
    }

    private var blockLimits: BatchLimits {
        let block = options.fixedLimits.block
        return BatchLimits(rows: min(options.limits.rows, block.rows), bytes: min(options.limits.bytes, block.bytes))
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

extension RowBlock: RowBuffer {}

import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

extension StepRunner {
    /// How long to wait for rows between two checks for cancellation, in milliseconds.
    private static let patience = 100

    /// Fills tables of a file that is being built. The runner's connection is only used for reading.
    ///
    /// - Returns: the number of rows of each step.
    func build(
        _ steps: [MigrationStep], into build: NewStoreBuild, _ connections: ReaderConnections
    ) throws -> [Int64] {
        for (table, steps) in Dictionary(grouping: steps, by: \.table) where steps.count > 1 {
            if try !areAscending(steps) { try build.rows(ofTable: table).waitForAll() }
        }
        let rows = try forEach(steps) { step in
            if let additions = step.additions { try fill(step.table, with: additions, of: build, connections) }
        }
        try checkWatched()
        return rows
    }

    /// Adds rows to a table of a file that is being built.
    func fill(
        _ table: String, with additions: TableAdditions, of build: NewStoreBuild, _ connections: ReaderConnections
    ) throws {
        let rows = try build.rows(ofTable: table)
        var batch = BuiltBatch(limit: options.limits.rows)
        switch additions {
        case .copied(let fill): try append(fill, to: rows, connections, &batch)
        case .inlined(let fill): try appendInlined(fill, to: rows, &batch)
        case .links(let links):
            if let query = links.unsortedStatement {
                try append(query, links.columns, to: rows.builder, sortedBy: build.sorter(width: 2), &batch)
            } else {
                try append(links, to: rows.builder, &batch)
            }
        }
        finishBatch(batch.end())
    }

    /// Returns whether all rows of a step have higher keys than the rows of the steps before. Otherwise the rows have
    /// to be sorted, for example if a table is filled from several entities with one numbering.
    private func areAscending(_ steps: [MigrationStep]) throws -> Bool {
        var last: Int64?
        for step in steps {
            guard let fill = step.additions?.fill, let offset = fill.keyOffset else { return false }
            guard let keys = try fill.bounds(on: connection) else { continue }
            let (first, overflows) = keys.lowerBound.addingReportingOverflow(offset)
            if overflows || last.map({ first <= $0 }) ?? false { return false }
            last = keys.upperBound.addingReportingOverflow(offset).partialValue
        }
        return true
    }

    private func append(
        _ fill: TableFill, to table: EntityRows, _ connections: ReaderConnections, _ batch: inout BuiltBatch
    ) throws {
        guard let keys = try fill.bounds(on: connection) else { return }
        let rows = blockLimits.rows
        // Other connections do not read the result.
        guard connections.count > 1, !fill.readsResult, options.fixedLimits.areWorthThreads(keys, rows: rows) else {
            return try append(fill, to: table, keys, &batch)
        }
        let windows = SharedWindows(
            KeyWindows(
                from: keys.lowerBound, to: keys.upperBound, rows: rows, keysPerRow: options.fixedLimits.keysPerRow))
        try append(fill, to: table, windows, connections, &batch)
    }

    /// Adds rows whose external values become inline.
    private func appendInlined(_ fill: TableFill, to table: EntityRows, _ batch: inout BuiltBatch) throws {
        guard let keys = try fill.bounds(on: connection) else { return }
        let builder = table.builder
        let columns = builder.columns(named: fill.columns)
        let inlined = Set(fill.inlinedColumns)
        let key = Int32(fill.columns.firstIndex(of: "Z_PK") ?? 0)
        let select = try connection.prepare(fill.selectStatement)
        try select.bindInteger(keys.lowerBound, at: 1)
        try select.bindInteger(keys.upperBound, at: 2)
        while try select.step() {
            builder.beginRow()
            for column in columns {
                if column >= 0, inlined.contains(Int(column)), !select.isNull(column) {
                    let value = try external.value(
                        select, column, name: fill.columns[Int(column)], key: select.integer(key))
                    builder.append(blob: value.span)
                } else {
                    try builder.append(column, from: select)
                }
            }
            try table.endRow(select.integer(key))
            try end(batch.add(1))
        }
    }

    /// Adds links, and skips repeated links.
    private func append(_ links: LinkFill, to table: TableBuilder, _ batch: inout BuiltBatch) throws {
        let columns = table.columns(named: links.columns)
        let select = try connection.prepare(links.selectStatement)
        var (rowID, last) = (Int64(0), [] as [SQLiteValue])
        while try select.step() {
            let keys = [select.value(0), select.value(1)]
            // As in SQLite, NULL is not equal to NULL.
            if keys == last, !keys.contains(where: \.isNull) { continue }
            last = keys
            rowID += 1
            table.beginRow()
            for column in columns { try table.append(column, from: select) }
            try table.endRow(rowID)
            try end(batch.add(1))
        }
    }

    /// Adds links that are only pairs of keys, and skips repeated links. Sorting them takes a part of the time that
    /// SQLite needs for it.
    private func append(
        _ query: String, _ names: [String], to table: TableBuilder, sortedBy sorter: TupleSorter,
        _ batch: inout BuiltBatch
    ) throws {
        let columns = table.columns(named: names)
        let select = try connection.prepare(query)
        // The keys are those of objects, and are never NULL.
        while try select.step() {
            let pair: [2 of Int64] = [select.integer(0), select.integer(1)]
            try sorter.add(pair.span)
        }
        let pairs = try sorter.sorted()
        var (rowID, last) = (Int64(0), (Int64(0), Int64(0)))
        while try pairs.advance() {
            if rowID > 0, last == (pairs[0], pairs[1]) { continue }
            last = (pairs[0], pairs[1])
            rowID += 1
            table.beginRow()
            for column in columns { if column < 0 { table.appendNull() } else { table.append(pairs[Int(column)]) } }
            try table.endRow(rowID)
            try end(batch.add(1))
        }
    }

    /// Queries the source if unexpected values have been written; throws if the migration must be refused.
    private func checkWatched() throws {
        guard let watch, watch.isNoted else { return }
        self.watch = nil
        try checkData?()
    }

    private func append(
        _ fill: TableFill, to table: EntityRows, _ keys: ClosedRange<Int64>, _ batch: inout BuiltBatch
    ) throws {
        let copy = try tableCopy(fill, connection, into: table.builder)
        let block = RowBlock(limits: options.fixedLimits.build)
        try copy.begin(keys)
        var isMore = true
        while isMore {
            isMore = try copy.fill(block)
            try append(block, to: table, &batch)
        }
    }

    private func append(
        _ fill: TableFill, to table: EntityRows, _ windows: SharedWindows, _ connections: ReaderConnections,
        _ batch: inout BuiltBatch
    ) throws {
        let readers = try WindowReaders(
            try connections.opened().map { connection in
                let copy = try tableCopy(fill, connection, into: table.builder)
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

    /// Encodes the rows of a window into blocks, and returns the number of rows.
    private static func read(
        _ window: ClosedRange<Int64>, by copy: TableCopy, for reader: WindowReader<RowBlock, RowBlock>
    ) throws -> Int64 {
        try copy.begin(window)
        return try reader.handOver { try copy.fill($0) }
    }

    private func append(_ block: RowBlock, to table: EntityRows, _ batch: inout BuiltBatch) throws {
        try table.append(block)
        try checkWatched()
        try end(batch.add(block.count))
    }

    /// Ends a batch.
    ///
    /// - Parameter rows: the number of rows of a full batch; nil if the batch is not full.
    private func end(_ rows: Int64?) throws {
        guard let rows else { return }
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

/// The number of rows since progress was last reported.
private struct BuiltBatch {
    let limit: Int
    private var rows = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a number of rows.
    ///
    /// - Returns: the number of rows of the batch if it is full; nil otherwise.
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

extension TableBuilder {
    /// Returns the index of each column of the table among quoted names; -1 if it is not among them.
    fileprivate func columns(named names: [String]) -> [Int32] {
        definition.positions(in: names).map { $0.map { Int32($0) } ?? -1 }
    }

    /// Appends a column of a statement to the current row; NULL for -1.
    fileprivate func append(_ column: Int32, from statement: Statement) throws(BuildError) {
        if column < 0 { appendNull() } else { try append(column, of: statement) }
    }
}

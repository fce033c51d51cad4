public import SQLiteAccess
public import SQLiteFileBuilder

/// The rows of a new store's table, in any order of their keys.
///
/// One that comes behind a row with a higher key waits on disk until all are there, and so do all rows that will get
/// links of others' lists.
public final class EntityRows {
    /// The table as it is built; rows in the order of their keys may be appended to it directly.
    public let builder: TableBuilder
    private let rebuild: DatabaseRebuild
    private let memory: SpoolMemory
    /// Rows that wait, and their places by key.
    @exclusivity(unchecked) private var waiting: (rows: ByteFile, places: PairSorter)?
    @exclusivity(unchecked) private var waitsForAll = false
    private var lists: [ListedLinks] = []

    init(_ builder: TableBuilder, of rebuild: DatabaseRebuild, _ memory: SpoolMemory) {
        self.builder = builder
        self.rebuild = rebuild
        self.memory = memory
    }

    /// The table's name.
    public var name: String { builder.definition.name }

    /// Lets all rows wait, because most of them will change: before the first row.
    public func waitForAll() { waitsForAll = true }

    /// Links to the rows that only the objects with the lists name.
    /// - Throws: `BuildError` if a file cannot be made.
    public func list(_ columns: ListedLinks.Columns, _ rule: ListedLinks.Rule) throws(BuildError) -> ListedLinks {
        let made = try ListedLinks(columns, rule, memory, beside: rebuild.path)
        lists.append(made)
        return made
    }

    /// Adds a row whose bytes lie in an arena.
    ///
    /// - Parameters:
    ///   - key: the row's ID, which is not negative.
    ///   - cells: a value for each column.
    ///   - arena: the bytes of texts and data.
    /// - Throws: `BuildError` of the kind `notAscending` if the last row has the same key, of another kind if it is not
    ///   a row of the table, or the disk fails.
    public func append(_ key: Int64, _ cells: Span<ArenaValue>, in arena: Span<UInt8>) throws(BuildError) {
        guard waitsForAll || builder.lastRowID.map({ key < $0 }) ?? false else {
            return try builder.append(key, cells, in: arena)
        }
        let waiting = try waitingRows()
        builder.beginRow()
        for position in cells.indices { try builder.append(cells[position], in: arena) }
        let place = try builder.withEncodedRow { (row) throws(BuildError) in try waiting.rows.append(row) }
        try waiting.places.add(key, place)
    }

    private func waitingRows() throws(BuildError) -> (rows: ByteFile, places: PairSorter) {
        if let waiting { return waiting }
        let made = (try ByteFile(beside: rebuild.path), PairSorter(memory))
        waiting = made
        // All that is built is read again.
        if !waitsForAll { rebuild.leaveIndexes() }
        return made
    }

    // MARK: The end

    /// Whether rows that are built have to be built again.
    var isRebuilt: Bool { builder.count > 0 && (waiting != nil || lists.contains { $0.count > 0 }) }

    /// Appends all rows with their links to the table of a file that is begun again, or those that wait for all.
    ///
    /// - Parameters:
    ///   - built: the rows of the file as it was; nil if it goes on.
    ///   - builder: the table.
    ///   - checkpoint: called once in a while.
    func build(_ built: BuiltRows?, into builder: TableBuilder, _ checkpoint: () throws -> Void) throws {
        let places = try waiting?.places.sorted()
        let lists = lists.filter { $0.count > 0 }
        for list in lists { try list.begin() }
        if !lists.isEmpty {
            try forEachRow(built, places, checkpoint) { key, record in
                for list in lists { try list.take(key, record) }
            }
        }
        for list in lists { try list.finish() }
        var edits = [Int64?](repeating: nil, count: builder.definition.columns.count)
        try forEachRow(built, places, checkpoint) { key, record in
            guard !lists.isEmpty else { return try builder.append(key, record) }
            for list in lists { try list.edit(key, &edits) }
            builder.beginRow()
            for column in edits.indices {
                if let value = edits[column] {
                    builder.append(value)
                    edits[column] = nil
                } else {
                    builder.append(column, of: record)
                }
            }
            try builder.endRow(key)
        }
        (waiting, self.lists) = (nil, lists)
    }

    /// Calls a closure with the rows in the order of their keys: those that were built, and those that wait.
    private func forEachRow(
        _ built: BuiltRows?, _ places: PairFile?, _ checkpoint: () throws -> Void,
        _ body: (_ key: Int64, _ record: StoredRecord) throws -> Void
    ) throws {
        let next = try places?.cursor()
        let record = StoredRecord()
        var count = 0
        func take(_ key: Int64, _ record: StoredRecord) throws {
            count += 1
            if count % StoreAssembly.rowsBetweenCheckpoints == 0 { try checkpoint() }
            try body(key, record)
        }
        func takeWaiting(before key: Int64?) throws {
            guard let next, let rows = waiting?.rows else { return }
            while let own = next.first, key.map({ own < $0 }) ?? true {
                guard try rows.withPiece(at: next.second, { record.load($0) }) else {
                    throw BuildError(.conversion("a row that waited cannot be read again"), path: rebuild.path)
                }
                try take(own, record)
                try next.advance()
            }
        }
        if let scan = try built?.scan(name) {
            while try scan.next() {
                try takeWaiting(before: scan.rowID)
                try take(scan.rowID, scan.record)
            }
        }
        try takeWaiting(before: nil)
    }
}

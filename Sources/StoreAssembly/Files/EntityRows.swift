public import SQLiteAccess
public import SQLiteFileBuilder

/// The rows of a new store's table, which may be added in any order of their keys.
///
/// A row that is added after one with a higher key waits on disk until all rows have been added. If links that only the
/// lists of other objects name will be added to the rows, all rows of the table are written again at the end.
public final class EntityRows {
    /// A column that contains keys of a table's rows. The build owns the tables, which may have links to each other.
    private struct NumberedLink {
        let column: Int
        unowned let destination: EntityRows
    }

    /// The builder of the table. Rows may be appended to it directly if they are in the order of their keys.
    public let builder: TableBuilder
    private let rebuild: DatabaseRebuild
    private let memory: SpoolMemory
    /// The rows that wait, and their offsets by key. The sign bits of the keys are inverted so that negative keys come
    /// first.
    @exclusivity(unchecked) private var waiting: (rows: ByteFile, places: PairSorter)?
    @exclusivity(unchecked) private var waitsForAll = false
    private var lists: [ListedLinks] = []
    /// The links that change after all rows have been added.
    private(set) var changedLinks: [ChangedLinks] = []
    /// The keys that rows were added with, if rows get new keys; at first without those of rows that wait. Otherwise
    /// nil.
    @exclusivity(unchecked) private var ranks: KeyRanks?
    /// The offsets of the rows that wait, in the order of their keys.
    private var places: PairFile?
    /// The columns that contain keys of rows that get new keys.
    private var links: [NumberedLink] = []
    /// The number of links to rows that do not exist.
    private(set) var unresolved = 0

    init(_ builder: TableBuilder, of rebuild: DatabaseRebuild, _ memory: SpoolMemory) {
        self.builder = builder
        self.rebuild = rebuild
        self.memory = memory
    }

    /// The table's name.
    public var name: String { builder.definition.name }

    /// Makes all rows wait, because most of them will change. Must be called before the first row is added.
    public func waitForAll() { waitsForAll = true }

    /// Gives the rows new keys when the table is finished: they begin at 1 and have no gaps, in the order of the keys
    /// that the rows were added with. Must be called before the first row is added.
    ///
    /// - Parameter blocks: stores the keys that the rows are added with.
    func renumber(_ blocks: KeyBlocks) {
        ranks = KeyRanks(blocks)
        rebuild.leaveIndexes()
    }

    /// Declares that a column contains keys of a table's rows.
    func link(_ column: Int, to destination: EntityRows) {
        links.append(NumberedLink(column: column, destination: destination))
    }

    /// Returns the new key of a row, after all rows have been added; a negative number, which no row has, if no row was
    /// added with the old key.
    /// - Throws: `BuildError` if a file cannot be read.
    public func newKey(of old: Int64) throws(BuildError) -> Int64 {
        try ranks?.newKey(of: old) ?? old
    }

    /// Returns the key that a row was added with; nil if rows keep their keys, or if no row has this new key.
    /// - Throws: `BuildError` if a file cannot be read.
    public func oldKey(of new: Int64) throws(BuildError) -> Int64? {
        try ranks?.oldKey(of: new)
    }

    /// The number of rows that got new keys; nil if rows keep their keys.
    public var renumberedCount: Int64? { ranks?.count }

    /// Returns links to the rows that the lists of other objects name.
    ///
    /// - Parameters:
    ///   - owners: the rows of the objects with the lists.
    ///   - columns: the columns of the rows that store the links.
    ///   - rule: the links that are valid.
    /// - Throws: `BuildError` if a file cannot be created.
    public func list(
        of owners: EntityRows, _ columns: ListedLinks.Columns, _ rule: ListedLinks.Rule
    ) throws(BuildError) -> ListedLinks {
        let made = try ListedLinks(of: owners, columns, rule, memory, beside: rebuild.path)
        lists.append(made)
        return made
    }

    /// Returns the links in some columns, which are changed after all rows have been added.
    func links(in columns: ChangedLinks.Columns, _ changes: LinkChanges) throws(BuildError) -> ChangedLinks {
        if let known = changedLinks.first(where: { $0.columns.key == columns.key }) { return known }
        let made = try ChangedLinks(columns, of: builder.definition, changes)
        changedLinks.append(made)
        return made
    }

    /// Adds a row whose texts and data are in an arena.
    ///
    /// - Parameters:
    ///   - key: the row's ID, which is not negative.
    ///   - cells: a value for each column.
    ///   - arena: the bytes of texts and data.
    /// - Throws: `BuildError` of the kind `notAscending` if the last row has the same key, of another kind if it is not
    ///   a row of the table, or the disk fails.
    public func append(_ key: Int64, _ cells: Span<ArenaValue>, in arena: Span<UInt8>) throws(BuildError) {
        guard isLate(key) else {
            try builder.append(key, cells, in: arena)
            try ranks?.append(key)
            return
        }
        builder.beginRow()
        for position in cells.indices { try builder.append(cells[position], in: arena) }
        try wait(key)
    }

    /// Adds the row that was begun in `builder`.
    /// - Throws: `BuildError` of the kind `notAscending` if the last row has the same key, of another kind if it is not
    ///   a row of the table, or the disk fails.
    public func endRow(_ key: Int64) throws(BuildError) {
        if isLate(key) { return try wait(key) }
        try builder.endRow(key)
        try ranks?.append(key)
    }

    private func isLate(_ key: Int64) -> Bool { waitsForAll || builder.lastRowID.map { key < $0 } ?? false }

    /// Makes the row that was begun wait.
    private func wait(_ key: Int64) throws(BuildError) {
        let waiting = try waitingRows()
        let place = try builder.withEncodedRow { (row) throws(BuildError) in try waiting.rows.append(row) }
        try waiting.places.add(key ^ .min, place)
    }

    /// Adds rows that are encoded for the table's definition, in the order of their keys.
    ///
    /// - Parameter rows: the rows.
    ///
    /// - Throws: `BuildError` of the kind `notAscending` if rows have the same key, of another kind if the disk fails.
    public func append(_ rows: RowBlock) throws(BuildError) {
        let isBehind = builder.lastRowID.flatMap { last in rows.firstRowID.map { $0 > last } } ?? true
        guard waitsForAll || !isBehind || ranks != nil else { return try builder.append(rows) }
        let waiting = try waitingRows()
        try rows.forEach { (key, record) throws(BuildError) in
            try waiting.places.add(key ^ .min, try waiting.rows.append(record))
        }
    }

    private func waitingRows() throws(BuildError) -> (rows: ByteFile, places: PairSorter) {
        if let waiting { return waiting }
        let made = (try ByteFile(beside: rebuild.path), PairSorter(memory))
        waiting = made
        // The rows that are already built will be read again.
        if !waitsForAll { rebuild.leaveIndexes() }
        return made
    }

    // MARK: The end

    /// Whether rows that are already built have to be built again.
    var isRebuilt: Bool { builder.count > 0 && (waiting != nil || lists.contains { $0.count > 0 }) }

    /// Sorts the rows that wait, and finds the keys of all rows. Must be called before the first table is built.
    ///
    /// - Parameter blocks: stores the keys of rows that get new ones; nil if rows keep their keys.
    /// - Throws: `BuildError` of the kind `notAscending` if two rows that get new keys have the same one.
    func sort(_ blocks: KeyBlocks?) throws(BuildError) {
        places = try waiting?.places.sorted()
        guard let built = ranks, let blocks, let next = try places?.cursor() else { return }
        var all = KeyRanks(blocks)
        var last: Int64 = 0
        func append(_ key: Int64) throws(BuildError) {
            guard key > last else {
                throw BuildError(.notAscending(table: name, row: key, previous: last), path: rebuild.path)
            }
            try all.append(key)
            last = key
        }
        for rank in 1..<built.count + 1 {
            let key = try built.key(at: rank)
            while let own = next.first.map({ $0 ^ .min }), own < key {
                try append(own)
                try next.advance()
            }
            try append(key)
        }
        while let own = next.first.map({ $0 ^ .min }) {
            try append(own)
            try next.advance()
        }
        ranks = all
    }

    /// Passes all rows to the links that change.
    func takeLinks(_ built: BuiltRows?, _ checkpoint: () throws -> Void) throws {
        guard !changedLinks.isEmpty else { return }
        try forEachRow(built, places, checkpoint) { key, record in
            for links in changedLinks { try links.take(key, record) }
        }
    }

    /// Appends all rows with their links to the table of a restarted file, or the rows that wait to the table of the
    /// current file.
    ///
    /// - Parameters:
    ///   - built: the rows that are already built, in the file before the restart or in another file; nil if there are
    ///     no such rows.
    ///   - builder: the table.
    ///   - checkpoint: called once in a while.
    func build(_ built: BuiltRows?, into builder: TableBuilder, _ checkpoint: () throws -> Void) throws {
        let lists = lists.filter { $0.count > 0 }
        for list in lists { try list.begin() }
        if !lists.isEmpty {
            try forEachRow(built, places, checkpoint) { key, record in
                for list in lists { try list.take(key, record) }
            }
        }
        for list in lists { try list.finish() }
        /// For each column, its new value, which may be NULL; nil if the value stays.
        var edits = [Int64??](repeating: nil, count: builder.definition.columns.count)
        try forEachRow(built, places, checkpoint) { key, record in
            guard !lists.isEmpty || !changedLinks.isEmpty || ranks != nil else {
                return try builder.append(key, record)
            }
            for list in lists { try list.edit(key, &edits) }
            for links in changedLinks { try links.edit(key, &edits) }
            for link in links {
                guard let old = edits[link.column] ?? record.integer(link.column) else { continue }
                let new = try link.destination.newKey(of: old)
                if new < 0 { unresolved += 1 }
                edits[link.column] = new
            }
            builder.beginRow()
            for column in edits.indices {
                if let value = edits[column] {
                    if let value { builder.append(value) } else { builder.appendNull() }
                    edits[column] = nil
                } else {
                    builder.append(column, of: record)
                }
            }
            try builder.endRow(try newKey(of: key))
        }
        for list in lists { try list.renumberOwners() }
        (waiting, places, self.lists, changedLinks) = (nil, nil, lists, [])
    }

    /// Calls a closure with the rows in the order of their keys: those that are built, and those that wait.
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
            while let own = next.first.map({ $0 ^ .min }), key.map({ own < $0 }) ?? true {
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

public import SQLiteAccess

/// The number of a table's rows, counted from the pages of its b-tree.
///
/// SQLite's `count(*)` reads all bytes of these pages and, if there is a condition, executes a program for each row.
/// Here only the headers of leaves are read, or one value of each row, which takes less than half of the time.
public enum RowCount {
    /// A column and the integer that a row must have in it to be counted.
    public typealias Wanted = (column: String, number: Int64)

    /// Counts the rows of a table of the main database.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - wanted: what the rows must have; nil to count all rows.
    ///   - connection: a connection to the database.
    /// - Throws: `SQLiteError` if the table cannot be read, or if the connection is interrupted.
    public static func rows(
        of table: String, having wanted: Wanted? = nil, on connection: Connection
    ) throws(SQLiteError) -> Int64 {
        if let count = try? countFromPages(table, wanted, connection) { return count }
        // SQLite reports what is wrong with a page.
        let condition = wanted.map { " WHERE \(SQLiteIdentifier.quoted($0.column)) = \($0.number)" } ?? ""
        let name = SQLiteIdentifier.quoted(table)
        return try connection.value("SELECT count(*) FROM main.\(name)\(condition)").integer ?? 0
    }

    /// Returns nil if the pages of the file alone do not determine the number, or if they are damaged.
    private static func countFromPages(
        _ name: String, _ wanted: Wanted?, _ connection: Connection
    ) throws(SQLiteError) -> Int64? {
        // Uncommitted changes are not in the pages of the file.
        guard !connection.isInTransaction else { return nil }
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        guard let table = try RecordTable(name, in: "main", of: connection) else { return nil }
        let value = wanted.flatMap { table.value($0.column) }
        guard wanted == nil || value?.affinity == .integer else { return nil }
        let pages = try PageReader(connection)
        guard !pages.hasLog else { return nil }
        var walk = RowCountWalk(pages, wanted: value.flatMap { value in wanted.map { (value.position, $0.number) } })
        return try walk.visit(table.root, depth: 0) { connection.isCancelled } ? walk.count : nil
    }
}

/// A walk over the pages of a table.
private struct RowCountWalk: ~Copyable {
    private let pages: PageReader
    private let limits: PayloadLimits
    /// The position of the column that is compared, and the number that is counted; nil if all rows are counted.
    private let wanted: (position: Int, number: Int64)?
    private(set) var count: Int64 = 0
    private var visited: UInt32 = 0
    /// The header of the current page.
    private var header = [UInt8](repeating: 0, count: 8)
    /// Pages that were read together, because most leaves follow each other, and the number of the first one.
    private var run: [UInt8] = []
    private var firstOfRun: UInt32 = 1

    /// The bytes that are read at a time, unless a page is larger.
    private static let bytesPerRead = 1 << 16
    private static let pagesBetweenQuestions: UInt32 = 1 << 10

    init(_ pages: PageReader, wanted: (position: Int, number: Int64)?) {
        self.pages = pages
        self.wanted = wanted
        limits = PayloadLimits(usable: pages.usableSize, isTable: true)
    }

    /// Counts the rows of a page and of those below it. Returns false if a page is damaged, or if the walk is
    /// cancelled.
    mutating func visit(_ page: UInt32, depth: Int, _ isCancelled: () -> Bool) throws(SQLiteError) -> Bool {
        // The first page has another layout, and is the root of the schema. A tree has each page once.
        guard page > 1, page <= pages.pageCount, depth < TreePage.mostLevels, visited < pages.pageCount else {
            return false
        }
        if visited % Self.pagesBetweenQuestions == 0, isCancelled() { return false }
        visited += 1
        let start = wanted == nil ? 0 : try load(page)
        if wanted == nil { try pages.read(from: page, into: &header) } else { header = Array(run[start..<start + 8]) }
        let cells = header.span.number16(at: 3)
        switch TreePage.Kind(rawValue: header[0]) {
        case .tableLeaf:
            guard let wanted else {
                count += Int64(cells)
                return true
            }
            guard let found = rows(having: wanted, of: cells, at: start) else { return false }
            count += found
            return true
        case .tableInterior:
            guard let children = try children(of: page, cells) else { return false }
            for child in children where try !visit(child, depth: depth + 1, isCancelled) { return false }
            return true
        default: return false
        }
    }

    /// Makes sure that a page is in memory, and returns its offset.
    private mutating func load(_ page: UInt32) throws(SQLiteError) -> Int {
        let size = pages.pageSize
        if page < firstOfRun || Int(page - firstOfRun) * size >= run.count {
            let most = min(max(1, Self.bytesPerRead / size), Int(pages.pageCount - page) + 1)
            if run.count != most * size { run = [UInt8](repeating: 0, count: most * size) }
            try pages.read(from: page, into: &run)
            firstOfRun = page
        }
        return Int(page - firstOfRun) * size
    }

    private func children(of page: UInt32, _ cells: Int) throws(SQLiteError) -> [UInt32]? {
        var bytes = [UInt8](repeating: 0, count: pages.pageSize)
        try pages.read(page, into: &bytes)
        let pointers = TreePage.Kind.tableInterior.headerSize
        guard pointers + 2 * cells <= pages.usableSize else { return nil }
        var children: [UInt32] = []
        for cell in 0..<cells {
            let place = bytes.span.number16(at: pointers + 2 * cell)
            guard place + 4 <= pages.usableSize else { return nil }
            children.append(bytes.span.number32(at: place))
        }
        return children + [bytes.span.number32(at: 8)]
    }

    /// Returns the number of the rows of a leaf that have a number in a column; nil if the leaf is damaged, or if a row
    /// is so long that the value may be on another page.
    @_optimize(speed)
    private func rows(having wanted: (position: Int, number: Int64), of cells: Int, at start: Int) -> Int64? {
        let usable = pages.usableSize
        let bytes = run.span.extracting(start..<start + usable)
        let pointers = TreePage.Kind.tableLeaf.headerSize
        guard pointers + 2 * cells <= usable else { return nil }
        var count: Int64 = 0
        for cell in 0..<cells {
            guard
                let (size, first) = bytes.varint(at: bytes.number16(at: pointers + 2 * cell), before: usable),
                size <= UInt64(Int32.max), let (_, payload) = bytes.varint(at: first, before: usable)
            else { return nil }
            let end = payload + limits.local(Int(size))
            guard end <= usable, let (headerSize, types) = bytes.varint(at: payload, before: end),
                headerSize <= UInt64(end - payload)
            else { return nil }
            var (offset, value) = (types, payload + Int(headerSize))
            let headerEnd = value
            // The record may end before the column, whose value is then NULL.
            var position = 0
            while offset < headerEnd {
                guard let (type, next) = bytes.varint(at: offset, before: headerEnd), type <= UInt64(UInt32.max)
                else { return nil }
                let length = SerialType.length(type)
                if position == wanted.position {
                    guard value + length <= end else { return nil }
                    if SerialType.isInteger(type),
                        SerialType.integer(of: type, bytes.extracting(value..<value + length)) == wanted.number
                    {
                        count += 1
                    }
                    break
                }
                (offset, value, position) = (next, value + length, position + 1)
            }
        }
        return count
    }
}

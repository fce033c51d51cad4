public import SQLiteAccess

/// Reads the records of a table in the order of their row IDs, from the pages of its b-tree.
///
/// Pages are not trusted: a damaged page causes an error with its number. Memory holds one page for each level of the
/// tree, and the current record if it has overflow pages.
public struct TableRecords: ~Copyable {
    /// A page above the leaves, and the number of its current child.
    private struct Level {
        var bytes: [UInt8]
        var page: CheckedPage
        var child: Int
    }

    private let pages: PageReader
    /// The number of usable bytes of a page.
    private let usable: Int
    private let root: UInt32
    private let limits: PayloadLimits
    private var levels: [Level] = []
    private var leaf: [UInt8]
    private var leafNumber: UInt32 = 0
    private var leafCount = 0
    private var leafPointers = 0
    private var cell = 0
    private var local: Range<Int> = 0..<0
    /// The record, if it has overflow pages.
    private var assembled: [UInt8] = []
    private var isAssembled = false

    /// Prepares to read a table from its first row on.
    /// - Parameters:
    ///   - pages: the pages of the database.
    ///   - root: the number of the table's root page.
    public init(_ pages: PageReader, root: UInt32) {
        self.pages = pages
        usable = pages.usableSize
        self.root = root
        limits = PayloadLimits(usable: usable, isTable: true)
        leaf = [UInt8](repeating: 0, count: pages.pageSize)
    }

    /// Moves to the first row whose ID is at least a number, so that `next()` reads it.
    /// - Throws: `SQLiteError`, with the page number, if a page cannot be read or is damaged.
    public mutating func seek(to rowID: Int64) throws(SQLiteError) {
        levels.removeAll(keepingCapacity: true)
        try descend(from: root, to: rowID)
    }

    /// Reads the next row.
    ///
    /// - Throws: `SQLiteError`, with the page number, if a page cannot be read or is damaged.
    /// - Returns: the ID of the row; nil after the last row.
    public mutating func next() throws(SQLiteError) -> Int64? {
        while cell >= leafCount {
            guard try goToNextLeaf() else { return nil }
        }
        let start = leaf.span.number16(at: leafPointers + 2 * cell)
        cell += 1
        guard let (size, behind) = leaf.span.varint(at: start, before: usable), size <= UInt64(Int32.max),
            let (rowID, payload) = leaf.span.varint(at: behind, before: usable)
        else { throw damage(leafNumber) }
        let count = limits.local(Int(size))
        isAssembled = count < Int(size)
        // Overflow pages that form a cycle must not produce a record that is larger than the file.
        guard payload + count + (isAssembled ? 4 : 0) <= usable,
            Int(size) <= Int(pages.pageCount) * usable
        else { throw damage(leafNumber) }
        local = payload..<payload + count
        if isAssembled { try assemble(Int(size)) }
        return Int64(bitPattern: rowID)
    }

    /// Calls a closure with the record of the row that was read last.
    /// - Throws: the closure's error.
    @inline(__always)
    public func withRecord<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        isAssembled ? try body(assembled.span) : try body(leaf.span.extracting(local))
    }

    /// Returns the error for a page that is not a page of a table, or contradicts itself.
    public func damage(_ page: UInt32? = nil) -> SQLiteError {
        SQLiteError.malformed("page \(page ?? leafNumber) is damaged", path: pages.path)
    }

    // MARK: - The tree

    private mutating func descend(from first: UInt32, to rowID: Int64) throws(SQLiteError) {
        var number = first
        while true {
            try read(number)
            guard let page = CheckedPage(leaf.span, isFirst: number == 1), page.pointersEnd <= usable else {
                throw damage(number)
            }
            switch page.kind {
            case .tableLeaf:
                (leafNumber, leafCount, leafPointers) = (number, page.cellCount, page.pointers)
                cell = try firstCell(of: page, from: rowID, at: number)
                return
            case .tableInterior:
                guard levels.count < TreePage.mostLevels else { throw damage(number) }
                let child = try firstCell(of: page, from: rowID, at: number)
                let bytes = leaf
                levels.append(Level(bytes: bytes, page: page, child: child))
                number = try self.child(number)
            default: throw damage(number)
            }
        }
    }

    /// Returns the first cell whose row ID is at least a number: in a leaf the row itself, in a page above the leaves
    /// the child that contains it.
    private func firstCell(of page: CheckedPage, from rowID: Int64, at number: UInt32) throws(SQLiteError) -> Int {
        var (low, high) = (0, page.cellCount)
        while low < high {
            let middle = (low + high) / 2
            let start = leaf.span.number16(at: page.pointers + 2 * middle)
            var offset = start + 4
            if page.kind == .tableLeaf {
                guard let (_, end) = leaf.span.varint(at: start, before: usable) else { throw damage(number) }
                offset = end
            }
            guard let (key, _) = leaf.span.varint(at: offset, before: usable) else { throw damage(number) }
            if Int64(bitPattern: key) < rowID { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the page number of the current child on the lowest level.
    private func child(_ number: UInt32) throws(SQLiteError) -> UInt32 {
        let level = levels[levels.count - 1]
        if level.child == level.page.cellCount { return level.bytes.span.number32(at: level.page.start + 8) }
        let start = level.bytes.span.number16(at: level.page.pointers + 2 * level.child)
        guard start + 4 <= usable else { throw damage(number) }
        return level.bytes.span.number32(at: start)
    }

    private mutating func goToNextLeaf() throws(SQLiteError) -> Bool {
        while let level = levels.last {
            guard level.child < level.page.cellCount else {
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].child += 1
            try descend(from: try child(leafNumber), to: .min)
            return true
        }
        return false
    }

    private mutating func read(_ number: UInt32) throws(SQLiteError) {
        guard number >= 1, number <= pages.pageCount else { throw damage(number) }
        try pages.read(number, into: &leaf)
    }

    private mutating func assemble(_ size: Int) throws(SQLiteError) {
        assembled.removeAll(keepingCapacity: assembled.capacity <= 1 << 20)
        assembled.append(contentsOf: leaf[local])
        var number = leaf.span.number32(at: local.upperBound)
        var bytes = [UInt8](repeating: 0, count: pages.pageSize)
        while assembled.count < size {
            guard number >= 1, number <= pages.pageCount else { throw damage() }
            try pages.read(number, into: &bytes)
            let count = min(size - assembled.count, usable - 4)
            assembled.append(contentsOf: bytes[4..<4 + count])
            number = bytes.span.number32(at: 0)
        }
    }
}

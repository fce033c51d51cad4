/// Reads the rows of a table in the order of their IDs, leaf by leaf ("Database File Format", section 1.6).
///
/// The file is not trusted: if a page contradicts the page that leads to it, an error is thrown.
public final class LeafScan {
    private let file: OutputFile
    private let limits: PayloadLimits
    private let pageSize: Int
    @exclusivity(unchecked) private var path: [InteriorPage] = []
    /// Pages that were read together, because most leaves follow each other.
    @exclusivity(unchecked) private var pages: ByteBuffer
    private let bytesPerRead: Int
    @exclusivity(unchecked) private var pageRange: Range<UInt32> = 0..<0
    /// The offset of the leaf in these pages.
    @exclusivity(unchecked) private var leaf = 0
    @exclusivity(unchecked) private var leafPage: UInt32 = 0
    @exclusivity(unchecked) private var cellCount = 0
    @exclusivity(unchecked) private var nextCell = 0
    @exclusivity(unchecked) private var overflow: ByteBuffer
    /// The current row.
    public let record = StoredRecord()
    /// The ID of the current row.
    @exclusivity(unchecked) public private(set) var rowID: Int64 = 0

    /// The largest number of levels of a tree: each page above the leaves, except for the root, has at least two
    /// children.
    private static let deepest = 40
    /// The bytes that are read at a time, unless a page is larger.
    private static let bytesPerRead = 1 << 16
    /// The offset of the first pointer in a leaf.
    private static let pointers = 8
    /// The longest prefix of a cell, which a damaged page may have at its end.
    private static let longestPrefix = 2 * Varint.maximumLength

    init(_ file: OutputFile, root: UInt32, pageSize: Int) throws(BuildError) {
        self.file = file
        self.pageSize = pageSize
        limits = PayloadLimits(usable: pageSize, isTable: true)
        bytesPerRead = max(pageSize, Self.bytesPerRead)
        pages = ByteBuffer(capacity: bytesPerRead + Self.longestPrefix)
        overflow = ByteBuffer(capacity: pageSize)
        try descend(to: root)
    }

    /// Moves to the next row; returns false after the last one.
    /// - Throws: `BuildError` of the kind `damaged` if a page contradicts the page that leads to it; another kind if
    ///   the file cannot be read.
    public func next() throws(BuildError) -> Bool {
        guard try nextRecord() else { return false }
        guard record.takeApart() else { throw damage }
        return true
    }

    /// Moves to the next row like `next()`, but without parsing its record, which then can only be used by
    /// `RowPatcher`. Does not move, and returns false, if the ID of that row is higher than a number.
    /// - Throws: `BuildError`, like `next()`.
    public func nextRecord(upTo last: Int64 = .max) throws(BuildError) -> Bool {
        while nextCell >= cellCount {
            guard try nextLeaf(from: .min) else { return false }
        }
        guard try read(place(of: nextCell), upTo: last) else { return false }
        nextCell += 1
        return true
    }

    /// Moves forward, so that the next row is the first one whose ID is at least a number. Rows before the current
    /// position are not found.
    /// - Throws: `BuildError`, like `next()`.
    public func skip(to first: Int64) throws(BuildError) {
        while true {
            var end = cellCount
            while nextCell < end {
                let middle = (nextCell + end) / 2
                if try id(of: middle) < first { nextCell = middle + 1 } else { end = middle }
            }
            guard nextCell == cellCount, try nextLeaf(from: first) else { return }
        }
    }

    /// Moves to the next leaf that may have rows whose IDs are at least a number.
    private func nextLeaf(from first: Int64) throws(BuildError) -> Bool {
        while let last = path.last {
            if let child = last.nextChild(from: first) {
                try descend(to: child, from: first)
                return true
            }
            path.removeLast()
        }
        return false
    }

    private func descend(to page: UInt32, from id: Int64 = .min) throws(BuildError) {
        var page = page
        while true {
            guard page > 0, path.count < Self.deepest else { throw damaged(page) }
            try load(page)
            let count = Int(pages.load(UInt16.self, at: leaf + 3))
            let kind = TreePage.Kind(rawValue: pages[leaf])
            switch kind {
            case .tableLeaf:
                guard 8 + 2 * count <= pageSize else { throw damaged(page) }
                (leafPage, cellCount, nextCell) = (page, count, 0)
                return
            case .tableInterior:
                guard let interior = InteriorPage(pages, at: leaf, count, pageSize: pageSize),
                    let first = interior.nextChild(from: id)
                else { throw damaged(page) }
                path.append(interior)
                page = first
            default: throw damaged(page)
            }
        }
    }

    /// Makes sure that a page is in memory, at `leaf`.
    private func load(_ page: UInt32) throws(BuildError) {
        if !pageRange.contains(page) {
            let count = try file.read(&pages, 0..<bytesPerRead, at: Int64(page - 1) * Int64(pageSize)) / pageSize
            pageRange = page..<page + UInt32(count)
            guard count > 0 else { throw damaged(page) }
        }
        leaf = Int(page - pageRange.lowerBound) * pageSize
    }

    @inline(__always)
    private func place(of cell: Int) throws(BuildError) -> Int {
        let place = Int(pages.load(UInt16.self, at: leaf + Self.pointers + 2 * cell))
        guard place >= 8, place + 2 <= pageSize else { throw damaged(leafPage) }
        return place
    }

    private func id(of cell: Int) throws(BuildError) -> Int64 {
        let place = leaf + (try place(of: cell))
        return Int64(bitPattern: pages.loadVarint(at: place + pages.loadVarint(at: place).length).value)
    }

    /// Reads a cell of the leaf, unless its row ID is higher than a number.
    private func read(_ place: Int, upTo last: Int64) throws(BuildError) -> Bool {
        let (payload, first) = pages.loadVarint(at: leaf + place)
        let (id, second) = pages.loadVarint(at: leaf + place + first)
        guard Int64(bitPattern: id) <= last else { return false }
        guard payload <= UInt64(TableDefinition.largestRow) else { throw damaged(leafPage) }
        let size = Int(payload)
        let local = limits.local(size)
        let start = place + first + second
        guard start + local + (local < size ? 4 : 0) <= pageSize else { throw damaged(leafPage) }
        rowID = Int64(bitPattern: id)
        record.prepare(size)
        record.fill(pages, leaf + start..<leaf + start + local, at: 0)
        if local < size {
            try readOverflow(pages.load(UInt32.self, at: leaf + start + local), from: local, to: size)
        }
        return true
    }

    private func readOverflow(_ first: UInt32, from start: Int, to end: Int) throws(BuildError) {
        var (page, place) = (first, start)
        while place < end {
            guard page > 0,
                try file.read(&overflow, 0..<pageSize, at: Int64(page - 1) * Int64(pageSize)) == pageSize
            else { throw damaged(page) }
            let count = min(pageSize - 4, end - place)
            record.fill(overflow, 4..<4 + count, at: place)
            place += count
            page = overflow.load(UInt32.self, at: 0)
        }
    }

    /// The error for a row whose record is malformed.
    var damage: BuildError { damaged(leafPage) }

    private func damaged(_ page: UInt32) -> BuildError {
        BuildError(.damaged(page: page), path: file.path)
    }
}

/// Iterates over the children of an interior page.
private final class InteriorPage {
    private var children: [UInt32] = []
    /// The highest row ID of each child but the last.
    private var bounds: [Int64] = []
    private var next = 0

    /// Returns nil if the page is damaged.
    init?(_ bytes: borrowing ByteBuffer, at start: Int, _ count: Int, pageSize: Int) {
        let header = TreePage.Kind.tableInterior.headerSize
        guard header + 2 * count <= pageSize else { return nil }
        for index in 0..<count {
            let place = Int(bytes.load(UInt16.self, at: start + header + 2 * index))
            guard place + 4 <= pageSize else { return nil }
            children.append(bytes.load(UInt32.self, at: start + place))
            bounds.append(Int64(bitPattern: bytes.loadVarint(at: start + place + 4).value))
        }
        children.append(bytes.load(UInt32.self, at: start + 8))
    }

    /// Returns the next child that may have rows whose IDs are at least a number; nil if there is none.
    func nextChild(from first: Int64) -> UInt32? {
        while next < bounds.count, bounds[next] < first { next += 1 }
        guard next < children.count else { return nil }
        defer { next += 1 }
        return children[next]
    }
}

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

    init(_ file: OutputFile, root: UInt32, pageSize: Int) throws(BuildError) {
        self.file = file
        self.pageSize = pageSize
        limits = PayloadLimits(usable: pageSize, isTable: true)
        pages = ByteBuffer(capacity: max(pageSize, Self.bytesPerRead))
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
    /// `RowPatcher`.
    /// - Throws: `BuildError`, like `next()`.
    public func nextRecord() throws(BuildError) -> Bool {
        while nextCell >= cellCount {
            guard try nextLeaf() else { return false }
        }
        try read(Int(pages.load(UInt16.self, at: leaf + TreePage.Kind.tableLeaf.headerSize + 2 * nextCell)))
        nextCell += 1
        return true
    }

    private func nextLeaf() throws(BuildError) -> Bool {
        while let last = path.last {
            if let child = last.nextChild() {
                try descend(to: child)
                return true
            }
            path.removeLast()
        }
        return false
    }

    private func descend(to page: UInt32) throws(BuildError) {
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
                    let first = interior.nextChild()
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
            let count = try file.read(&pages, 0..<pages.capacity, at: Int64(page - 1) * Int64(pageSize)) / pageSize
            pageRange = page..<page + UInt32(count)
            guard count > 0 else { throw damaged(page) }
        }
        leaf = Int(page - pageRange.lowerBound) * pageSize
    }

    /// Reads a cell of the leaf.
    private func read(_ place: Int) throws(BuildError) {
        guard place >= 8, place + 2 <= pageSize else { throw damaged(leafPage) }
        let (payload, first) = pages.loadVarint(at: leaf + place)
        let (id, second) = pages.loadVarint(at: leaf + place + first)
        guard payload <= UInt64(TableDefinition.largestRow) else { throw damaged(leafPage) }
        let size = Int(payload)
        let local = limits.local(size)
        let start = place + first + second
        guard start + local + (local < size ? 4 : 0) <= pageSize else { throw damaged(leafPage) }
        rowID = Int64(bitPattern: id)
        record.prepare(size)
        record.fill(pages, leaf + start..<leaf + start + local, at: 0)
        guard local < size else { return }
        try readOverflow(pages.load(UInt32.self, at: leaf + start + local), from: local, to: size)
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
    private var next = 0

    /// Returns nil if the page is damaged.
    init?(_ bytes: borrowing ByteBuffer, at start: Int, _ count: Int, pageSize: Int) {
        let header = TreePage.Kind.tableInterior.headerSize
        guard header + 2 * count <= pageSize else { return nil }
        for index in 0..<count {
            let place = Int(bytes.load(UInt16.self, at: start + header + 2 * index))
            guard place + 4 <= pageSize else { return nil }
            children.append(bytes.load(UInt32.self, at: start + place))
        }
        children.append(bytes.load(UInt32.self, at: start + 8))
    }

    func nextChild() -> UInt32? {
        guard next < children.count else { return nil }
        defer { next += 1 }
        return children[next]
    }
}

/// Reads the rows of a table in the order of their ids, leaf by leaf ("Database File Format", section 1.6).
///
/// Nothing of the file is trusted: a page that is not what its parent says is an error.
public final class LeafScan {
    private let file: OutputFile
    private let limits: PayloadLimits
    private let pageSize: Int
    @exclusivity(unchecked) private var path: [InteriorPage] = []
    @exclusivity(unchecked) private var leaf: ByteBuffer
    @exclusivity(unchecked) private var leafPage: UInt32 = 0
    @exclusivity(unchecked) private var cellCount = 0
    @exclusivity(unchecked) private var nextCell = 0
    @exclusivity(unchecked) private var overflow: ByteBuffer
    /// The row that the scan is at.
    public let record = StoredRecord()
    /// The ID of the row that the scan is at.
    @exclusivity(unchecked) public private(set) var rowID: Int64 = 0

    /// Levels of a tree: each has at least two children but for the root.
    private static let deepest = 40

    init(_ file: OutputFile, root: UInt32, pageSize: Int) throws(BuildError) {
        self.file = file
        self.pageSize = pageSize
        limits = PayloadLimits(usable: pageSize, isTable: true)
        leaf = ByteBuffer(capacity: pageSize)
        overflow = ByteBuffer(capacity: pageSize)
        try descend(to: root)
    }

    /// Goes to the next row; false behind the last one.
    /// - Throws: `BuildError` of the kind `damaged` if a page is not what leads to it says; another one if the file
    ///   cannot be read.
    public func next() throws(BuildError) -> Bool {
        while nextCell >= cellCount {
            guard try nextLeaf() else { return false }
        }
        try read(Int(leaf.load(UInt16.self, at: TreePage.Kind.tableLeaf.headerSize + 2 * nextCell)))
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
            guard page > 0, path.count < Self.deepest,
                try file.read(&leaf, 0..<pageSize, at: Int64(page - 1) * Int64(pageSize)) == pageSize
            else { throw damaged(page) }
            let count = Int(leaf.load(UInt16.self, at: 3))
            let kind = TreePage.Kind(rawValue: leaf[0])
            switch kind {
            case .tableLeaf:
                guard 8 + 2 * count <= pageSize else { throw damaged(page) }
                (leafPage, cellCount, nextCell) = (page, count, 0)
                return
            case .tableInterior:
                guard let interior = InteriorPage(leaf, count, pageSize: pageSize), let first = interior.nextChild()
                else { throw damaged(page) }
                path.append(interior)
                page = first
            default: throw damaged(page)
            }
        }
    }

    /// Takes over the cell at a place of the leaf.
    private func read(_ place: Int) throws(BuildError) {
        guard place >= 8, place + 2 <= pageSize else { throw damaged(leafPage) }
        let (payload, first) = leaf.loadVarint(at: place)
        let (id, second) = leaf.loadVarint(at: place + first)
        guard payload <= UInt64(TableDefinition.largestRow) else { throw damaged(leafPage) }
        let size = Int(payload)
        let local = limits.local(size)
        let start = place + first + second
        guard start + local + (local < size ? 4 : 0) <= pageSize else { throw damaged(leafPage) }
        rowID = Int64(bitPattern: id)
        record.prepare(size)
        record.fill(leaf, start..<start + local, at: 0)
        if local < size { try readOverflow(leaf.load(UInt32.self, at: start + local), from: local, to: size) }
        guard record.takeApart() else { throw damaged(leafPage) }
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

    private func damaged(_ page: UInt32) -> BuildError {
        BuildError(.damaged(page: page), path: file.path)
    }
}

/// The children of an interior page, one after the other.
private final class InteriorPage {
    private var children: [UInt32] = []
    private var next = 0

    /// nil if the page is damaged.
    init?(_ bytes: borrowing ByteBuffer, _ count: Int, pageSize: Int) {
        let header = TreePage.Kind.tableInterior.headerSize
        guard header + 2 * count <= pageSize else { return nil }
        for index in 0..<count {
            let place = Int(bytes.load(UInt16.self, at: header + 2 * index))
            guard place + 4 <= pageSize else { return nil }
            children.append(bytes.load(UInt32.self, at: place))
        }
        children.append(bytes.load(UInt32.self, at: 8))
    }

    func nextChild() -> UInt32? {
        guard next < children.count else { return nil }
        defer { next += 1 }
        return children[next]
    }
}

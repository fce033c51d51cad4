/// One level of a b-tree that grows at its right end ("Database File Format", section 1.6).
///
/// A full page is held back until the next page has a cell of its own, so that no page except a root is empty. The last
/// cell of the page that was held back, or its last key in a leaf of a table, then becomes the divider in the level
/// above.
final class TreeLevel {
    private let file: PageFile
    private let limits: PayloadLimits
    /// The bytes of the left child in each cell.
    private let prefix: Int
    @exclusivity(unchecked) private var page: TreePage
    @exclusivity(unchecked) private var held: TreePage
    @exclusivity(unchecked) private var isHeld = false
    /// The right child of the page that is held back, and the divider between it and the next page.
    @exclusivity(unchecked) private var heldChild: UInt32 = 0
    @exclusivity(unchecked) private var heldDivider: ByteBuffer
    @exclusivity(unchecked) private var heldDividerCount = 0
    @exclusivity(unchecked) private var parent: TreeLevel?
    /// Whether any cell of the tree has overflow pages.
    @exclusivity(unchecked) var hasOverflow = false

    init(_ kind: TreePage.Kind, file: PageFile, limits: PayloadLimits, reserve: Int) {
        self.file = file
        self.limits = limits
        prefix = kind.isInterior ? 4 : 0
        page = TreePage(kind, size: file.pageSize, reserve: reserve)
        held = TreePage(kind, size: file.pageSize, reserve: reserve)
        heldDivider = ByteBuffer(capacity: 64)
    }

    /// Adds a cell, and in interior levels its left child.
    @inline(__always)
    func append(_ cell: borrowing ByteBuffer, _ range: Range<Int>, child: UInt32) throws(BuildError) {
        guard let place = page.add(cellOf: prefix + range.count) else { return hold(cell, range, child: child) }
        page.withBytes { bytes in
            if prefix > 0 { bytes.store(child, at: place) }
            bytes.copy(cell, range, at: place + prefix)
        }
        if isHeld { try release() }
    }

    /// Holds the full page back; the cell becomes the divider behind it.
    private func hold(_ cell: borrowing ByteBuffer, _ range: Range<Int>, child: UInt32) {
        swap(&page, &held)
        page.removeAll()
        heldChild = child
        setHeldDivider(cell, range)
        isHeld = true
    }

    private func setHeldDivider(_ bytes: borrowing ByteBuffer, _ range: Range<Int>) {
        heldDivider.reserve(range.count)
        heldDivider.copy(bytes, range, at: 0)
        heldDividerCount = range.count
    }

    private func release() throws(BuildError) {
        isHeld = false
        let number = try file.allocate()
        try write(&held, at: number, rightChild: heldChild)
        try above().append(heldDivider, 0..<heldDividerCount, child: number)
    }

    private func above() -> TreeLevel {
        if let parent {
            parent.hasOverflow = hasOverflow
            return parent
        }
        let kind: TreePage.Kind = page.kind == .tableInterior ? .tableInterior : .indexInterior
        let level = TreeLevel(kind, file: file, limits: limits, reserve: page.reserve)
        level.hasOverflow = hasOverflow
        parent = level
        return level
    }

    /// Writes the remaining pages; the topmost page becomes the root.
    /// - Parameter lastChild: in interior levels, the page after the last cell.
    func finish(root: UInt32, lastChild: UInt32 = 0) throws(BuildError) {
        if isHeld {
            if page.cellCount == 0 { shareLastCell() }
            try release()
        }
        guard let parent else {
            try write(&page, at: root, rightChild: lastChild)
            return
        }
        let number = try file.allocate()
        try write(&page, at: number, rightChild: lastChild)
        parent.hasOverflow = hasOverflow
        try parent.finish(root: root, lastChild: number)
    }

    /// Makes the last cell of the full page the new divider, and moves the old divider to the last page.
    private func shareLastCell() {
        guard let place = page.add(cellOf: prefix + heldDividerCount) else { return }
        page.withBytes { bytes in
            if prefix > 0 { bytes.store(heldChild, at: place) }
            bytes.copy(heldDivider, 0..<heldDividerCount, at: place + prefix)
        }
        let last = held.cell(held.cellCount - 1)
        if prefix > 0 { heldChild = held.bytes.load(at: last.lowerBound) }
        setHeldDivider(held.bytes, last.lowerBound + prefix..<last.upperBound)
        held.removeLast()
    }

    private func write(_ page: inout TreePage, at number: UInt32, rightChild: UInt32) throws(BuildError) {
        try page.notePointers(of: number, rightChild: rightChild, limits: limits, hasOverflow: hasOverflow, in: file)
        try page.write(to: file, at: number, rightChild: rightChild)
    }
}

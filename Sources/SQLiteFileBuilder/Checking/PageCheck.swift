internal import SQLiteAccess

/// Walks the trees of a file, and records which pages they reach.
///
/// It keeps one page in memory for each level of the current tree. Apart from one bit for each page, its memory does
/// not grow with the file.
final class PageCheck {

    let pages: CheckedPages
    /// The number of faults after which the check stops.
    var most: Int
    private let limits: DatabaseCheck.Limits
    private let isCancelled: (() -> Bool)?
    private(set) var faults: [String] = []

    private(set) var reached: PageSet
    /// Determines which subtrees of the roots this check walks, if another check walks the rest; nil if this check
    /// walks all.
    private let share: TreeShare?
    /// For each tree, the number of its levels; nil if no subtree of it has been walked.
    private(set) var levels: [Int?] = []
    /// The digests of the part of each index that this check has walked, by the position of the index.
    private(set) var digests: [IndexDigests] = []
    /// Tables with values that only SQLite can compare with their indexes.
    private(set) var uncompared: Set<String> = []
    private let map: PointerMapCheck?
    private let lockPage: UInt32
    /// Page buffers that are not in use.
    private var spares: [[UInt8]] = []
    private var run = CheckedPages.Run()
    private var pagesRead = 0
    /// The beginning of a record that continues on overflow pages.
    private var record: [UInt8] = []

    init(
        _ pages: CheckedPages, most: Int, sharing share: TreeShare? = nil, _ limits: DatabaseCheck.Limits,
        isCancelled: (() -> Bool)?
    ) {
        self.limits = limits
        self.pages = pages
        self.share = share
        self.most = most
        self.isCancelled = isCancelled
        reached = PageSet(count: pages.pageCount)
        lockPage = PointerMapLayout.lockPage(pageSize: pages.pageSize)
        map = PointerMapCheck(pages)
    }

    /// A subtree: the page at its top, and the bounds of its rows.
    private struct Subtree {
        let page: UInt32
        /// The page that leads to it; 0 for a root.
        let parent: UInt32
        let level: Int
        /// A bound that all row IDs exceed.
        var above: Int64?
        /// The highest row ID allowed.
        var through: Int64?
        /// The index entry that all entries must follow.
        var behind: IndexEntry?
        /// The index entry that all entries must precede.
        var before: IndexEntry?
    }

    func checkTrees(_ trees: [TreeShape]) throws(SQLiteError) {
        if let map {
            let largest = pages.largestRoot
            let found = trees.map(\.root).max() ?? 1
            if found != largest { add("the header names \(largest) as the last root page, the last is \(found)") }
            if map.isUnreadable { add("the pointer map is missing") }
        } else if pages.vacuumsIncrementally {
            add("the header says that pages are given back step by step, but names no last root page")
        }
        for tree in trees where faults.count < most {
            let places = (tree.indexes + [tree.index].compactMap { $0 }).map(\.place)
            while digests.count <= places.max() ?? -1 { digests.append(IndexDigests()) }
            var rows = RowsOfTree(tree, usable: pages.usableSize)
            levels.append(try check(Subtree(page: tree.root, parent: 0, level: 1), of: tree, &rows))
        }
    }

    /// Adds what another check has found in the same trees; returns false if the results of the two checks contradict
    /// each other.
    func join(_ other: PageCheck) -> Bool {
        // Both checks have walked the roots.
        guard faults.isEmpty, other.faults.isEmpty, levels.count == other.levels.count,
            reached.commonCount(other.reached) == levels.count,
            zip(levels, other.levels).allSatisfy({ $0 == nil || $1 == nil || $0 == $1 })
        else { return false }
        reached.formUnion(other.reached)
        for place in digests.indices {
            digests[place].rows.add(other.digests[place].rows)
            digests[place].entries.add(other.digests[place].entries)
        }
        uncompared.formUnion(other.uncompared)
        return true
    }

    /// Checks the freelist, and finds the pages that nothing leads to.
    func checkRest() throws(SQLiteError) {
        try checkFreelist()
        // Damaged pages lead to fewer pages than exist, so unreached pages are only reported if there are no faults.
        guard faults.isEmpty else { return }
        for page in 1...max(1, pages.pageCount) where faults.count < most {
            let isMapPage = map?.isMapPage(page) ?? false
            switch (reached.contains(page), isMapPage || page == lockPage) {
            case (false, false): add("page \(page) is never used")
            case (true, true): add("page \(page) is used, though it is reserved")
            default: break
            }
        }
    }

    /// Reports the indexes whose entries do not match the rows of their tables.
    func checkDigests(of trees: [TreeShape]) {
        for tree in trees where !uncompared.contains(tree.table) {
            for index in tree.indexes where digests[index.place].rows != digests[index.place].entries {
                add("index \(index.name) has other entries than those of the rows of its table")
            }
        }
    }

    private func add(_ fault: String) {
        if faults.count < most { faults.append(fault) }
    }

    // MARK: - Trees

    /// - Returns: the number of levels from this page down; nil if it is not known.
    private func check(
        _ subtree: Subtree, of tree: TreeShape, _ rows: inout RowsOfTree
    ) throws(SQLiteError) -> Int? {
        let number = subtree.page
        guard try reach(number, as: subtree.parent == 0 ? .root : .node, from: subtree.parent, in: tree) else {
            return nil
        }
        guard subtree.level <= TreePage.mostLevels else {
            add("\(tree.title): the tree has more than \(TreePage.mostLevels) levels at page \(number)")
            return nil
        }
        let place = pages.place(of: number, in: &run)
        if let place, let kind = TreePage.Kind(rawValue: run.bytes[place.lowerBound]), !kind.isInterior {
            // No other page is read before this one has been checked, so it can be used where it is.
            let bytes = run.bytes
            return try check(subtree, bytes.span.extracting(place), of: tree, &rows)
        }
        var bytes = spares.popLast() ?? [UInt8](repeating: 0, count: pages.pageSize)
        defer { spares.append(bytes) }
        if let place {
            bytes.withUnsafeMutableBytes { $0.copyBytes(from: run.bytes[place]) }
        } else {
            try pages.read(number, into: &bytes)
        }
        return try check(subtree, bytes.span, of: tree, &rows)
    }

    /// Checks the page at the top of a subtree, and the pages that it leads to.
    private func check(
        _ subtree: Subtree, _ bytes: Span<UInt8>, of tree: TreeShape, _ rows: inout RowsOfTree
    ) throws(SQLiteError) -> Int? {
        let number = subtree.page
        func place() -> String { "\(tree.title), page \(number)" }
        guard let page = CheckedPage(bytes, isFirst: number == 1),
            (page.kind == .tableLeaf || page.kind == .tableInterior) == tree.isTable
        else {
            add("\(place()): the page is not one of \(tree.isTable ? "a table" : "an index")")
            return nil
        }
        guard page.pointersEnd <= page.contentStart, page.contentStart <= max(pages.usableSize, page.pointersEnd) else {
            add("\(place()): \(page.cellCount) cells do not fit")
            return nil
        }
        rows.coverage.begin(usable: pages.usableSize)
        if !page.kind.isInterior, limits.takesLeavesAtOnce,
            rows.isSound(page, bytes, above: subtree.above, through: subtree.through)
        {
            checkFreeBlocks(page, bytes, place, &rows.coverage)
            return 1
        }
        rows.coverage.begin(usable: pages.usableSize)
        let found = faults.count
        // Two checks both walk the root, but only one of them counts its cells.
        let isOwn = subtree.parent != 0 || share?.claimRows(of: number) ?? true
        var entries: [IndexEntry] = []
        rows.entries?.begin(behind: subtree.behind)
        let cells = try checkCells(page, subtree, bytes, tree, isOwn: isOwn, &rows, &entries)
        guard cells, faults.count == found else { return nil }
        if let fault = rows.entries?.fault(before: subtree.before), !uncompared.contains(tree.table) {
            add("\(place()), the last cell: \(fault)")
            return nil
        }
        checkFreeBlocks(page, bytes, place, &rows.coverage)
        guard page.kind.isInterior else { return 1 }
        return try checkChildren(page, subtree, bytes, tree, entries, &rows)
    }

    /// Checks whether all cells and their records lie within the bounds of the page and are valid.
    ///
    /// - Parameters:
    ///   - isOwn: whether this check, and no other, counts the rows and their overflow pages.
    ///   - entries: receives the entries of an interior page of an index.
    private func checkCells(
        _ page: CheckedPage, _ subtree: Subtree, _ bytes: Span<UInt8>, _ tree: TreeShape, isOwn: Bool,
        _ rows: inout RowsOfTree, _ entries: inout [IndexEntry]
    ) throws(SQLiteError) -> Bool {
        let limits = page.kind == .tableLeaf || page.kind == .tableInterior ? rows.tableLimits : rows.indexLimits
        let usable = pages.usableSize
        for index in 0..<page.cellCount {
            let start = bytes.number16(at: page.pointers + 2 * index)
            func fail(_ what: String) -> Bool {
                add("\(tree.title), page \(subtree.page), cell \(index): \(what)")
                return false
            }
            guard start >= page.contentStart, start <= usable - 4 else { return fail("it lies outside of the page") }
            var offset = page.kind.isInterior ? start + 4 : start
            if page.kind == .tableInterior {
                guard let (_, end) = bytes.varint(at: offset, before: usable) else { return fail("it is cut short") }
                rows.coverage.add(start, max(end, start + 4))
                continue
            }
            guard let (size, behind) = bytes.varint(at: offset, before: usable), size <= UInt64(Int32.max) else {
                return fail("its size is not readable")
            }
            offset = behind
            var id: Int64 = 0
            if page.kind == .tableLeaf {
                guard let (rowID, end) = bytes.varint(at: offset, before: usable) else {
                    return fail("it is cut short")
                }
                offset = end
                id = Int64(bitPattern: rowID)
                if let fault = rows.note(id, above: subtree.above, through: subtree.through) {
                    return fail(fault)
                }
            }
            let local = limits.local(Int(size))
            let isWhole = local == Int(size)
            guard offset + local + (isWhole ? 0 : 4) <= usable else { return fail("it goes beyond the page") }
            rows.coverage.add(start, max(offset + local + (isWhole ? 0 : 4), start + 4))
            let payload = bytes.extracting(offset..<offset + local)
            var fault: String?
            if isWhole {
                fault = rows.record.fault(of: payload, size: Int(size), &rows.places)
                if fault == nil { fault = compare(payload, id, page, tree, isOwn: isOwn, &rows, &entries) }
            } else {
                let first = bytes.number32(at: offset + local)
                guard try follow(first, from: subtree.page, payload, size: Int(size), in: tree, reaches: isOwn) else {
                    return false
                }
                fault = rows.record.fault(of: record.span, size: Int(size), &rows.places)
                if fault == nil { fault = compare(record.span, id, page, tree, isOwn: isOwn, &rows, &entries) }
            }
            if let fault {
                return fail(rows.last.map { tree.isTable ? "row \($0): \(fault)" : fault } ?? fault)
            }
        }
        return true
    }

    // MARK: - Indexes

    /// Adds a row to the digests of its table's indexes, or an entry to the digest of its index.
    ///
    /// - Parameter bytes: the record, or its beginning.
    /// - Returns: a description of the fault in the order of the entries; nil if they are in order.
    @inline(__always)
    private func compare(
        _ bytes: Span<UInt8>, _ rowID: Int64, _ page: CheckedPage, _ tree: TreeShape, isOwn: Bool,
        _ rows: inout RowsOfTree, _ entries: inout [IndexEntry]
    ) -> String? {
        if let index = tree.index {
            return compareEntry(bytes, of: index, page, tree, isOwn: isOwn, &rows, &entries)
        }
        if isOwn, !tree.indexes.isEmpty { compareRow(bytes, rowID, tree, rows.places) }
        return nil
    }

    private func compareRow(_ bytes: Span<UInt8>, _ rowID: Int64, _ tree: TreeShape, _ places: ValuePlaces) {
        for index in tree.indexes {
            var hash = EntryHash(seed: index.seed)
            for column in index.columns {
                var value: KeyValue? = KeyValue(integer: rowID)
                if let position = column.position {
                    if position < places.count {
                        let place = places[position]
                        // A real that was converted from such a large integer may not be equal to it.
                        let isRounded = column.isReal && place.type == SerialType.largestInteger
                        value = isRounded ? nil : KeyValue(place, of: bytes)
                    } else {
                        value = column.hasDefault ? nil : KeyValue()
                    }
                }
                guard let value else {
                    uncompared.insert(tree.table)
                    return
                }
                hash.add(value, bytes)
            }
            digests[index.place].rows.add(hash.value)
        }
    }

    private func compareEntry(
        _ bytes: Span<UInt8>, of index: IndexShape, _ page: CheckedPage, _ tree: TreeShape, isOwn: Bool,
        _ rows: inout RowsOfTree, _ entries: inout [IndexEntry]
    ) -> String? {
        guard rows.places.count == index.columns.count else {
            return "it has \(rows.places.count) values, the index \(index.columns.count)"
        }
        // After an entry that cannot be read, the order of the entries is not known.
        guard !uncompared.contains(tree.table), rows.entries?.read(rows.places, bytes) ?? false else {
            uncompared.insert(tree.table)
            return nil
        }
        if isOwn, let hash = rows.entries?.hash(bytes) { digests[index.place].entries.add(hash) }
        if let fault = rows.entries?.advance(bytes) { return fault }
        if page.kind.isInterior, let entry = rows.entries?.entry(bytes) { entries.append(entry) }
        return nil
    }

    private func checkFreeBlocks(
        _ page: CheckedPage, _ bytes: Span<UInt8>, _ place: () -> String, _ coverage: inout PageCoverage
    ) {
        let usable = pages.usableSize
        var block = page.firstFreeBlock
        var previousEnd = 0
        while block != 0 {
            guard block >= max(page.contentStart, previousEnd), block + 4 <= usable,
                case let end = block + bytes.number16(at: block + 2), end >= block + 4, end <= usable
            else { return add("\(place()): a free block at \(block) is not in its place") }
            coverage.add(block, end)
            previousEnd = end
            block = bytes.number16(at: block)
        }
        guard let fragments = coverage.fragments(from: page.contentStart) else {
            return add("\(place()): cells overlap")
        }
        if fragments != page.fragmentedBytes {
            add("\(place()): \(fragments) bytes are in no cell, the page counts \(page.fragmentedBytes)")
        }
    }

    private func checkChildren(
        _ page: CheckedPage, _ subtree: Subtree, _ bytes: Span<UInt8>, _ tree: TreeShape, _ entries: [IndexEntry],
        _ rows: inout RowsOfTree
    ) throws(SQLiteError) -> Int? {
        var levels: Int?
        var above = subtree.above
        for index in 0...page.cellCount {
            guard faults.count < most else { return nil }
            var child = Subtree(
                page: bytes.number32(at: page.start + 8), parent: subtree.page, level: subtree.level + 1, above: above,
                through: subtree.through)
            if index < page.cellCount {
                let start = bytes.number16(at: page.pointers + 2 * index)
                child = Subtree(
                    page: bytes.number32(at: start), parent: subtree.page, level: subtree.level + 1, above: above,
                    through: subtree.through)
                if tree.isTable, let (key, _) = bytes.varint(at: start + 4, before: pages.usableSize) {
                    let key = Int64(bitPattern: key)
                    if above.map({ key <= $0 }) ?? false || subtree.through.map({ key > $0 }) ?? false {
                        add("\(tree.title), page \(subtree.page), cell \(index): row ID \(key) is out of order")
                        return nil
                    }
                    child.through = key
                    above = key
                }
            }
            // If the page's entries could not be read, the table is not compared.
            if entries.count == page.cellCount {
                child.behind = index > 0 ? entries[index - 1] : subtree.behind
                child.before = index < page.cellCount ? entries[index] : subtree.before
            }
            if subtree.parent == 0, let share, !share.claim(index, of: tree.root) { continue }
            guard let found = try check(child, of: tree, &rows) else { continue }
            if let levels, levels != found {
                add("\(tree.title), page \(child.page): the subtree has \(found) levels, those beside it \(levels)")
            }
            levels = found
        }
        return levels.map { $0 + 1 }
    }

    // MARK: - Pages

    /// Records that something leads to a page; returns false if the page cannot be read or was reached before.
    private func reach(
        _ page: UInt32, as kind: PointerMap.Kind, from parent: UInt32, in tree: TreeShape
    ) throws(SQLiteError) -> Bool {
        pagesRead += 1
        if pagesRead % limits.pagesPerQuestion == 0, isCancelled?() ?? false {
            throw SQLiteError.interrupted(path: pages.path)
        }
        guard page >= 1, page <= pages.pageCount else {
            add("\(tree.title): page \(page) is outside of the file of \(pages.pageCount) pages")
            return false
        }
        guard reached.insert(page) else {
            add("\(tree.title): page \(page) is used twice")
            return false
        }
        if page > 1, let fault = try map?.fault(page, isOf: kind.rawValue, from: parent) {
            add("\(tree.title): \(fault)")
        }
        return true
    }

    /// Follows a record to its overflow pages, and keeps the part that is needed.
    ///
    /// - Parameter reaches: whether the pages are recorded as reached; otherwise only the pages that are needed are
    ///   read.
    private func follow(
        _ first: UInt32, from page: UInt32, _ local: Span<UInt8>, size: Int, in tree: TreeShape, reaches: Bool
    ) throws(SQLiteError) -> Bool {
        record.removeAll(keepingCapacity: true)
        for index in local.indices { record.append(local[index]) }
        var rest = size - local.count
        var (next, previous) = (first, page)
        var kind = PointerMap.Kind.firstOverflow
        var bytes = spares.popLast() ?? [UInt8](repeating: 0, count: pages.pageSize)
        defer { spares.append(bytes) }
        while rest > 0 {
            if reaches {
                guard try reach(next, as: kind, from: previous, in: tree) else { return false }
            } else {
                guard record.count < RecordBytes.kept else { return true }
                guard next >= 1, next <= pages.pageCount else {
                    add("\(tree.title): page \(next) is outside of the file of \(pages.pageCount) pages")
                    return false
                }
            }
            try pages.read(next, into: &bytes)
            let count = min(rest, pages.usableSize - 4)
            if record.count < RecordBytes.kept { record.append(contentsOf: bytes[4..<4 + count]) }
            rest -= count
            (next, previous, kind) = (bytes.span.number32(at: 0), next, .laterOverflow)
        }
        if next != 0 {
            add("\(tree.title), page \(page): a record goes on behind its \(size) bytes")
            return false
        }
        return true
    }

    /// How much of a record with overflow pages is kept: its header and short values.
    private enum RecordBytes {
        static let kept = 64 << 10
    }

    private func checkFreelist() throws(SQLiteError) {
        let counted = Int(pages.freePageCount)
        var trunk = pages.firstFreePage
        let list = TreeShape(title: "freelist", table: "", root: trunk, isTable: false, encoding: .utf8, columns: [])
        var bytes = [UInt8](repeating: 0, count: pages.pageSize)
        var found = 0
        while trunk != 0, faults.count < most {
            guard try reach(trunk, as: .free, from: 0, in: list) else { return }
            try pages.read(trunk, into: &bytes)
            let leaves = Int(bytes.span.number32(at: 4))
            guard leaves <= pages.usableSize / 4 - 2 else {
                return add("freelist, page \(trunk): \(leaves) pages do not fit on it")
            }
            found += 1 + leaves
            for index in 0..<leaves {
                guard try reach(bytes.span.number32(at: 8 + 4 * index), as: .free, from: 0, in: list) else { return }
            }
            trunk = bytes.span.number32(at: 0)
        }
        if found != counted { add("the freelist has \(found) pages, the header counts \(counted)") }
    }
}

/// The b-tree of a table, with rows in ascending order of their IDs ("Database File Format", section 1.6, table leaf
/// cells).
struct TableTree: ~Copyable {
    private let file: PageFile
    private let root: UInt32
    private let limits: PayloadLimits
    private var leaf: TreePage
    private var chain: OverflowChain
    private var divider: ByteBuffer
    /// Memory for a short record before it is copied to its cell.
    private var short = ByteBuffer(capacity: 1 + 9 * IntegerRow.maximumCount)
    private var hasOverflow = false
    private var interior: TreeLevel?
    private(set) var lastRowID: Int64?

    /// - Parameter root: the root page of the tree.
    init(file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        limits = PayloadLimits(usable: file.pageSize, isTable: true)
        leaf = TreePage(.tableLeaf, size: file.pageSize, reserve: 0)
        chain = OverflowChain(pageSize: file.pageSize)
        divider = ByteBuffer(capacity: 16)
    }

    /// The first page also contains the header of the file.
    private var reserve: Int { root == 1 ? TreePage.fileHeaderSize : 0 }

    /// Adds a row. The caller ensures that IDs ascend.
    mutating func append(_ rowID: Int64, _ record: borrowing RecordEncoder) throws(BuildError) {
        let (place, local) = try room(rowID, record.size)
        var overflow: UInt32 = 0
        if local < record.size {
            var rest = ByteBuffer(capacity: record.size - local)
            record.copy(local..<record.size, to: &rest, at: 0)
            overflow = try spill(rest, 0..<record.size - local)
        }
        leaf.withBytes { bytes in
            record.copy(0..<local, to: &bytes, at: place)
            if overflow != 0 { bytes.store(overflow, at: place + local) }
        }
    }

    /// Adds a row of integers, which is too short for overflow pages.
    @inline(__always)
    mutating func append(_ rowID: Int64, _ row: IntegerRow) throws(BuildError) {
        // The size of the header and each type take one byte. The extra bytes after a number are overwritten by the
        // next one.
        var size = 1 + row.count
        short[0] = UInt8(truncatingIfNeeded: size)
        for column in 0..<row.count {
            let (type, length) = SerialType.integer(row[column])
            short[1 + column] = UInt8(truncatingIfNeeded: type)
            guard length > 0 else { continue }
            short.store(row[column] << Int64(64 - 8 * length), at: size)
            size += length
        }
        let (place, _) = try room(rowID, size)
        leaf.withBytes { $0.copy(short, 0..<size, at: place) }
    }

    /// Adds a row whose record was encoded before.
    mutating func append(_ rowID: Int64, _ record: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) {
        let (place, local) = try room(rowID, range.count)
        let rest = range.dropFirst(local)
        let overflow = rest.isEmpty ? 0 : try spill(record, rest)
        leaf.withBytes { bytes in
            bytes.copy(record, range.prefix(local), at: place)
            if overflow != 0 { bytes.store(overflow, at: place + local) }
        }
    }

    /// Begins a cell; returns the place of its record, and how many bytes of the record it holds.
    @inline(__always)
    private mutating func room(_ rowID: Int64, _ payload: Int) throws(BuildError) -> (place: Int, local: Int) {
        let local = limits.local(payload)
        let id = UInt64(bitPattern: rowID)
        let prefix = Varint.length(UInt64(payload)) + Varint.length(id)
        let size = prefix + local + (local < payload ? 4 : 0)
        var place = leaf.add(cellOf: size)
        if place == nil {
            try completeLeaf()
            place = leaf.add(cellOf: size)
        }
        guard let place else { preconditionFailure("a cell does not fit into an empty page") }
        lastRowID = rowID
        leaf.withBytes { bytes in
            let next = place + bytes.storeVarint(UInt64(payload), at: place)
            _ = bytes.storeVarint(id, at: next)
        }
        return (place + prefix, local)
    }

    private mutating func spill(_ bytes: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) -> UInt32 {
        hasOverflow = true
        return try chain.write(bytes, range, to: file)
    }

    private mutating func completeLeaf() throws(BuildError) {
        let number = try writeLeaf(at: file.allocate())
        let count = divider.storeVarint(UInt64(bitPattern: lastRowID ?? 0), at: 0)
        try above().append(divider, 0..<count, child: number)
        leaf.removeAll()
    }

    private mutating func above() -> TreeLevel {
        if let interior { return interior }
        let level = TreeLevel(.tableInterior, file: file, limits: limits, reserve: reserve)
        interior = level
        return level
    }

    private mutating func writeLeaf(at number: UInt32) throws(BuildError) -> UInt32 {
        try leaf.notePointers(of: number, rightChild: 0, limits: limits, hasOverflow: hasOverflow, in: file)
        try leaf.write(to: file, at: number)
        return number
    }

    /// Writes the remaining pages.
    mutating func finish() throws(BuildError) {
        if interior == nil, leaf.free >= reserve {
            _ = try writeLeaf(at: root)
            return
        }
        // A leaf that is too large for the first page becomes the only child of the root, as in files that SQLite
        // writes.
        try above().finish(root: root, lastChild: writeLeaf(at: file.allocate()))
    }
}

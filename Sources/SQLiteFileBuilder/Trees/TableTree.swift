/// The b-tree of a table: rows in ascending order of their ids ("Database File Format", section 1.6, table leaf cells).
struct TableTree: ~Copyable {
    private let file: PageFile
    private let root: UInt32
    private let limits: PayloadLimits
    private var leaf: TreePage
    private var chain: OverflowChain
    private var divider: ByteBuffer
    private var hasOverflow = false
    private var interior: TreeLevel?
    private(set) var lastRowID: Int64?

    /// - Parameter root: the page that the tree begins on.
    init(file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        limits = PayloadLimits(usable: file.pageSize, isTable: true)
        leaf = TreePage(.tableLeaf, size: file.pageSize, reserve: 0)
        chain = OverflowChain(pageSize: file.pageSize)
        divider = ByteBuffer(capacity: 16)
    }

    /// The first page also has the header of the file.
    private var reserve: Int { root == 1 ? TreePage.fileHeaderSize : 0 }

    /// Adds a row. The caller makes sure that ids ascend.
    mutating func append(_ rowID: Int64, _ record: borrowing RecordEncoder) throws(BuildError) {
        let payload = record.size
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
        let overflow = local < payload ? try spill(record, from: local) : 0
        leaf.withBytes { bytes in
            var offset = place
            offset += bytes.storeVarint(UInt64(payload), at: offset)
            offset += bytes.storeVarint(id, at: offset)
            record.copy(0..<local, to: &bytes, at: offset)
            if overflow != 0 { bytes.store(overflow, at: offset + local) }
        }
    }

    private mutating func spill(_ record: borrowing RecordEncoder, from local: Int) throws(BuildError) -> UInt32 {
        hasOverflow = true
        var rest = ByteBuffer(capacity: record.size - local)
        record.copy(local..<record.size, to: &rest, at: 0)
        return try chain.write(rest, 0..<record.size - local, to: file)
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

    /// Writes what is left.
    mutating func finish() throws(BuildError) {
        if interior == nil, leaf.free >= reserve {
            _ = try writeLeaf(at: root)
            return
        }
        // A leaf that is too full for the first page stands below it as its only child, as where SQLite writes.
        try above().finish(root: root, lastChild: writeLeaf(at: file.allocate()))
    }
}

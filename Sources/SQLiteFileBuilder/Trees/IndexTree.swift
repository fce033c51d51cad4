/// The b-tree of an index, with entries in the order of their keys ("Database File Format", section 1.6, index cells).
struct IndexTree: ~Copyable {
    private let file: PageFile
    private let root: UInt32
    private let limits: PayloadLimits
    private let leaves: TreeLevel
    private var chain: OverflowChain
    private var cell: ByteBuffer

    init(file: PageFile, root: UInt32) {
        self.file = file
        self.root = root
        limits = PayloadLimits(usable: file.pageSize, isTable: false)
        leaves = TreeLevel(.indexLeaf, file: file, limits: limits, reserve: 0)
        chain = OverflowChain(pageSize: file.pageSize)
        cell = ByteBuffer(capacity: file.pageSize)
    }

    /// Adds an entry: a record of its columns and the row ID.
    mutating func append(_ bytes: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) {
        let local = limits.local(range.count)
        let prefix = cell.storeVarint(UInt64(range.count), at: 0)
        cell.copy(bytes, range.prefix(local), at: prefix)
        var size = prefix + local
        if local < range.count {
            leaves.hasOverflow = true
            cell.store(try chain.write(bytes, range.dropFirst(local), to: file), at: size)
            size += 4
        }
        try leaves.append(cell, 0..<size, child: 0)
    }

    /// Adds an entry of one or two numbers or NULL, which is too short for overflow pages.
    @inline(__always)
    mutating func append(_ values: IndexedNumbers, row: Int64) throws(BuildError) {
        // The size of the record, the size of its header, and each type take one byte.
        let rowType = values.isPair ? 4 : 3
        var place = rowType + 1
        if let real = values.real {
            cell[2] = UInt8(truncatingIfNeeded: SerialType.real)
            cell.store(real.bitPattern, at: place)
            place += 8
        } else {
            store(values.first, typeAt: 2, &place)
        }
        if values.isPair { store(values.second, typeAt: 3, &place) }
        store(row, typeAt: rowType, &place)
        cell[0] = UInt8(truncatingIfNeeded: place - 1)
        cell[1] = UInt8(truncatingIfNeeded: rowType)
        try leaves.append(cell, 0..<place, child: 0)
    }

    @inline(__always)
    private mutating func store(_ value: Int64?, typeAt typePlace: Int, _ place: inout Int) {
        var type = SerialType.null
        if let value {
            let (found, length) = SerialType.integer(value)
            type = found
            // The extra bytes that this writes are overwritten by the next number.
            if length > 0 { cell.store(value << Int64(64 - 8 * length), at: place) }
            place += length
        }
        cell[typePlace] = UInt8(truncatingIfNeeded: type)
    }

    /// Writes the remaining pages.
    mutating func finish() throws(BuildError) {
        try leaves.finish(root: root)
    }
}

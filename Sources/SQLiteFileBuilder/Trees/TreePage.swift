/// A page of a b-tree to which cells are added one after the other ("Database File Format", section 1.6).
///
/// The header comes first, and its fields are filled when the page is written. The pointers follow it, and cells grow
/// down from the end.
struct TreePage: ~Copyable {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isInterior: Bool { self == .indexInterior || self == .tableInterior }
        /// The number of bytes of the header.
        var headerSize: Int { isInterior ? 12 : 8 }
    }

    let kind: Kind
    let size: Int
    /// The offset of the first pointer.
    private let pointers: Int
    /// The bytes reserved for the header of the file, in the tree that begins on page 1.
    let reserve: Int
    private(set) var bytes: ByteBuffer
    private(set) var cellCount = 0
    private var contentStart: Int

    /// The number of bytes of the file header.
    static let fileHeaderSize = 100
    /// SQLite's limit for the number of levels of a tree.
    static let mostLevels = 20

    init(_ kind: Kind, size: Int, reserve: Int) {
        self.kind = kind
        self.size = size
        pointers = kind.headerSize
        self.reserve = reserve
        bytes = ByteBuffer(capacity: size)
        contentStart = size
    }

    /// Makes room for a cell of a size, and returns its offset; nil if the page is full.
    @inline(__always)
    mutating func add(cellOf count: Int) -> Int? {
        let pointer = pointers + 2 * cellCount
        guard contentStart - count >= pointer + 2 + reserve else { return nil }
        contentStart -= count
        bytes.store(UInt16(truncatingIfNeeded: contentStart), at: pointer)
        cellCount += 1
        return contentStart
    }

    /// Returns the bytes of a cell. There are no gaps between cells.
    func cell(_ index: Int) -> Range<Int> {
        start(of: index)..<(index == 0 ? size : start(of: index - 1))
    }

    private func start(of index: Int) -> Int {
        // 65536 cannot occur, because no cell is empty.
        Int(bytes.load(UInt16.self, at: pointers + 2 * index))
    }

    /// The number of unused bytes.
    var free: Int { contentStart - pointers - 2 * cellCount }

    mutating func removeLast() {
        contentStart = cell(cellCount - 1).upperBound
        cellCount -= 1
    }

    mutating func removeAll() {
        contentStart = size
        cellCount = 0
    }

    mutating func withBytes<Failure: Error>(_ body: (inout ByteBuffer) throws(Failure) -> Void) throws(Failure) {
        try body(&bytes)
    }

    /// Writes the page. On page 1, the header of the file is left unchanged.
    mutating func write(to file: PageFile, at number: UInt32, rightChild: UInt32 = 0) throws(BuildError) {
        let pointersEnd = pointers + 2 * cellCount
        bytes.clear(pointersEnd..<contentStart)
        bytes[0] = kind.rawValue
        // No free block and no fragments.
        bytes.store(UInt16(0), at: 1)
        bytes.store(UInt16(truncatingIfNeeded: cellCount), at: 3)
        // 0 stands for 65536.
        bytes.store(UInt16(truncatingIfNeeded: contentStart), at: 5)
        bytes[7] = 0
        if kind.isInterior { bytes.store(rightChild, at: 8) }
        if number == 1 {
            let shift = Self.fileHeaderSize
            bytes.move(0..<pointersEnd, to: shift)
            try file.write(bytes, shift..<size, at: 1, offset: shift)
        } else {
            try file.write(bytes, 0..<size, at: number)
        }
    }
}

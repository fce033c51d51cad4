/// A page of a b-tree while cells are added behind each other ("Database File Format", section 1.6).
///
/// The header stands at the beginning and its fields are filled when the page is written; pointers follow it, and cells
/// grow down from the end.
struct TreePage: ~Copyable {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isInterior: Bool { self == .indexInterior || self == .tableInterior }
        /// Bytes.
        var headerSize: Int { isInterior ? 12 : 8 }
    }

    let kind: Kind
    let size: Int
    /// Bytes kept free for the header of the file, in the tree that begins on page 1.
    let reserve: Int
    private(set) var bytes: ByteBuffer
    private(set) var cellCount = 0
    private var contentStart: Int

    /// The bytes of the file's header.
    static let fileHeaderSize = 100

    init(_ kind: Kind, size: Int, reserve: Int) {
        self.kind = kind
        self.size = size
        self.reserve = reserve
        bytes = ByteBuffer(capacity: size)
        contentStart = size
    }

    /// Room for a cell of that size; nil if the page is full.
    @inline(__always)
    mutating func add(cellOf count: Int) -> Int? {
        let pointer = kind.headerSize + 2 * cellCount
        guard contentStart - count >= pointer + 2 + reserve else { return nil }
        contentStart -= count
        bytes.store(UInt16(truncatingIfNeeded: contentStart), at: pointer)
        cellCount += 1
        return contentStart
    }

    /// The bytes of a cell: cells lie behind each other without gaps.
    func cell(_ index: Int) -> Range<Int> {
        start(of: index)..<(index == 0 ? size : start(of: index - 1))
    }

    private func start(of index: Int) -> Int {
        // A start of 65536 cannot occur: every cell has bytes.
        Int(bytes.load(UInt16.self, at: kind.headerSize + 2 * index))
    }

    /// Bytes that are not used.
    var free: Int { contentStart - kind.headerSize - 2 * cellCount }

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

    /// Writes the page; on page 1 the header of the file stays in front.
    mutating func write(to file: PageFile, at number: UInt32, rightChild: UInt32 = 0) throws(BuildError) {
        let header = kind.headerSize
        let pointersEnd = header + 2 * cellCount
        bytes.clear(pointersEnd..<contentStart)
        bytes[0] = kind.rawValue
        // No free block, no fragments.
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

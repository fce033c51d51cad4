/// Writes the part of a payload that does not fit into its cell to a chain of overflow pages ("Database File Format",
/// section 1.7).
struct OverflowChain: ~Copyable {
    private var page: ByteBuffer
    private let size: Int

    init(pageSize: Int) {
        size = pageSize
        page = ByteBuffer(capacity: pageSize)
    }

    /// Writes bytes and returns the number of their first page. The pointer map entry of the first page is written with
    /// the page of the cell.
    mutating func write(
        _ bytes: borrowing ByteBuffer, _ range: Range<Int>, to file: PageFile
    ) throws(BuildError) -> UInt32 {
        let first = try file.allocate()
        var number = first
        var start = range.lowerBound
        while true {
            let end = min(start + size - 4, range.upperBound)
            let next = end < range.upperBound ? try file.allocate() : 0
            page.store(next, at: 0)
            page.copy(bytes, start..<end, at: 4)
            page.clear(4 + end - start..<size)
            try file.write(page, 0..<size, at: number)
            guard next != 0 else { return first }
            try file.point(to: next, .laterOverflow, from: number)
            (number, start) = (next, end)
        }
    }
}

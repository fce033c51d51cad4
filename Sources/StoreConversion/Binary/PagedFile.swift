import Glibc
import PersistentStores

/// A part of a file, read in pages, of which the most recent ones stay in memory. Any place of a large file can be read
/// in bounded memory.
///
/// The file is not mapped, because this process would crash if another process truncated the file.
final class PagedFile {
    let path: String
    /// The number of bytes in the part.
    let count: Int64
    private let pageSize: Int
    private let pageCount: Int
    private let start: Int64
    private let descriptor: Int32
    private var pages: [[UInt8]] = []
    private var numbers: [Int64] = []
    private var places: [Int64: Int] = [:]
    private var next = 0
    private var current: [UInt8] = []
    private var currentStart: Int64 = 0

    init(path: String, range: Range<Int64>, limits: ConversionLimits) throws(StoreError) {
        self.path = path
        pageSize = max(1, limits.page)
        pageCount = max(1, limits.pages)
        start = range.lowerBound
        count = range.upperBound - range.lowerBound
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(FileError(.open, path)) }
    }

    deinit { close(descriptor) }

    /// Returns a byte; the offset must be less than `count`.
    func byte(at offset: Int64) throws(StoreError) -> UInt8 {
        let place = offset - currentStart
        if place >= 0, place < Int64(current.count) { return current[Int(place)] }
        try load(offset / Int64(pageSize))
        let inPage = Int(offset - currentStart)
        guard inPage >= 0, inPage < current.count else {
            throw StoreError(.corrupt("the file ended early"), path: path)
        }
        return current[inPage]
    }

    /// Returns a big-endian number of up to 8 bytes, all of which must be within `count`.
    func number(at offset: Int64, size: Int) throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for place in 0..<Int64(size) { number = number << 8 | UInt64(try byte(at: offset + place)) }
        return number
    }

    func bytes(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        var result: [UInt8] = []
        try append(at: offset, count: count, to: &result)
        return result
    }

    /// Appends bytes, page by page.
    func append(at offset: Int64, count: Int, to bytes: inout [UInt8]) throws(StoreError) {
        var offset = offset
        let end = offset + Int64(count)
        while offset < end {
            _ = try byte(at: offset)
            let from = Int(offset - currentStart)
            let to = min(current.count, from + Int(end - offset))
            bytes += current[from..<to]
            offset += Int64(to - from)
        }
    }

    private func load(_ number: Int64) throws(StoreError) {
        currentStart = number * Int64(pageSize)
        if let known = places[number] {
            current = pages[known]
            return
        }
        var page = [UInt8](repeating: 0, count: Int(min(Int64(pageSize), max(0, count - currentStart))))
        var done = 0
        while done < page.count {
            let step = page.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(start + currentStart) + done)
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw StoreError(FileError(.read, path)) }
            if step == 0 { break }
            done += step
        }
        page.removeLast(page.count - done)
        current = page
        if pages.count < pageCount {
            places[number] = pages.count
            pages.append(page)
            numbers.append(number)
        } else {
            places[numbers[next]] = nil
            places[number] = next
            pages[next] = page
            numbers[next] = number
            next = (next + 1) % pageCount
        }
    }
}

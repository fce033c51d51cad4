internal import Glibc

/// The texts that cells of a workbook share, by number: in memory, or in a temporary file if there are many.
struct SharedTexts {
    struct Limits: Sendable {
        /// The largest number of bytes in memory, including four bytes for the length of each text.
        var memory = 8 << 20
        /// The number of texts for which one offset is stored; the others are found by reading on from it.
        var textsPerPlace = 64
        /// The number of pages of the file in memory, and their size in bytes.
        var pages = 64
        var pageBytes = 64 << 10
    }

    private(set) var count = 0
    private let limits: Limits
    /// All bytes, or those that have not been written to the file yet.
    private var pending: [UInt8] = []
    private var fileSize = 0
    private var file: TemporaryBytes?
    /// The offset of each text whose number is a multiple of `textsPerPlace`.
    private var places: [Int] = []
    /// The page of the file in each slot, with its number.
    private var slots: [(page: Int, bytes: [UInt8])] = []

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Adds a text; throws a system error such as `ENOSPC` if it cannot be written to the file.
    mutating func append(_ text: [UInt8]) throws(SystemFailure) {
        if count % limits.textsPerPlace == 0 { places.append(fileSize + pending.count) }
        count += 1
        let length = UInt32(truncatingIfNeeded: text.count)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            pending.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        pending += text
        if pending.count > limits.memory { try spill() }
    }

    /// Completes the list, so that the texts can be read.
    mutating func finish() throws(SystemFailure) {
        guard file != nil else { return }
        try spill()
        slots = [(page: Int, bytes: [UInt8])](repeating: (-1, []), count: limits.pages)
    }

    /// Appends the bytes of a text to others; returns false if there is no text with this number.
    mutating func appendText(_ number: Int, to bytes: inout [UInt8]) throws(SystemFailure) -> Bool {
        guard 0..<count ~= number else { return false }
        var place = places[number / limits.textsPerPlace]
        for _ in 0..<number % limits.textsPerPlace { place += 4 + (try length(at: place)) }
        let length = try length(at: place)
        try forEachPiece(place + 4..<place + 4 + length) { bytes += $0 }
        return true
    }

    private mutating func length(at place: Int) throws(SystemFailure) -> Int {
        var length = 0
        var shift = 0
        try forEachPiece(place..<place + 4) { piece in
            for byte in piece {
                length |= Int(byte) << shift
                shift += 8
            }
        }
        return length
    }

    private mutating func forEachPiece(
        _ range: Range<Int>, _ body: (ArraySlice<UInt8>) -> Void
    ) throws(SystemFailure) {
        guard file != nil else { return body(pending[range]) }
        var place = range.lowerBound
        while place < range.upperBound {
            let page = place / limits.pageBytes
            let slot = try load(page)
            let start = place - page * limits.pageBytes
            let end = min(range.upperBound - page * limits.pageBytes, slots[slot].bytes.count)
            body(slots[slot].bytes[start..<end])
            place += end - start
        }
    }

    /// Returns the slot of a page, which is read if it is not in memory.
    private mutating func load(_ page: Int) throws(SystemFailure) -> Int {
        let slot = page % limits.pages
        guard slots[slot].page != page, let file else { return slot }
        let start = page * limits.pageBytes
        var bytes = slots[slot].bytes
        slots[slot] = (-1, [])
        let wanted = min(limits.pageBytes, fileSize - start)
        if bytes.count != wanted { bytes = [UInt8](repeating: 0, count: wanted) }
        guard bytes.withUnsafeMutableBytes({ file.read(into: $0, at: start) }) else { throw SystemFailure(errno) }
        slots[slot] = (page, bytes)
        return slot
    }

    private mutating func spill() throws(SystemFailure) {
        if file == nil {
            guard let made = TemporaryBytes() else { throw SystemFailure(errno) }
            file = made
        }
        guard let file, pending.withUnsafeBytes({ file.write($0, at: fileSize) }) else { throw SystemFailure(errno) }
        fileSize += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// A system error while a file is created, written or read.
    struct SystemFailure: Error {
        let number: Int32

        init(_ number: Int32) {
            self.number = number
        }
    }
}

internal import Glibc

/// The texts that cells of a workbook share, by their numbers: in memory, or in a temporary file if there are many.
struct SharedTexts {
    struct Limits: Sendable {
        /// The most bytes that are kept in memory, with four for the length of each text.
        var memory = 8 << 20
        /// Texts of which one place is remembered: the others are found behind it.
        var textsPerPlace = 64
        /// The pages of the file that are kept, each of so many bytes.
        var pages = 64
        var pageBytes = 64 << 10
    }

    private(set) var count = 0
    private let limits: Limits
    /// All bytes, or those that are not in the file yet.
    private var pending: [UInt8] = []
    private var fileSize = 0
    private var file: TemporaryBytes?
    /// The place of each text whose number `textsPerPlace` divides.
    private var places: [Int] = []
    /// A page of the file in each slot, by its number.
    private var slots: [(page: Int, bytes: [UInt8])] = []

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Adds a text. Throws `ENOSPC` and the like as a system error if the file cannot hold it.
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

    /// Ends the adding: the texts can be read.
    mutating func finish() throws(SystemFailure) {
        guard file != nil else { return }
        try spill()
        slots = [(page: Int, bytes: [UInt8])](repeating: (-1, []), count: limits.pages)
    }

    /// Adds the bytes of a text to others; false if there is no text of that number.
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

    /// The slot of a page, which is read if it is not there.
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

    /// What the system says of a file that cannot be made, written or read.
    struct SystemFailure: Error {
        let number: Int32

        init(_ number: Int32) {
            self.number = number
        }
    }
}

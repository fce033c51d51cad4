internal import Glibc

/// Bytes of its own with checked access: what the encoders of this layer write into.
///
/// The only unsafe code of the layer besides the file calls. An array would do, but each store into one asks whether
/// the array is shared, and a page is written in thousands of small stores. Every access is checked against the
/// capacity.
@safe
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private(set) var capacity: Int

    /// Zeros.
    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        // Pages that are never written take no memory.
        unsafe base = Self.checked(calloc(self.capacity, 1))
    }

    deinit {
        unsafe free(base)
    }

    /// As for Swift's own collections, running out of memory ends the process.
    private static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory = unsafe memory else { preconditionFailure("out of memory") }
        return unsafe memory
    }

    @inline(__always)
    private func check(_ offset: Int, _ count: Int) {
        precondition(offset >= 0 && count >= 0 && offset <= capacity - count, "outside of the buffer")
    }

    /// Makes room for at least so many bytes; what is there stays.
    mutating func reserve(_ wanted: Int) {
        if wanted > capacity { grow(wanted) }
    }

    @inline(never)
    private mutating func grow(_ wanted: Int) {
        let larger = max(wanted, capacity + capacity / 2)
        unsafe base = Self.checked(realloc(base, larger))
        unsafe memset(base + capacity, 0, larger - capacity)
        capacity = larger
    }

    subscript(offset: Int) -> UInt8 {
        @inline(__always) get {
            check(offset, 1)
            return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
        }
        @inline(__always) set {
            check(offset, 1)
            unsafe base.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Stores a number, the highest byte first.
    @inline(__always)
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        check(offset, MemoryLayout<Number>.size)
        unsafe base.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }

    /// A number, the highest byte first.
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self, at offset: Int
    ) -> Number {
        check(offset, MemoryLayout<Number>.size)
        return unsafe Number(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    @inline(__always)
    mutating func copy(_ bytes: Span<UInt8>, at offset: Int) {
        check(offset, bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe Self.copy(start, to: base + offset, source.count)
        }
    }

    /// Most values are short, and those are copied with two stores that may overlap.
    @inline(__always)
    private static func copy(_ source: UnsafeRawPointer, to place: UnsafeMutableRawPointer, _ count: Int) {
        func copyEnds<Word: BitwiseCopyable>(_ type: Word.Type) {
            let last = count - MemoryLayout<Word>.size
            let first = unsafe source.loadUnaligned(as: type)
            let second = unsafe source.loadUnaligned(fromByteOffset: last, as: type)
            unsafe place.storeBytes(of: first, as: type)
            unsafe place.storeBytes(of: second, toByteOffset: last, as: type)
        }
        switch count {
        case 17...: unsafe place.copyMemory(from: source, byteCount: count)
        case 8...: copyEnds(UInt64.self)
        case 4...: copyEnds(UInt32.self)
        case 2...: copyEnds(UInt16.self)
        case 1: copyEnds(UInt8.self)
        default: break
        }
    }

    @inline(__always)
    mutating func copy(_ other: borrowing ByteBuffer, _ range: Range<Int>, at offset: Int) {
        other.check(range.lowerBound, range.count)
        check(offset, range.count)
        unsafe Self.copy(other.base + range.lowerBound, to: base + offset, range.count)
    }

    /// Moves bytes; the two places may overlap.
    mutating func move(_ range: Range<Int>, to offset: Int) {
        check(range.lowerBound, range.count)
        check(offset, range.count)
        unsafe (base + offset).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    }

    mutating func clear(_ range: Range<Int>) {
        check(range.lowerBound, range.count)
        unsafe memset(base + range.lowerBound, 0, range.count)
    }

    @inline(__always)
    func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        check(range.lowerBound, range.count)
        let bytes = unsafe UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
        return unsafe try body(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    /// A text, with bad UTF-8 replaced by U+FFFD.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        check(range.lowerBound, range.count)
        let bytes = unsafe UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Calls `write` with the bytes, for the file calls.
    func withRawBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        check(range.lowerBound, range.count)
        return unsafe body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    mutating func withMutableRawBytes<Result>(
        _ range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) -> Result {
        check(range.lowerBound, range.count)
        return unsafe body(UnsafeMutableRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// Whether the first bytes come before (negative), are equal to (0), or come after the others.
    @inline(__always)
    func compare(_ range: Range<Int>, _ other: borrowing ByteBuffer, _ otherRange: Range<Int>) -> Int {
        check(range.lowerBound, range.count)
        other.check(otherRange.lowerBound, otherRange.count)
        let count = min(range.count, otherRange.count)
        let order = unsafe memcmp(base + range.lowerBound, other.base + otherRange.lowerBound, count)
        return order != 0 ? Int(order) : range.count - otherRange.count
    }
}

extension Span where Element == UInt8 {
    /// Whether both have the same bytes.
    @inline(__always)
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                guard let left = one.baseAddress, let right = other.baseAddress else { return true }
                return unsafe memcmp(left, right, one.count) == 0
            }
        }
    }
}

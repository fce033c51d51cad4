internal import Glibc

/// A buffer with bounds-checked access, into which the encoders of this library write.
///
/// This is the only unsafe code of the library besides the file calls. An array would also work, but each store into an
/// array checks whether it is shared, and a page is written in thousands of small stores. Every access is checked
/// against the capacity.
@safe
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private(set) var capacity: Int

    /// Creates a buffer of zeros.
    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        // With `calloc`, pages of memory that are never written take no space.
        unsafe base = Self.checked(calloc(self.capacity, 1))
    }

    deinit {
        unsafe free(base)
    }

    /// Returns memory that was allocated; like Swift's own collections, it ends the process if there is not enough
    /// memory.
    private static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory = unsafe memory else { preconditionFailure("out of memory") }
        return unsafe memory
    }

    @inline(__always)
    private func check(_ offset: Int, _ count: Int) {
        precondition(offset >= 0 && count >= 0 && offset <= capacity - count, "outside of the buffer")
    }

    /// Makes room for a number of bytes, and keeps the contents.
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

    /// Stores a big-endian number.
    @inline(__always)
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        check(offset, MemoryLayout<Number>.size)
        unsafe base.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }

    /// Returns a big-endian number.
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

    /// Copies bytes. Most values are short, and are copied with two stores that may overlap.
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

    /// Moves bytes; the two ranges may overlap.
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

    /// Returns a text, with invalid UTF-8 replaced by U+FFFD.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        check(range.lowerBound, range.count)
        let bytes = unsafe UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Calls a closure with the bytes, for the file calls.
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

    /// Returns a negative number, 0 or a positive number if the first bytes sort before, equal, or sort after the
    /// others.
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
    /// Returns whether both have the same bytes.
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

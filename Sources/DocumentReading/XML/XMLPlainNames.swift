import Glibc

/// The indexes of the names in the plain part of a document, by their bytes in the document.
///
/// Throughout this part the namespaces are those declared by the root, so a name with its prefix always has the same
/// meaning.
struct XMLPlainNames {
    /// The beginning and end of a name as two words, which overlap if it has less than 16 bytes.
    private struct Ends: Equatable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var count: Int = 0

        @inline(__always)
        init(_ name: UnsafePointer<UInt8>, _ count: Int) {
            self.count = count
            let bytes = unsafe UnsafeRawPointer(name)
            first = unsafe UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
            if count >= 8 {
                last = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
            } else {
                first &= 1 << UInt64(8 * count) - 1
            }
        }

        /// Makes the value for a free slot.
        init() {}

        var hash: Int {
            let mixed = (first ^ (last &* 31) ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: mixed >> 32)
        }
    }

    private struct Slot {
        var ends = Ends()
        /// The offset of the name among the bytes of all names.
        var start = 0
        /// The index; -1 for a free slot.
        var index: Int32 = -1
    }

    /// A hash table, whose size is a power of 2; at most half of it is used.
    private var slots = [Slot](repeating: Slot(), count: 128)
    private var count = 0
    private var bytes: [UInt8] = []

    /// The maximum number of names.
    private static let maximumCount = 1 << 16

    /// Returns the index of a name, after which eight more bytes must be readable; -1 if it is unknown.
    @inline(__always)
    func index(of name: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        let ends = unsafe Ends(name, length)
        var slot = ends.hash & (slots.count - 1)
        while slots[slot].index >= 0 {
            if unsafe slots[slot].ends == ends && (length <= 16 || isEqual(name, length, at: slots[slot].start)) {
                return slots[slot].index
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return -1
    }

    private func isEqual(_ name: UnsafePointer<UInt8>, _ length: Int, at start: Int) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe memcmp($0 + start, name, length) == 0 } ?? false
        }
    }

    /// Adds an unknown name; eight bytes after it must be readable.
    mutating func add(_ name: UnsafePointer<UInt8>, _ length: Int, index: Int32) {
        guard count < Self.maximumCount else { return }
        if count * 2 >= slots.count {
            let old = slots
            slots = [Slot](repeating: Slot(), count: 2 * old.count)
            for slot in old where slot.index >= 0 { insert(slot) }
        }
        unsafe insert(Slot(ends: Ends(name, length), start: bytes.count, index: index))
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: length))
        count += 1
    }

    private mutating func insert(_ new: Slot) {
        var slot = new.ends.hash & (slots.count - 1)
        while slots[slot].index >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = new
    }
}

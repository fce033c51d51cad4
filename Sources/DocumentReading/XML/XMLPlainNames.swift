import Glibc

/// The indexes of the names that the plain part of a document has, by the bytes as they stand there.
///
/// The namespaces are those that the root declares for as long as the part goes on, so that a name with its prefix
/// always means the same.
struct XMLPlainNames {
    /// The ends of a name as two words, which overlap if it has less than 16 bytes.
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

        /// A name that there is not.
        init() {}

        var hash: Int {
            let mixed = (first ^ (last &* 31) ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: mixed >> 32)
        }
    }

    private struct Slot {
        var ends = Ends()
        /// Where the name is among the bytes of all.
        var start = 0
        /// -1 where the slot is free.
        var index: Int32 = -1
    }

    /// A hash table, whose size is a power of 2; at most half of it is used.
    private var slots = [Slot](repeating: Slot(), count: 128)
    private var count = 0
    private var bytes: [UInt8] = []

    /// More are not kept.
    private static let maximumCount = 1 << 16

    /// The index of a name, behind which eight bytes more can be read; -1 if it is not known.
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

    /// Adds a name that is not known; eight bytes behind it can be read.
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

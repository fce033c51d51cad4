/// An index entry that is kept to compare other entries with, after its page is no longer in memory.
struct IndexEntry {
    let values: [KeyValue]
    let bytes: [UInt8]
}

/// The entries of an index page, in order. Each entry must follow the one before it, and differ from it if the index is
/// unique.
struct IndexEntries: ~Copyable {
    private let shape: IndexShape
    private var current: [KeyValue]
    private var previous: [KeyValue]
    private var hasPrevious = false
    /// The record of the previous entry, if it has texts or blobs.
    private var previousBytes = ByteBuffer(capacity: 64)
    private var previousSize = 0

    init(_ shape: IndexShape) {
        self.shape = shape
        current = [KeyValue](repeating: KeyValue(), count: shape.columns.count)
        previous = current
    }

    /// Begins a page whose entries must follow an entry of a page above it.
    mutating func begin(behind entry: IndexEntry?) {
        hasPrevious = entry != nil
        guard let entry else { return }
        previous = entry.values
        keep(entry.bytes.span)
    }

    private mutating func keep(_ bytes: Span<UInt8>) {
        previousBytes.reserve(bytes.count)
        previousBytes.copy(bytes, at: 0)
        previousSize = bytes.count
    }

    /// Reads the values of the next entry; returns false if not all of them lie within the bytes.
    mutating func read(_ places: borrowing ValuePlaces, _ bytes: Span<UInt8>) -> Bool {
        for position in current.indices {
            guard let value = KeyValue(places[position], of: bytes) else { return false }
            current[position] = value
        }
        return true
    }

    func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = EntryHash(seed: shape.seed)
        for value in current { hash.add(value, bytes) }
        return hash.value
    }

    /// Compares the entry that was read with the one before it; returns a description of the fault in their order, or
    /// nil. The next entry is compared with this one.
    mutating func advance(_ bytes: Span<UInt8>) -> String? {
        let fault = hasPrevious ? orderFault(current, bytes) : nil
        swap(&current, &previous)
        hasPrevious = true
        if previous.contains(where: { $0.kind == .text || $0.kind == .blob }) { keep(bytes) }
        return fault
    }

    /// Compares the last entry of a page with an entry of a page above it; returns a description of the fault in their
    /// order, or nil.
    func fault(before entry: IndexEntry?) -> String? {
        guard hasPrevious, let entry else { return nil }
        return orderFault(entry.values, entry.bytes.span)
    }

    /// Returns a copy of the entry that was read last.
    func entry(_ bytes: Span<UInt8>) -> IndexEntry {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        return IndexEntry(values: previous, bytes: copy)
    }

    @inline(__always)
    private func orderFault(_ values: [KeyValue], _ bytes: Span<UInt8>) -> String? {
        let order = previousBytes.withBytes(0..<previousSize) { compare($0, values, bytes) }
        if order.entries >= 0 { return "it is not in its order" }
        guard shape.isUnique, order.keys == 0, !values.prefix(shape.keyCount).contains(where: { $0.kind == .null })
        else { return nil }
        return "its values are there twice"
    }

    /// Compares the previous entry with another one, by the key alone and with the row ID.
    @inline(__always)
    private func compare(
        _ previousBytes: Span<UInt8>, _ values: [KeyValue], _ bytes: Span<UInt8>
    ) -> (keys: Int, entries: Int) {
        for position in values.indices {
            let column = shape.columns[position]
            let order = previous[position].order(previousBytes, values[position], bytes, column.collation)
            guard order != 0 else { continue }
            let directed = column.isDescending ? -order : order
            return (position < shape.keyCount ? directed : 0, directed)
        }
        return (0, 0)
    }
}

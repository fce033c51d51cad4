/// An entry that others are compared with when its page is not at hand.
struct IndexEntry {
    let values: [KeyValue]
    let bytes: [UInt8]
}

/// The entries of a page of an index, in their order: each must come behind the one before it, and none twice in a
/// unique index.
struct IndexEntries: ~Copyable {
    private let shape: IndexShape
    private var current: [KeyValue]
    private var previous: [KeyValue]
    private var hasPrevious = false
    /// The record of the entry before, where it has values that are bytes.
    private var previousBytes = ByteBuffer(capacity: 64)
    private var previousSize = 0

    init(_ shape: IndexShape) {
        self.shape = shape
        current = [KeyValue](repeating: KeyValue(), count: shape.columns.count)
        previous = current
    }

    /// Begins a page, whose entries come behind one of the pages above it.
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

    /// Takes the next entry apart; false if not all of its values are within the bytes.
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

    /// What is wrong with the order of the entry that was read; the next one is held against it then.
    mutating func advance(_ bytes: Span<UInt8>) -> String? {
        let fault = hasPrevious ? orderFault(current, bytes) : nil
        swap(&current, &previous)
        hasPrevious = true
        if previous.contains(where: { $0.kind == .text || $0.kind == .blob }) { keep(bytes) }
        return fault
    }

    /// What is wrong with the last entry of a page before one of the pages above it.
    func fault(before entry: IndexEntry?) -> String? {
        guard hasPrevious, let entry else { return nil }
        return orderFault(entry.values, entry.bytes.span)
    }

    /// The entry that was read last, to be kept.
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

    /// How the entry before compares with another one: by its key, and with the row ID.
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

/// Some records of a source, one behind the other: those that begin in a range of its bytes, or by their numbers.
enum RecordRange: Equatable {
    case bytes(Range<Int>)
    case records(Range<Int>)

    /// Whether a batch, and all that come after it, lie behind the range.
    func isBehind(_ batch: RecordBatch) -> Bool {
        switch self {
        case .bytes(let range): batch.count > 0 && batch[0].sourceOffset >= range.upperBound
        case .records(let range): batch.start.record >= range.upperBound
        }
    }

    /// The places of its records in a batch.
    func places(in batch: RecordBatch) -> Range<Int> {
        switch self {
        case .bytes(let range):
            let first = Self.first(in: batch, from: range.lowerBound)
            return first..<max(first, Self.first(in: batch, from: range.upperBound))
        case .records(let range):
            let first = min(max(0, range.lowerBound - batch.start.record), batch.count)
            return first..<max(first, min(range.upperBound - batch.start.record, batch.count))
        }
    }

    /// The place of the first record that begins at an offset or behind it.
    private static func first(in batch: RecordBatch, from offset: Int) -> Int {
        var (low, high) = (0, batch.count)
        while low < high {
            let middle = (low + high) / 2
            if batch[middle].sourceOffset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RecordBatch {
    /// Forgets the records before and behind some of them.
    mutating func keep(_ places: Range<Int>) {
        if places.upperBound < count { end = position(of: places.upperBound) }
        if places.lowerBound > 0, places.lowerBound < count {
            let first = position(of: places.lowerBound)
            original?.removeFirst(first.byteOffset - start.byteOffset)
            for index in places { entries[index - places.lowerBound] = entries[index] }
            start = first
        }
        count = places.count
    }

    private func position(of record: Int) -> RecordPosition {
        let entry = self[record]
        return RecordPosition(byteOffset: entry.sourceOffset, line: entry.line, record: start.record + record)
    }
}

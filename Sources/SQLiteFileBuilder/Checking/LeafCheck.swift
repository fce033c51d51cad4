/// Checks a leaf in the most common form, with records that lie in their cells and have short headers, eight values at
/// a time.
///
/// It only determines whether the leaf is sound. Faulty leaves, and those in other forms, are checked cell by cell.
struct LeafCheck {
    /// The kinds of values that eight columns exclude: 0x80 in the byte of each column that excludes the kind, the
    /// first column in the lowest byte.
    private struct Exclusions {
        var nulls: UInt64 = 0
        var numbers: UInt64 = 0
        /// Columns that exclude texts that look like numbers.
        var texts: UInt64 = 0
    }

    private let exclusions: [Exclusions]
    private let record: RecordCheck
    private let fewest: Int
    private let limits: PayloadLimits
    private let isTable: Bool

    init(_ tree: TreeShape, _ record: RecordCheck, usable: Int) {
        self.record = record
        fewest = record.fewest
        limits = PayloadLimits(usable: usable, isTable: tree.isTable)
        isTable = tree.isTable
        var exclusions = [Exclusions](repeating: Exclusions(), count: (tree.columns.count + 7) / 8)
        for (position, column) in tree.columns.enumerated() {
            let bit = UInt64(0x80) << UInt64(position % 8 * 8)
            if column.isNotNull { exclusions[position / 8].nulls |= bit }
            switch column.affinity {
            case .blob: break
            case .text: exclusions[position / 8].numbers |= bit
            case .numeric, .integer, .real: exclusions[position / 8].texts |= bit
            }
        }
        self.exclusions = exclusions
    }

    /// The bounds of the row IDs, and the row ID that was read last.
    struct RowIDs {
        var above: Int64?
        var through: Int64?
        var last: Int64?
    }

    /// Returns whether all cells lie within the bounds of the page, their records are valid, and their row IDs ascend.
    ///
    /// - Parameters:
    ///   - rowIDs: the bounds, and the last row ID; set to the last row ID of the page if the page is sound.
    ///   - coverage: the coverage to which the cells are added.
    ///   - places: the places of the values in records that are checked value by value.
    func isSound(
        _ page: CheckedPage, _ bytes: Span<UInt8>, _ rowIDs: inout RowIDs, _ coverage: inout PageCoverage,
        _ places: inout ValuePlaces
    ) -> Bool {
        let usable = limits.usable
        // A leaf with the lowest possible row ID is left to the check of each cell.
        var rowID = max(rowIDs.last ?? .min, rowIDs.above ?? .min)
        // The previous record's header, if it fits into one word, and the length computed from it: most records have
        // the same header as the one before.
        var (known, knownLength) = (UInt64(0), 0)
        for index in 0..<page.cellCount {
            let start = bytes.number16(at: page.pointers + 2 * index)
            guard start >= page.contentStart, start <= usable - 4 else { return false }
            var offset = start + 1
            var size = Int(bytes[start])
            if size >= 0x80 {
                let low = Int(bytes[offset])
                guard low < 0x80 else { return false }
                size = (size & 0x7f) << 7 | low
                offset += 1
            }
            if isTable {
                guard let (number, end) = bytes.varint(at: offset, before: usable) else { return false }
                let next = Int64(bitPattern: number)
                guard next > rowID else { return false }
                rowID = next
                offset = end
            }
            guard size <= limits.largest, size > 0, offset + size <= usable else { return false }
            coverage.add(start, max(offset + size, start + 4))

            guard offset + 8 <= bytes.count else {
                guard isSound(bytes, offset, size, &places) else { return false }
                continue
            }
            let word = bytes.number64(at: offset).byteSwapped
            let headerSize = Int(word & 0xff)
            guard headerSize >= 1, headerSize <= size else { return false }
            if headerSize <= 8 {
                let header = word & (.max &>> UInt64(64 - 8 * headerSize))
                if header != known {
                    guard let length = length(header >> 8, of: headerSize - 1, at: 0), headerSize > fewest else {
                        guard isSound(bytes, offset, size, &places) else { return false }
                        continue
                    }
                    (known, knownLength) = (header, length)
                }
                guard headerSize + knownLength == size else { return false }
            } else {
                guard let length = length(of: bytes, offset, headerSize) else {
                    guard isSound(bytes, offset, size, &places) else { return false }
                    continue
                }
                guard headerSize + length == size else { return false }
            }
        }
        guard isTable, page.cellCount > 0 else { return true }
        guard rowID <= rowIDs.through ?? .max else { return false }
        rowIDs.last = rowID
        return true
    }

    /// Checks a record value by value.
    @inline(never)
    private func isSound(_ bytes: Span<UInt8>, _ offset: Int, _ size: Int, _ places: inout ValuePlaces) -> Bool {
        record.fault(of: bytes.extracting(offset..<offset + size), size: size, &places) == nil
    }

    /// Returns the length of the values of a record whose header is longer than a word; nil if the values must be
    /// checked one by one.
    @inline(__always)
    private func length(of bytes: Span<UInt8>, _ offset: Int, _ headerSize: Int) -> Int? {
        guard headerSize < 0x80, headerSize > fewest, offset + headerSize + 7 <= bytes.count else { return nil }
        var length = 0
        var (place, rest, group) = (offset + 1, headerSize - 1, 0)
        while rest > 0 {
            let count = min(rest, 8)
            let types = bytes.number64(at: place).byteSwapped & (.max &>> UInt64(64 - 8 * count))
            guard let part = self.length(types, of: count, at: group) else { return nil }
            length += part
            place += 8
            rest -= 8
            group += 1
        }
        return length
    }

    /// Returns the length of up to eight values whose types take one byte each, with the first type in the lowest byte;
    /// nil if the values must be checked one by one, because a type is unknown or takes more bytes, or because a column
    /// may exclude its value.
    @inline(__always)
    private func length(_ types: UInt64, of count: Int, at group: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = ones << 7
        guard types & high == 0 else { return nil }
        // Sets 0x80 in the byte of each type that is at least `type`. No byte carries into the next one.
        @inline(__always) func atLeast(_ type: UInt64) -> UInt64 { (types &+ ones &* (0x80 - type)) & high }
        let (from8, from10, from12) = (atLeast(8), atLeast(10), atLeast(12))
        guard from10 & ~from12 == 0 else { return nil }
        if group < exclusions.count {
            let (excluded, from1) = (exclusions[group], atLeast(1))
            let wanted = count == 0 ? 0 : high &>> UInt64(64 - 8 * count)
            let texts = atLeast(13) & types << 7
            let hits =
                ~from1 & wanted & excluded.nulls | from1 & ~from10 & excluded.numbers | texts & excluded.texts
            guard hits == 0 else { return nil }
        }
        // Types 1 to 4 take 1 to 4 bytes, type 5 takes 6, types 6 and 7 take 8, and types 8 and 9 take none.
        let sizes = types &+ atLeast(5) >> 7 &+ atLeast(6) >> 7 &- atLeast(7) >> 7
        let numbers = sizes & ~(from8 | (from8 &- from8 >> 7))
        let strings = ((types | high) &- ones &* 12) >> 1 & (ones &* 0x3f) & (from12 &- from12 >> 7)
        let lengths = numbers &+ strings
        let pairs: UInt64 = 0x00ff_00ff_00ff_00ff
        return Int((((lengths & pairs) &+ (lengths >> 8 & pairs)) &* 0x0001_0001_0001_0001) >> 48)
    }
}

/// Sorts entries by the bits in which their keys differ, eleven bits at a time, the lowest first.
struct IntegerSorting {
    /// Memory that is reused for the next list.
    private var scratch: [IntegerEntry] = []

    private static let digitBits = 11
    private static let digits = 1 << digitBits

    mutating func sort(_ entries: inout [IntegerEntry]) {
        guard let first = entries.first else { return }
        var differing: UInt64 = 0
        var last = first.key
        var isSorted = true
        var hasSortedHalves = true
        for entry in entries {
            differing |= entry.key ^ first.key
            if entry.key < last { isSorted = false }
            if UInt32(truncatingIfNeeded: entry.key) < UInt32(truncatingIfNeeded: last) { hasSortedHalves = false }
            last = entry.key
        }
        guard !isSorted else { return }
        if scratch.count != entries.count {
            scratch = [IntegerEntry](repeating: IntegerEntry(), count: entries.count)
        }
        // Pairs that are added in the order of their second numbers, as in the second index of a join table, only need
        // to be sorted by their first numbers.
        let start = hasSortedHalves ? UInt64.bitWidth / 2 : 0
        for shift in stride(from: start, to: UInt64.bitWidth, by: Self.digitBits)
        where differing >> UInt64(shift) & UInt64(Self.digits - 1) != 0 {
            Self.distribute(entries.span, by: UInt64(shift), to: &scratch)
            swap(&entries, &scratch)
        }
    }

    private static func distribute(_ entries: Span<IntegerEntry>, by shift: UInt64, to sorted: inout [IntegerEntry]) {
        let mask = UInt64(digits - 1)
        var counts = [Int](repeating: 0, count: digits)
        var places = counts.mutableSpan
        for index in entries.indices { places[Int(entries[index].key >> shift & mask)] += 1 }
        var sum = 0
        for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
        var results = sorted.mutableSpan
        for index in entries.indices {
            let entry = entries[index]
            let digit = Int(entry.key >> shift & mask)
            results[places[digit]] = entry
            places[digit] += 1
        }
    }
}

/// Writes the hashes of the keys of sources' objects to a spool, in runs that are in order each.
struct KeyRunWriter {
    /// By source, the hashes that are in no run yet.
    private var pending: [Int: [UInt64]] = [:]
    private var pendingCount = 0
    private var scratch: [UInt64] = []
    private(set) var keys: [SpooledKeys]
    private let limits: SpoolLimits

    /// - Parameter sources: the sources whose keys are written.
    init(of sources: [Int], _ limits: SpoolLimits) {
        self.limits = limits
        keys = sources.map { SpooledKeys(source: $0) }
    }

    /// Adds the keys of a source's only object mapping, of the records that are not rejected.
    mutating func add(_ work: ConvertedBatch, of source: Int, to writer: inout SpoolWriter) throws {
        guard keys.contains(where: { $0.source == source }) else { return }
        let added = work.instances[0].keyHashes(where: work.isRejected)
        pending[source, default: []].append(contentsOf: added)
        pendingCount += added.count
        if pendingCount >= limits.keysOfRun { try finish(&writer) }
    }

    /// Writes what is in no run yet.
    mutating func finish(_ writer: inout SpoolWriter) throws {
        for index in keys.indices {
            guard var hashes = pending.removeValue(forKey: keys[index].source), !hashes.isEmpty else { continue }
            Self.sort(&hashes, &scratch)
            keys[index].runs.append(SpooledKeys.Run(offset: writer.offset, count: hashes.count))
            var encoder = SpoolEncoder()
            for start in stride(from: 0, to: hashes.count, by: max(1, limits.keysOfBlock)) {
                encoder.removeAll()
                encoder.append(words: hashes[start..<min(hashes.count, start + max(1, limits.keysOfBlock))])
                try writer.append(.keys, encoder.bytes)
            }
        }
        pendingCount = 0
    }

    private static let digitBits: UInt64 = 11
    /// Fewer numbers are compared with each other.
    private static let fewest = 1 << 10

    /// Sorts numbers by eleven bits at a time, the lowest first.
    static func sort(_ numbers: inout [UInt64], _ scratch: inout [UInt64]) {
        guard numbers.count >= fewest else { return numbers.sort() }
        if scratch.count != numbers.count { scratch = [UInt64](repeating: 0, count: numbers.count) }
        let mask = UInt64(1) << digitBits - 1
        for shift in stride(from: UInt64(0), to: 64, by: Int(digitBits)) {
            var places = [Int](repeating: 0, count: 1 << Int(digitBits))
            distribute(numbers.span, shift, mask, &places, to: &scratch)
            swap(&numbers, &scratch)
        }
    }

    private static func distribute(
        _ numbers: Span<UInt64>, _ shift: UInt64, _ mask: UInt64, _ counts: inout [Int], to sorted: inout [UInt64]
    ) {
        var places = counts.mutableSpan
        for index in numbers.indices { places[Int(numbers[index] >> shift & mask)] += 1 }
        var sum = 0
        for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
        var results = sorted.mutableSpan
        for index in numbers.indices {
            let digit = Int(numbers[index] >> shift & mask)
            results[places[digit]] = numbers[index]
            places[digit] += 1
        }
    }
}

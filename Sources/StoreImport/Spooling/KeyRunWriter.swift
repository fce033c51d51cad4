/// The writer of the hashes of the keys of sources' objects to a spool, in runs that are sorted by the first bits.
struct KeyRunWriter {
    /// The source of the last keys, and its hashes that have not been written to a run yet.
    private var source = -1
    private var hashes: [UInt64] = []
    private var scratch: [UInt64] = []
    private(set) var keys: [SpooledKeys]
    private let limits: SpoolLimits

    /// - Parameter sources: the sources whose keys are written.
    init(of sources: [Int], _ limits: SpoolLimits) {
        self.limits = limits
        keys = sources.map { SpooledKeys(source: $0) }
    }

    /// Adds the keys of a source's only object mapping, for records that are not rejected.
    mutating func add(_ work: ConvertedBatch, of source: Int, to writer: inout SpoolWriter) throws {
        guard keys.contains(where: { $0.source == source }) else { return }
        try add(work.instances[0].keyHashes(where: work.isRejected), of: source, to: &writer)
    }

    mutating func add(_ added: [UInt64], of source: Int, to writer: inout SpoolWriter) throws {
        if source != self.source { try finish(&writer) }
        self.source = source
        if hashes.isEmpty { hashes.reserveCapacity(limits.keysOfRun + added.count) }
        hashes.append(contentsOf: added)
        if hashes.count >= limits.keysOfRun { try finish(&writer) }
    }

    /// Writes the remaining hashes as a run.
    mutating func finish(_ writer: inout SpoolWriter) throws {
        guard !hashes.isEmpty, let index = keys.firstIndex(where: { $0.source == source }) else { return }
        Self.sort(&hashes, &scratch)
        keys[index].runs.append(SpooledKeys.Run(offset: writer.offset, count: hashes.count))
        var encoder = SpoolEncoder()
        let size = max(1, limits.keysOfBlock)
        for start in stride(from: 0, to: hashes.count, by: size) {
            encoder.removeAll()
            encoder.append(words: hashes[start..<min(hashes.count, start + size)])
            try writer.append(.keys, encoder.bytes)
        }
        hashes.removeAll(keepingCapacity: true)
    }

    /// Hashes are sorted by their first bits: few hashes have the same ones, and three passes are sufficient.
    static let orderShift: UInt64 = 31
    private static let digitBits: UInt64 = 11

    /// Sorts hashes by their first bits, eleven bits at a time, the lowest of these first.
    static func sort(_ hashes: inout [UInt64], _ scratch: inout [UInt64]) {
        if scratch.count < hashes.count {
            scratch.append(contentsOf: repeatElement(0, count: hashes.count - scratch.count))
        } else {
            scratch.removeLast(scratch.count - hashes.count)
        }
        for shift in stride(from: orderShift, to: 64, by: Int(digitBits)) {
            distribute(hashes.span, by: shift, to: &scratch)
            swap(&hashes, &scratch)
        }
    }

    private static func distribute(_ hashes: Span<UInt64>, by shift: UInt64, to sorted: inout [UInt64]) {
        let mask = UInt64(1) << digitBits - 1
        var counts = [Int](repeating: 0, count: 1 << Int(digitBits))
        var places = counts.mutableSpan
        for index in hashes.indices { places[Int(hashes[index] >> shift & mask)] += 1 }
        var sum = 0
        for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
        var results = sorted.mutableSpan
        for index in hashes.indices {
            let digit = Int(hashes[index] >> shift & mask)
            results[places[digit]] = hashes[index]
            places[digit] += 1
        }
    }
}

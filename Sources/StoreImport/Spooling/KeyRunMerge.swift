/// A comparison of sorted runs of hashes, which finds out whether all hashes of keys are different. It has one block of
/// each run in memory.
struct KeyRunMerge {
    /// A run with its block in memory.
    private struct Input {
        let reader: SpoolReader
        var offset: Int
        /// The number of hashes that have not been read yet.
        var left: Int
        var hashes: [UInt64] = []
        var place = 0
        /// The sort key of the last hash that was read.
        var last: UInt64 = 0

        var isEmpty: Bool { place == hashes.count }

        /// Reads the next block.
        mutating func read() throws {
            let (content, end) = try reader.keys(at: offset)
            hashes.removeAll(keepingCapacity: true)
            place = 0
            guard !content.isEmpty, content.count % 8 == 0, content.count / 8 <= left else { throw damaged }
            let bytes = content.span
            for start in stride(from: 0, to: bytes.count, by: 8) {
                let hash = KeyHash.word(bytes, at: start)
                let order = KeyRunMerge.order(hash)
                guard order >= last else { throw damaged }
                hashes.append(hash)
                last = order
            }
            left -= hashes.count
            offset = end
        }

        private var damaged: SpoolError { .damaged(reader.path, byteOffset: offset) }
    }

    private var inputs: [Input]
    private let limits: SpoolLimits
    private var merged: [UInt64] = []
    private var scratch: [UInt64] = []
    /// The ends of the sorted parts of `merged`.
    private var ends: [Int] = []

    init(_ runs: [(reader: SpoolReader, run: SpooledKeys.Run)], _ limits: SpoolLimits) {
        self.limits = limits
        inputs = runs.map { Input(reader: $0.reader, offset: $0.run.offset, left: $0.run.count) }
    }

    @inline(__always)
    private static func order(_ hash: UInt64) -> UInt64 { hash >> KeyRunWriter.orderShift }

    /// Returns whether no two hashes are equal; also returns false if very many hashes have the same first bits.
    ///
    /// - Parameter isCancelled: called repeatedly.
    /// - Throws: `SpoolError` if a run has changed since it was written, `SourceError` if it cannot be read,
    ///   `ImportError.cancelled`.
    mutating func areDistinct(_ isCancelled: (() -> Bool)?) throws -> Bool {
        var last: UInt64 = 0
        /// The hashes before the last one with the same first bits.
        var similar: [UInt64] = []
        while true {
            if isCancelled?() ?? false { throw ImportError.cancelled }
            for index in inputs.indices where inputs[index].isEmpty && inputs[index].left > 0 {
                try inputs[index].read()
            }
            guard inputs.contains(where: { !$0.isEmpty }) else { return true }
            // No hash that has not been read yet is less than this.
            let bound = inputs.reduce(UInt64.max) { $1.left > 0 ? min($0, $1.last) : $0 }
            take(upTo: bound)
            merge()
            for hash in merged {
                if Self.order(hash) == Self.order(last) {
                    guard hash != last, !similar.contains(hash), similar.count < limits.comparedHashes else {
                        return false
                    }
                    similar.append(last)
                } else if !similar.isEmpty {
                    similar.removeAll(keepingCapacity: true)
                }
                last = hash
            }
        }
    }

    /// Collects the hashes up to a bound of their first bits, run by run.
    private mutating func take(upTo bound: UInt64) {
        merged.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        for index in inputs.indices {
            let start = inputs[index].place
            var (low, high) = (start, inputs[index].hashes.count)
            while low < high {
                let middle = (low + high) / 2
                if Self.order(inputs[index].hashes[middle]) <= bound { low = middle + 1 } else { high = middle }
            }
            guard low > start else { continue }
            merged.append(contentsOf: inputs[index].hashes[start..<low])
            ends.append(merged.count)
            inputs[index].place = low
        }
    }

    /// Merges neighboring parts until there is one.
    private mutating func merge() {
        var (parts, results): ([UInt64], [UInt64]) = ([], [])
        swap(&parts, &merged)
        swap(&results, &scratch)
        while ends.count > 1 {
            if results.count < parts.count {
                results.append(contentsOf: repeatElement(0, count: parts.count - results.count))
            } else {
                results.removeLast(results.count - parts.count)
            }
            var start = 0
            for pair in stride(from: 0, to: ends.count, by: 2) {
                let middle = ends[pair]
                let end = pair + 1 < ends.count ? ends[pair + 1] : middle
                Self.merge(parts.span, start, middle, end, to: &results)
                ends[pair / 2] = end
                start = end
            }
            ends.removeLast(ends.count / 2)
            swap(&parts, &results)
        }
        swap(&parts, &merged)
        swap(&results, &scratch)
    }

    /// Merges two adjacent sorted parts.
    private static func merge(
        _ hashes: Span<UInt64>, _ start: Int, _ middle: Int, _ end: Int, to merged: inout [UInt64]
    ) {
        var results = merged.mutableSpan
        var (one, two, place) = (start, middle, start)
        while one < middle, two < end {
            let (left, right) = (hashes[one], hashes[two])
            let isLeft = order(left) <= order(right)
            results[place] = isLeft ? left : right
            one += isLeft ? 1 : 0
            two += isLeft ? 0 : 1
            place += 1
        }
        while one < middle {
            results[place] = hashes[one]
            (one, place) = (one + 1, place + 1)
        }
        while two < end {
            results[place] = hashes[two]
            (two, place) = (two + 1, place + 1)
        }
    }
}

/// Finds out whether the hashes of keys are all different: a block of each run is in memory at a time.
struct KeyRunMerge {
    /// A run, and its block that is in memory.
    private struct Input {
        let reader: SpoolReader
        var offset: Int
        /// The hashes that are not read yet.
        var left: Int
        var hashes: [UInt64] = []
        var place = 0
        /// The last one that was read; no hash is 0.
        var last: UInt64 = 0

        var isEmpty: Bool { place == hashes.count }

        /// Reads the next block; false if two of its hashes, or that and the last one, are equal.
        mutating func read() throws -> Bool {
            let (content, end) = try reader.keys(at: offset)
            hashes.removeAll(keepingCapacity: true)
            place = 0
            var areDistinct = true
            guard !content.isEmpty, content.count % 8 == 0, content.count / 8 <= left else { throw damaged }
            let bytes = content.span
            for start in stride(from: 0, to: bytes.count, by: 8) {
                let hash = KeyHash.word(bytes, at: start)
                guard hash >= last else { throw damaged }
                if hash == last { areDistinct = false }
                hashes.append(hash)
                last = hash
            }
            left -= hashes.count
            offset = end
            return areDistinct
        }

        private var damaged: SpoolError { .damaged(reader.path, byteOffset: offset) }
    }

    private var inputs: [Input]
    private var merged: [UInt64] = []
    private var scratch: [UInt64] = []
    /// Where parts of `merged` end that are in order each.
    private var ends: [Int] = []

    init(_ runs: [(reader: SpoolReader, run: SpooledKeys.Run)]) {
        inputs = runs.map { Input(reader: $0.reader, offset: $0.run.offset, left: $0.run.count) }
    }

    /// Whether no two hashes are equal.
    ///
    /// - Parameter isCancelled: asked once in a while.
    /// - Throws: `SpoolError` if a run is not as it was written, `SourceError` if it cannot be read,
    ///   `ImportError.cancelled`.
    mutating func areDistinct(_ isCancelled: (() -> Bool)?) throws -> Bool {
        var last: UInt64 = 0
        while true {
            if isCancelled?() ?? false { throw ImportError.cancelled }
            for index in inputs.indices where inputs[index].isEmpty && inputs[index].left > 0 {
                guard try inputs[index].read() else { return false }
            }
            guard inputs.contains(where: { !$0.isEmpty }) else { return true }
            // What is not read yet of any run is not below this.
            let bound = inputs.reduce(UInt64.max) { $1.left > 0 ? min($0, $1.last) : $0 }
            take(upTo: bound)
            merge()
            for hash in merged {
                guard hash != last else { return false }
                last = hash
            }
        }
    }

    /// Gathers the hashes up to one of them, run by run.
    private mutating func take(upTo bound: UInt64) {
        merged.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        for index in inputs.indices {
            let start = inputs[index].place
            var (low, high) = (start, inputs[index].hashes.count)
            while low < high {
                let middle = (low + high) / 2
                if inputs[index].hashes[middle] <= bound { low = middle + 1 } else { high = middle }
            }
            guard low > start else { continue }
            merged.append(contentsOf: inputs[index].hashes[start..<low])
            ends.append(merged.count)
            inputs[index].place = low
        }
    }

    /// Merges neighbouring parts until there is one.
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

    /// Merges two parts, each in order, that lie one behind the other.
    private static func merge(
        _ hashes: Span<UInt64>, _ start: Int, _ middle: Int, _ end: Int, to merged: inout [UInt64]
    ) {
        var results = merged.mutableSpan
        var (one, two, place) = (start, middle, start)
        while one < middle, two < end {
            let (left, right) = (hashes[one], hashes[two])
            let isLeft = left <= right
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

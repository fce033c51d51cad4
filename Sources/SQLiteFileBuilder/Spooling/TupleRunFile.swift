/// Sorted runs of packed tuples in an unnamed file.
final class TupleRunFile {
    /// The packed tuples of a run: a range of the file's words.
    struct Run {
        var words: Range<Int>
        let packing: TuplePacking
    }

    /// Runs that follow each other in order. Together they are sorted, and are read as one run.
    typealias Chain = [Run]

    private let width: Int
    private let limits: BuildLimits
    private var file: WordFile
    private var chains: [Chain] = []
    /// The last tuple of the last run.
    private var last: [Int64] = []

    /// - Parameter path: the path of the file beside which this one is created.
    init(width: Int, beside path: String, _ limits: BuildLimits) throws(BuildError) {
        self.width = width
        self.limits = limits
        file = try WordFile(beside: path)
    }

    /// Adds a run of packed tuples.
    ///
    /// - Parameters:
    ///   - words: the packed tuples.
    ///   - order: their order; nil if they are sorted.
    func appendRun(
        _ words: [UInt64], in order: [IntegerEntry]?, _ packing: TuplePacking
    ) throws(BuildError) {
        let (start, count) = (file.count, packing.wordCount)
        if let order {
            var buffer: [UInt64] = []
            for entry in order {
                let place = Int(entry.row) * count
                for word in place..<place + count { buffer.append(words[word]) }
                guard buffer.count >= PairFile.bufferWords else { continue }
                try file.append(buffer, buffer.indices)
                buffer.removeAll(keepingCapacity: true)
            }
            try file.append(buffer, buffer.indices)
        } else {
            try file.append(words, words.indices)
        }
        func tuple(_ index: Int) -> [Int64] {
            let place = (order.map { Int($0[index].row) } ?? index) * count
            var numbers: [Int64] = []
            packing.unpack(words.span.extracting(place..<place + count), to: &numbers)
            return numbers
        }
        let run = Run(words: start..<file.count, packing: packing)
        // Tuples that are added in order need no merge.
        if !chains.isEmpty, !tuple(0).lexicographicallyPrecedes(last) {
            chains[chains.count - 1].append(run)
        } else {
            chains.append([run])
        }
        last = tuple(words.count / count - 1)
    }

    /// Returns a cursor over all tuples in order. No runs may be added then.
    ///
    /// - Parameter path: the path of the file beside which merged runs are written.
    func sorted(beside path: String) throws(BuildError) -> TupleCursor {
        let fanIn = max(2, limits.mergedRecordRuns)
        while chains.count > 1 {
            let merged = try WordFile(beside: path)
            var results: [Chain] = []
            for start in stride(from: 0, to: chains.count, by: fanIn) {
                results.append([try merge(chains[start..<min(start + fanIn, chains.count)], to: merged)])
            }
            (file, chains) = (merged, results)
        }
        return TupleCursor(file, chains.first ?? [], width: width)
    }

    private func merge(_ chains: ArraySlice<Chain>, to merged: WordFile) throws(BuildError) -> Run {
        var packing: TuplePacking?
        for run in chains.joined() { packing = packing?.union(run.packing) ?? run.packing }
        guard let packing else { return Run(words: 0..<0, packing: TuplePacking(width: width)) }
        let start = merged.count
        let piece = max(1, limits.recordPiece / (2 * 8 * width))
        var merge = try TupleMerge(
            try chains.map { (chain) throws(BuildError) in
                TupleCursor(file, chain, width: width, tuplesAtOnce: piece)
            })
        var buffer = [UInt64](repeating: 0, count: max(width, PairFile.bufferWords))
        var used = 0
        while let cursor = try merge.next() {
            if used + width > buffer.count {
                try merged.append(buffer, 0..<used)
                used = 0
            }
            for index in 0..<width { buffer[used + index] = UInt64(bitPattern: cursor[index]) }
            var words = buffer.mutableSpan
            packing.pack(&words, from: used, to: used)
            used += packing.wordCount
        }
        try merged.append(buffer, 0..<used)
        return Run(words: start..<merged.count, packing: packing)
    }
}

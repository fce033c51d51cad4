/// Sorted runs of entries in an unnamed file. Each entry consists of its size in four bytes and its record.
final class RunFile {
    private let file: OutputFile
    private let normalizer: KeyNormalizer
    private var runs: [Range<Int64>] = []
    @exclusivity(unchecked) private var size: Int64 = 0
    @exclusivity(unchecked) private var buffer: ByteBuffer
    @exclusivity(unchecked) private var used = 0
    private let limits: BuildLimits

    init(beside path: String, normalizer: KeyNormalizer, _ limits: BuildLimits) throws(BuildError) {
        file = try OutputFile(unnamedBeside: path)
        self.limits = limits
        buffer = ByteBuffer(capacity: limits.recordsPerWrite)
        self.normalizer = normalizer
    }

    func beginRun() throws(BuildError) {
        runs.append(size..<size)
    }

    func append(_ bytes: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) {
        if used + 4 + range.count > buffer.capacity {
            try flush()
            buffer.reserve(4 + range.count)
        }
        buffer.store(UInt32(truncatingIfNeeded: range.count), at: used)
        buffer.copy(bytes, range, at: used + 4)
        used += 4 + range.count
    }

    private func flush() throws(BuildError) {
        try file.write(buffer, 0..<used, at: size)
        size += Int64(used)
        used = 0
    }

    func endRun() throws(BuildError) {
        try flush()
        guard let last = runs.popLast() else { return }
        runs.append(last.lowerBound..<size)
    }

    /// Merges all runs. As long as there are too many runs, neighboring ones are first merged into longer ones.
    func merge(
        _ body: (_ record: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) -> Void
    ) throws(BuildError) {
        let fanIn = max(2, limits.mergedRecordRuns)
        while runs.count > fanIn {
            let all = runs
            runs = []
            for start in stride(from: 0, to: all.count, by: fanIn) {
                var merge = try RunMerge(
                    Array(all[start..<min(start + fanIn, all.count)]), file, normalizer, pieceSize: limits.recordPiece)
                try beginRun()
                while try merge.next({ (bytes, range) throws(BuildError) in try append(bytes, range) }) {}
                try endRun()
            }
        }
        var merge = try RunMerge(runs, file, normalizer, pieceSize: limits.recordPiece)
        while try merge.next(body) {}
        runs = []
    }
}

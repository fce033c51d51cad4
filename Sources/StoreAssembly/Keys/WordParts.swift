import SQLiteFileBuilder

/// The parts of a spool on disk, each with a chunk in memory. They belong to one thread at a time until `finish`; then
/// several threads can read them.
final class WordParts: @unchecked Sendable {
    static let count = 256
    private static let bits: UInt64 = 8

    let width: Int
    private let depth: UInt64
    private let file: WordFile
    private let chunkWords: Int
    /// The chunk in memory of each part.
    @exclusivity(unchecked) private var buffer: [UInt64]
    @exclusivity(unchecked) private var used: [Int]
    /// The positions in the file of the chunks of each part. All chunks but the last are full.
    @exclusivity(unchecked) private var chunks: [[Int]]

    init(width: Int, depth: Int, path: String, _ limits: AssemblyLimits) throws(BuildError) {
        self.width = width
        self.depth = UInt64(depth)
        file = try WordFile(beside: path)
        chunkWords = width * max(1, limits.entriesPerPart)
        buffer = [UInt64](repeating: 0, count: Self.count * chunkWords)
        used = [Int](repeating: 0, count: Self.count)
        chunks = [[Int]](repeating: [], count: Self.count)
    }

    /// Returns the part of a digest. Sixteen levels use all of its bits.
    @inline(__always)
    private func part(_ high: UInt64, _ low: UInt64) -> Int {
        let bits = depth < 8 ? high >> (56 - depth * Self.bits) : low >> (56 - (depth - 8) * Self.bits)
        return Int(bits & UInt64(Self.count - 1))
    }

    /// Moves entries to their parts.
    func append(_ entries: [SpoolEntry]) throws(BuildError) {
        var next = 0
        while let full = fill(&next, of: entries) { try flush(full) }
    }

    /// Moves entries to their parts until one is full.
    ///
    /// - Parameter next: the first entry that is not moved yet.
    /// - Returns: the part that is full; nil if all entries are moved.
    private func fill(_ next: inout Int, of entries: [SpoolEntry]) -> Int? {
        var words = buffer.mutableSpan
        var lengths = used.mutableSpan
        while next < entries.count {
            let entry = entries[next]
            next += 1
            let part = part(entry.digest.high, entry.digest.low)
            let start = part * chunkWords + lengths[part]
            words[start] = entry.digest.high
            words[start + 1] = entry.digest.low
            words[start + 2] = entry.first
            words[start + 3] = entry.second
            if width == SpoolEntry.width {
                words[start + 4] = entry.third
                words[start + 5] = entry.fourth
            }
            lengths[part] += width
            if lengths[part] == chunkWords { return part }
        }
        return nil
    }

    private func flush(_ part: Int) throws(BuildError) {
        guard used[part] > 0 else { return }
        chunks[part].append(file.count)
        let start = part * chunkWords
        try file.append(buffer, start..<start + used[part])
        // The number of words of the last chunk is still needed.
        if used[part] == chunkWords { used[part] = 0 }
    }

    /// Writes the remaining entries. No more entries may be added.
    func finish() throws(BuildError) {
        for part in 0..<Self.count { try flush(part) }
        buffer = []
        try file.flush()
    }

    /// Calls a closure with the entries of a part in their order.
    func forEach(
        in part: Int, _ body: (SpoolEntry) throws(BuildError) -> Void
    ) throws(BuildError) {
        var words: [UInt64] = []
        for (index, start) in chunks[part].enumerated() {
            let isLast = index == chunks[part].count - 1
            let length = isLast && used[part] > 0 ? used[part] : chunkWords
            try file.read(start..<start + length, into: &words)
            var place = 0
            while place < length {
                try body(SpoolEntry(words.span.extracting(place..<place + width)))
                place += width
            }
        }
    }

    /// Releases all entries. They must not be read any more.
    func discard() { file.discard() }

    func isEmpty(_ part: Int) -> Bool { chunks[part].isEmpty }

    /// Returns the number of entries of a part. All entries must have been written.
    func count(in part: Int) -> Int {
        guard !isEmpty(part) else { return 0 }
        return (chunks[part].count * chunkWords - (used[part] > 0 ? chunkWords - used[part] : 0)) / width
    }
}

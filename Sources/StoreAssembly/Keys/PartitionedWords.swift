import SQLiteFileBuilder

/// The words of an entry.
struct SpoolEntry {
    /// Short entries have four words.
    static let width = 6
    static let shortWidth = 4

    let digest: KeyDigest
    let first: UInt64
    let second: UInt64
    var third: UInt64 = 0
    var fourth: UInt64 = 0

    init(digest: KeyDigest, _ first: UInt64, _ second: UInt64, _ third: UInt64 = 0, _ fourth: UInt64 = 0) {
        self.digest = digest
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }

    init(_ words: Span<UInt64>) {
        digest = KeyDigest(high: words[0], low: words[1])
        first = words[2]
        second = words[3]
        if words.count == Self.width {
            third = words[4]
            fourth = words[5]
        }
    }
}

/// Entries of a fixed number of words on disk, in parts that their first words say: those of a part are read together.
///
/// Within a part entries keep their order.
final class PartitionedWords {
    /// Parts of a spool.
    static let parts = 256
    private static let partBits: UInt64 = 8

    let width: Int
    private let depth: UInt64
    private let path: String
    private let limits: AssemblyLimits
    private let file: WordFile
    private let chunkWords: Int
    /// Entries that wait for their parts. The parts lie far from each other in memory: a loop that does nothing else does
    /// not wait for one before it writes to the next.
    @exclusivity(unchecked) private var pending: [SpoolEntry] = []
    private let waitingEntries: Int
    /// A chunk of each part.
    @exclusivity(unchecked) private var buffer: [UInt64]
    @exclusivity(unchecked) private var used: [Int]
    /// By part, where its chunks begin in the file; all but the last are full.
    @exclusivity(unchecked) private var chunks: [[Int]]
    @exclusivity(unchecked) private(set) var count = 0
    private var isFinished = false

    /// - Parameters:
    ///   - width: words of an entry; the first two are the digest of a key.
    ///   - depth: how often the entries were parted before.
    init(width: Int, depth: Int = 0, path: String, _ limits: AssemblyLimits) throws(BuildError) {
        self.width = width
        self.depth = UInt64(depth)
        self.path = path
        self.limits = limits
        file = try WordFile(beside: path)
        chunkWords = width * max(1, limits.entriesPerPart)
        buffer = [UInt64](repeating: 0, count: Self.parts * chunkWords)
        used = [Int](repeating: 0, count: Self.parts)
        chunks = [[Int]](repeating: [], count: Self.parts)
        waitingEntries = max(1, limits.waitingEntries)
        pending.reserveCapacity(waitingEntries)
    }

    /// The part of a digest. Sixteen levels use all of its bits.
    private func part(_ high: UInt64, _ low: UInt64) -> Int {
        let bits = depth < 8 ? high >> (56 - depth * Self.partBits) : low >> (56 - (depth - 8) * Self.partBits)
        return Int(bits & UInt64(Self.parts - 1))
    }

    @inline(__always)
    func append(_ entry: SpoolEntry) throws(BuildError) {
        pending.append(entry)
        count += 1
        if pending.count == waitingEntries { try distribute() }
    }

    /// Moves the entries that wait to their parts.
    private func distribute() throws(BuildError) {
        var next = 0
        while let full = fillParts(&next) { try flush(full) }
        pending.removeAll(keepingCapacity: true)
    }

    /// Moves entries to their parts until one is full.
    ///
    /// - Parameter next: the first entry that is not moved yet.
    /// - Returns: the part that is full; nil if all entries are moved.
    private func fillParts(_ next: inout Int) -> Int? {
        var words = buffer.mutableSpan
        var lengths = used.mutableSpan
        let entries = pending
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

    /// Writes what is left; nothing can be added any more.
    func finish() throws(BuildError) {
        guard !isFinished else { return }
        isFinished = true
        try distribute()
        pending = []
        for part in 0..<Self.parts { try flush(part) }
        buffer = []
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

    func isEmpty(_ part: Int) -> Bool { chunks[part].isEmpty }

    /// Whether parts can be parted again: digests have bits for that.
    var isDivisible: Bool { depth < 15 }

    /// The entries of a part, parted by what comes next of their digests.
    func parted(_ part: Int) throws(BuildError) -> PartitionedWords {
        let smaller = try PartitionedWords(width: width, depth: Int(depth) + 1, path: path, limits)
        try forEach(in: part) { (entry) throws(BuildError) in try smaller.append(entry) }
        try smaller.finish()
        return smaller
    }
}

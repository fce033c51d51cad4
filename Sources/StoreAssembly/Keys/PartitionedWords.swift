import SQLiteFileBuilder

/// An entry of a spool, as words.
struct SpoolEntry {
    /// The number of words of an entry. Short entries have no third and fourth word.
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

/// Entries of a fixed number of words on disk, in parts by their digests. The entries of a part are read together.
///
/// Within a part, entries keep their order.
final class PartitionedWords {
    /// The number of parts.
    static let parts = WordParts.count

    private let parts: WordParts
    private let depth: Int
    private let path: String
    private let limits: AssemblyLimits
    /// The mover of entries to their parts on another thread, made when the first entries are moved; nil if the
    /// caller's thread moves them.
    @exclusivity(unchecked) private var mover: EntryMover?
    /// Whether a mover must still be made.
    @exclusivity(unchecked) private var isAside: Bool
    /// The entries that wait to be moved to their parts. The parts are far from each other in memory. A loop that only
    /// moves entries does not have to wait for one memory access before it begins the next.
    @exclusivity(unchecked) private var pending: [SpoolEntry] = []
    private let waitingEntries: Int
    @exclusivity(unchecked) private(set) var count = 0
    private var isFinished = false

    /// - Parameters:
    ///   - width: the number of words of an entry. The first two are the digest of a key.
    ///   - depth: how often the entries have been divided into parts before.
    ///   - isAside: whether another thread may move entries to their parts.
    init(
        width: Int, depth: Int = 0, path: String, _ limits: AssemblyLimits, isAside: Bool = false
    ) throws(BuildError) {
        self.depth = depth
        self.path = path
        self.limits = limits
        parts = try WordParts(width: width, depth: depth, path: path, limits)
        self.isAside = isAside && limits.entriesAside > 0
        waitingEntries = max(1, self.isAside ? limits.entriesAside : limits.waitingEntries)
        pending.reserveCapacity(waitingEntries)
    }

    @inline(__always)
    func append(_ entry: SpoolEntry) throws(BuildError) {
        pending.append(entry)
        count += 1
        if pending.count == waitingEntries { try distribute() }
    }

    /// Moves the entries that wait to their parts.
    private func distribute() throws(BuildError) {
        if isAside {
            isAside = false
            mover = EntryMover(parts, capacity: waitingEntries)
        }
        if let mover { return try mover.move(&pending) }
        try parts.append(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes the remaining entries. No more entries may be added.
    func finish() throws(BuildError) {
        guard !isFinished else { return }
        isFinished = true
        try mover?.wait()
        try parts.append(pending)
        pending = []
        try parts.finish()
    }

    /// Calls a closure with the entries of a part in their order.
    func forEach(
        in part: Int, _ body: (SpoolEntry) throws(BuildError) -> Void
    ) throws(BuildError) {
        try parts.forEach(in: part, body)
    }

    /// Releases all entries. They must not be read any more.
    func discard() { parts.discard() }

    func isEmpty(_ part: Int) -> Bool { parts.isEmpty(part) }

    /// Returns the number of entries of a part.
    func count(in part: Int) -> Int { parts.count(in: part) }

    /// Whether parts can be divided again, because digests have more bits.
    var isDivisible: Bool { depth < 15 }

    /// Returns the entries of a part, divided by the next bits of their digests.
    func parted(_ part: Int) throws(BuildError) -> PartitionedWords {
        let smaller = try PartitionedWords(width: parts.width, depth: depth + 1, path: path, limits)
        try forEach(in: part) { (entry) throws(BuildError) in try smaller.append(entry) }
        try smaller.finish()
        return smaller
    }
}

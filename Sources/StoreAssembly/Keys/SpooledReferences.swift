import SQLiteFileBuilder

/// References by key on disk, parted by digest.
///
/// Those that differ in hardly more than their key and their owner from others take four words, the others six.
final class SpooledReferences {
    /// What references have in common.
    private struct Kind: Equatable {
        /// What refers, and as what the destination is looked for.
        let place: UInt64
        /// Nil for that of the owner.
        let threshold: Int64?
    }

    private let path: String
    private let limits: AssemblyLimits
    @exclusivity(unchecked) private var kinds: [Kind] = []
    @exclusivity(unchecked) private var short: PartitionedWords?
    @exclusivity(unchecked) private var long: PartitionedWords?

    private static let ownerBits: UInt64 = 48
    /// Kinds, and how many of them are looked through.
    private static let mostKinds = 1 << 16
    private static let recentKinds = 8

    init(_ path: String, _ limits: AssemblyLimits) {
        self.path = path
        self.limits = limits
    }

    /// Adds a reference.
    ///
    /// - Parameters:
    ///   - place: what refers, and as what the destination is looked for.
    ///   - payload: the place of what the client gets if it leads nowhere.
    ///   - last: of a reference of a list its place there, else the first arrival that comes later.
    func append(
        _ digest: KeyDigest, from owner: UInt64, _ place: UInt64, payload: UInt64, _ last: Int64
    ) throws(BuildError) {
        if owner < 1 << Self.ownerBits, !ReferenceEntry.isOfList(place),
            let kind = kind(Kind(place: place, threshold: last == Int64(owner) ? nil : last))
        {
            if short == nil {
                short = try PartitionedWords(width: SpoolEntry.shortWidth, path: path, limits, isAside: true)
            }
            try short?.append(SpoolEntry(digest: digest, owner | UInt64(kind) << Self.ownerBits, payload))
        } else {
            if long == nil { long = try PartitionedWords(width: SpoolEntry.width, path: path, limits) }
            try long?.append(SpoolEntry(digest: digest, owner, place, payload, UInt64(bitPattern: last)))
        }
    }

    /// The number of a kind; nil if there are too many.
    @inline(__always)
    private func kind(_ kind: Kind) -> Int? {
        let first = max(0, kinds.count - Self.recentKinds)
        var index = kinds.count
        while index > first {
            index -= 1
            if kinds[index] == kind { return index }
        }
        guard kinds.count < Self.mostKinds else { return nil }
        kinds.append(kind)
        return kinds.count - 1
    }

    /// Writes what is left; nothing can be added any more.
    func finish() throws(BuildError) {
        try short?.finish()
        try long?.finish()
    }

    /// Gives all back: nothing is read any more.
    func discard() {
        short?.discard()
        long?.discard()
    }

    func isEmpty(_ part: Int) -> Bool { short?.isEmpty(part) ?? true && long?.isEmpty(part) ?? true }

    /// Calls a closure with the references of a part.
    func forEach(in part: Int, _ body: (ReferenceEntry) throws(BuildError) -> Void) throws(BuildError) {
        try long?.forEach(in: part) { (entry) throws(BuildError) in try body(ReferenceEntry(entry)) }
        try short?.forEach(in: part) { (entry) throws(BuildError) in
            let owner = entry.first & (1 << Self.ownerBits - 1)
            let kind = kinds[Int(entry.first >> Self.ownerBits)]
            let last = kind.threshold ?? Int64(owner)
            try body(
                ReferenceEntry(
                    SpoolEntry(
                        digest: entry.digest, owner, kind.place, entry.second, UInt64(bitPattern: last))))
        }
    }

    /// The references of a part, parted by what comes next of their digests.
    func parted(_ part: Int) throws(BuildError) -> SpooledReferences {
        let smaller = SpooledReferences(path, limits)
        smaller.kinds = kinds
        smaller.short = try short?.parted(part)
        smaller.long = try long?.parted(part)
        return smaller
    }
}

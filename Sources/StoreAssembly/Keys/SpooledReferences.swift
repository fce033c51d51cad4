import SQLiteFileBuilder

/// References by key on disk, in parts by digest.
///
/// References that differ from others only in their key, owner and payload take four words, the others six.
final class SpooledReferences {
    /// The properties that many references have in common.
    private struct Kind: Equatable {
        /// The place of the reference and the entity that is looked up, as `ReferenceEntry.place` returns them.
        let place: UInt64
        /// The threshold; nil if it is the arrival of the owner.
        let threshold: Int64?
    }

    private let path: String
    private let limits: AssemblyLimits
    @exclusivity(unchecked) private var kinds: [Kind] = []
    @exclusivity(unchecked) private var short: PartitionedWords?
    @exclusivity(unchecked) private var long: PartitionedWords?

    private static let ownerBits: UInt64 = 48
    /// The maximum number of kinds, and the number of recent kinds that are searched.
    private static let mostKinds = 1 << 16
    private static let recentKinds = 8

    init(_ path: String, _ limits: AssemblyLimits) {
        self.path = path
        self.limits = limits
    }

    /// Adds a reference.
    ///
    /// - Parameters:
    ///   - digest: the digest of the key.
    ///   - owner: the arrival of the object with the reference.
    ///   - place: the place of the reference, as `ReferenceEntry.place` returns it.
    ///   - payload: the offset of the note that the client gets if there is no destination.
    ///   - last: for a reference in a list, its position there; otherwise the first arrival that comes after the
    ///     reference.
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

    /// Returns the number of a kind; nil if there are too many kinds.
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

    /// Writes the remaining references. No more references may be added.
    func finish() throws(BuildError) {
        try short?.finish()
        try long?.finish()
    }

    /// Releases all references. They must not be read any more.
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

    /// Returns the references of a part, divided by the next bits of their digests.
    func parted(_ part: Int) throws(BuildError) -> SpooledReferences {
        let smaller = SpooledReferences(path, limits)
        smaller.kinds = kinds
        smaller.short = try short?.parted(part)
        smaller.long = try long?.parted(part)
        return smaller
    }
}

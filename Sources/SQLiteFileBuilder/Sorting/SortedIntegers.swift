/// Sorted entries that are read one after the other.
final class SortedIntegers {
    @exclusivity(unchecked) private var entries: [IntegerEntry]
    @exclusivity(unchecked) private var place = 0
    /// The source of the entries after those.
    private let merge: IntegerMergeAhead?

    init(_ entries: [IntegerEntry]) {
        self.entries = entries
        merge = nil
    }

    init(_ merge: IntegerMergeAhead) {
        entries = []
        self.merge = merge
    }

    deinit {
        merge?.stop()
    }

    /// Returns the next entry; nil after the last one.
    @inline(__always)
    func next() throws(BuildError) -> IntegerEntry? {
        if place == entries.count {
            guard try takeMore() else { return nil }
        }
        defer { place += 1 }
        return entries[place]
    }

    @inline(never)
    private func takeMore() throws(BuildError) -> Bool {
        guard let merge else { return false }
        if !entries.isEmpty {
            var used: [IntegerEntry] = []
            swap(&used, &entries)
            merge.giveBack(consume used)
        }
        place = 0
        guard let more = try merge.next() else { return false }
        entries = more
        return true
    }
}

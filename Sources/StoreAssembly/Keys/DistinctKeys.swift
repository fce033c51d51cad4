import SQLiteFileBuilder
import Threading

/// A check whether each key belongs to one row and to nothing else, as in most imports, so that all objects are
/// different.
///
/// Two threads read half of the keys each.
final class DistinctKeys: @unchecked Sendable {
    private let entries: PartitionedWords
    private let mostKeys: Int

    /// - Parameters:
    ///   - entries: all keys; no more may be added.
    ///   - mostKeys: the number of different keys that may be in memory.
    init(_ entries: PartitionedWords, mostKeys: Int) {
        (self.entries, self.mostKeys) = (entries, mostKeys / 2)
    }

    /// Returns whether each key belongs to one row and to nothing else; also false if a part has too many keys.
    func areAll() throws(BuildError) -> Bool {
        let exchange = BufferExchange<Void, Result<Bool, BuildError>>([])
        let half = PartitionedWords.parts / 2
        do throws(ThreadError) {
            try WorkerThread.start { [self] in
                exchange.put(
                    Result { () throws(BuildError) in
                        try areDistinct(in: half..<PartitionedWords.parts) { exchange.isStopped }
                    })
            }
        } catch {
            return try areDistinct(in: 0..<PartitionedWords.parts) { false }
        }
        let first = Result { () throws(BuildError) in try areDistinct(in: 0..<half) { false } }
        if (try? first.get()) != true { exchange.stop() }
        // The other thread reads the keys until it ends.
        let second = exchange.next()
        guard try first.get() else { return false }
        return try second.get()
    }

    private func areDistinct(in parts: Range<Int>, isStopped: () -> Bool) throws(BuildError) -> Bool {
        var keys = KeyTable()
        for part in parts {
            guard !isStopped(), try keys.takeRows(of: entries, in: part, mostKeys: mostKeys) else { return false }
        }
        return true
    }
}

extension KeyTable {
    /// Replaces the keys with those of a part. Returns false if these are too many, or if one of them does not belong
    /// to exactly one row.
    mutating func takeRows(of entries: PartitionedWords, in part: Int, mostKeys: Int) throws(BuildError) -> Bool {
        let count = entries.count(in: part)
        guard count <= mostKeys else { return false }
        removeAll(before: count)
        var isPlain = true
        try entries.forEach(in: part) { (words) throws(BuildError) in
            let entry = KeyEntry(words)
            isPlain = isPlain && entry.kind == .row && insert(Leader(entry))
        }
        return isPlain
    }
}

import SQLiteFileBuilder
import Threading

/// A search for the destinations of references that works if each key belongs to one row and to nothing else, as is
/// usual.
///
/// Other threads read parts of the keys in turn, while the caller's thread uses the results.
final class ReferenceJoin: @unchecked Sendable {
    /// The result of a reference.
    struct Found {
        /// The position of the owner's table.
        let table: Int
        let owner: Int64
        /// The bits of the `LinkPatch`.
        let patch: Int64

        init(_ reference: ReferenceEntry, _ patch: LinkPatch) {
            (table, owner, self.patch) = (reference.table, reference.owner, patch.bits)
        }
    }

    private enum Outcome {
        case found([Found])
        /// A key belongs to several rows, or to something else than a row, or there are too many keys.
        case declined
        case failure(BuildError)
    }

    private let entries: PartitionedWords
    private let references: SpooledReferences
    private let finds: [[Bool]]
    private let mostKeys: Int
    private let readerCount: Int

    /// The number of lists of each reader: one is filled, and one waits or is used.
    private static let listCount = 2

    /// - Parameters:
    ///   - entries: the keys. No more keys may be added.
    ///   - references: the references. No more references may be added.
    ///   - finds: for each entity, whether a look-up for it finds the objects of each other entity.
    ///   - mostKeys: the maximum number of keys in memory.
    init(_ entries: PartitionedWords, _ references: SpooledReferences, finds: [[Bool]], mostKeys: Int) {
        (self.entries, self.references, self.finds) = (entries, references, finds)
        // Two readers have the keys of two parts in memory.
        let isHalved = (0..<PartitionedWords.parts).allSatisfy { entries.count(in: $0) <= mostKeys / 2 }
        (readerCount, self.mostKeys) = isHalved ? (2, mostKeys / 2) : (1, mostKeys)
    }

    /// Calls a closure with the results of the references, part by part. Returns false, possibly after some calls, if
    /// keys do not belong to one row each or are too many.
    func run(_ body: ([Found]) throws(BuildError) -> Void) throws(BuildError) -> Bool {
        var exchanges: [BufferExchange<[Found], Outcome>?] = []
        defer { exchanges.forEach { $0?.stop() } }
        for reader in 0..<readerCount {
            let exchange = BufferExchange<[Found], Outcome>((0..<Self.listCount).map { _ in [] })
            do throws(ThreadError) {
                try WorkerThread.start { [self] in
                    var keys = KeyTable()
                    for part in stride(from: reader, to: PartitionedWords.parts, by: readerCount) {
                        guard var list = exchange.takeFree() else { return }
                        let outcome = outcome(of: part, &keys, &list)
                        var isMore = false
                        if case .found = outcome { isMore = true }
                        exchange.put(consume outcome)
                        guard isMore else { return }
                    }
                }
                exchanges.append(exchange)
            } catch {
                exchanges.append(nil)
            }
        }
        var (keys, list) = (KeyTable(), [Found]())
        for part in 0..<PartitionedWords.parts {
            guard let exchange = exchanges[part % readerCount] else {
                // Without another thread, each part is read when it is needed.
                guard try walk(part, &keys, &list) else { return false }
                try body(list)
                continue
            }
            switch exchange.next() {
            case .failure(let error): throw error
            case .declined: return false
            case .found(let list):
                try body(list)
                exchange.giveBack(consume list)
            }
        }
        return true
    }

    private func outcome(of part: Int, _ keys: inout KeyTable, _ list: inout [Found]) -> Outcome {
        do throws(BuildError) {
            guard try walk(part, &keys, &list) else { return .declined }
            var taken: [Found] = []
            swap(&taken, &list)
            return .found(taken)
        } catch {
            return .failure(error)
        }
    }

    /// Reads a part. Returns false if it has too many keys, or if its keys do not belong to one row each.
    private func walk(_ part: Int, _ keys: inout KeyTable, _ list: inout [Found]) throws(BuildError) -> Bool {
        list.removeAll(keepingCapacity: true)
        guard try keys.takeRows(of: entries, in: part, mostKeys: mostKeys) else { return false }
        try references.forEach(in: part) { (reference) throws(BuildError) in
            let leader = keys.index(of: reference.digest, as: reference.entity, finds)
            let found = leader.map { keys.leaders[$0].arrival }
            list.append(Found(reference, LinkPatch(reference, found: found, found)))
        }
        return true
    }
}

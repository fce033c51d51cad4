import SQLiteFileBuilder
import Threading

/// A search for the destinations of references that works if each key belongs to one row and to nothing else, as is
/// usual.
///
/// Another thread reads the keys, while the caller's thread uses the results.
final class ReferenceJoin: @unchecked Sendable {
    /// The result of a reference.
    struct Found {
        /// The position of the owner's table.
        let table: Int
        let owner: Int64
        let patch: LinkPatch
    }

    private enum Outcome {
        case found([Found], isLast: Bool)
        /// A key belongs to several rows, or to something else than a row, or there are too many keys.
        case declined
        case failure(BuildError)
    }

    private let entries: PartitionedWords
    private let references: SpooledReferences
    private let finds: [[Bool]]
    private let mostKeys: Int
    @exclusivity(unchecked) private var keys = KeyTable()
    @exclusivity(unchecked) private var part = 0

    /// The number of lists that circulate: one is filled, one waits, one is used.
    private static let listCount = 3

    /// - Parameters:
    ///   - entries: the keys. No more keys may be added.
    ///   - references: the references. No more references may be added.
    ///   - finds: for each entity, whether a look-up for it finds the objects of each other entity.
    ///   - mostKeys: the maximum number of keys in memory.
    init(_ entries: PartitionedWords, _ references: SpooledReferences, finds: [[Bool]], mostKeys: Int) {
        (self.entries, self.references) = (entries, references)
        (self.finds, self.mostKeys) = (finds, mostKeys)
    }

    /// Calls a closure with the results of the references, part by part. Returns false, possibly after some calls, if
    /// keys do not belong to one row each or are too many.
    func run(_ body: ([Found]) throws(BuildError) -> Void) throws(BuildError) -> Bool {
        let exchange = BufferExchange<[Found], Outcome>((0..<Self.listCount).map { _ in [] })
        defer { exchange.stop() }
        do throws(ThreadError) {
            try WorkerThread.start { [self] in
                while var list = exchange.takeFree() {
                    let outcome = outcome(&list)
                    var isMore = false
                    if case .found(_, isLast: false) = outcome { isMore = true }
                    exchange.put(consume outcome)
                    guard isMore else { return }
                }
            }
        } catch {
            // Without another thread, each part is read when it is needed.
            var list: [Found] = []
            while part < PartitionedWords.parts {
                guard try walk(&list) else { return false }
                try body(list)
            }
            return true
        }
        while true {
            switch exchange.next() {
            case .failure(let error): throw error
            case .declined: return false
            case .found(let list, let isLast):
                try body(list)
                if isLast { return true }
                exchange.giveBack(consume list)
            }
        }
    }

    private func outcome(_ list: inout [Found]) -> Outcome {
        do throws(BuildError) {
            guard try walk(&list) else { return .declined }
            var taken: [Found] = []
            swap(&taken, &list)
            return .found(taken, isLast: part == PartitionedWords.parts)
        } catch {
            return .failure(error)
        }
    }

    /// Reads the next part. Returns false if it has too many keys, or if its keys do not belong to one row each.
    private func walk(_ list: inout [Found]) throws(BuildError) -> Bool {
        list.removeAll(keepingCapacity: true)
        guard try keys.takeRows(of: entries, in: part, mostKeys: mostKeys) else { return false }
        try references.forEach(in: part) { (reference) throws(BuildError) in
            let leader = keys.index(of: reference.digest, as: reference.entity, finds)
            let found = leader.map { keys.leaders[$0].arrival }
            list.append(
                Found(table: reference.table, owner: reference.owner, patch: LinkPatch(reference, found: found, found)))
        }
        part += 1
        return true
    }
}

import SQLiteFileBuilder
import Threading

/// Several readers of one table, whose blocks come in the order of the keys whichever of them is faster.
final class RowReaders {
    private let readers: [RowReader]
    private var heads: [RowReader.Outcome?]

    /// Lets all begin. Throws if the system starts no thread; none reads any more then.
    init(_ readers: [RowReader]) throws(ThreadError) {
        self.readers = readers
        heads = readers.map { _ in nil }
        for (place, reader) in readers.enumerated() {
            do throws(ThreadError) {
                try reader.start()
            } catch {
                Self.stop(readers[..<place])
                throw error
            }
        }
    }

    /// The next block, and who wants it back; nil behind the last one.
    ///
    /// - Parameter check: called every so many milliseconds while there is none.
    func next(waiting milliseconds: Int, _ check: () throws -> Void) throws -> (RowBlock, RowReader)? {
        // Windows are claimed in order, so that each reader's own ascend: the lowest of the heads is the next of all.
        var lowest: (place: Int, window: Int64)?
        for (place, reader) in readers.enumerated() {
            while heads[place] == nil {
                heads[place] = reader.take(within: milliseconds)
                if heads[place] == nil { try check() }
            }
            switch heads[place] {
            case .rows(_, let window), .failure(_, let window):
                if lowest.map({ window < $0.window }) ?? true { lowest = (place, window) }
            case .end, nil: break
            }
        }
        guard let place = lowest?.place else { return nil }
        switch heads[place] {
        case .rows(let block, _):
            heads[place] = nil
            return (block, readers[place])
        case .failure(let error, _): throw error
        case .end, nil: return nil
        }
    }

    /// Lets all threads end, and waits for them.
    func stop() { Self.stop(readers[...]) }

    private static func stop(_ readers: ArraySlice<RowReader>) {
        for reader in readers { reader.askToStop() }
        for reader in readers { reader.waitForEnd() }
    }
}

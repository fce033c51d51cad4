package import Threading

/// Several readers of one table, whose content is returned in the order of the keys regardless of which reader is
/// faster.
package final class WindowReaders<Buffer: Sendable, Content: Sendable> {
    package typealias Reader = WindowReader<Buffer, Content>

    private let readers: [Reader]
    private var heads: [Reader.Outcome?]

    /// Starts all readers. Throws if the system cannot start a thread; then no reader is running.
    package init(_ readers: [Reader]) throws(ThreadError) {
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

    /// Returns the next content, and the reader to which its buffer has to be returned; nil after the last.
    ///
    /// - Parameter check: called at intervals of this many milliseconds while waiting.
    package func next(waiting milliseconds: Int, _ check: () throws -> Void) throws -> (Content, Reader)? {
        // Windows are claimed in ascending order, so each reader's content ascends, and the lowest of the heads is the
        // next of all.
        var lowest: (place: Int, window: Int64)?
        for (place, reader) in readers.enumerated() {
            while heads[place] == nil {
                heads[place] = reader.take(within: milliseconds)
                if heads[place] == nil { try check() }
            }
            switch heads[place] {
            case .content(_, let window), .failure(_, let window):
                if lowest.map({ window < $0.window }) ?? true { lowest = (place, window) }
            case .end, nil: break
            }
        }
        guard let place = lowest?.place else { return nil }
        switch heads[place] {
        case .content(let content, _):
            heads[place] = nil
            return (content, readers[place])
        case .failure(let error, _): throw error
        case .end, nil: return nil
        }
    }

    /// Stops all threads, and waits until they have ended.
    package func stop() { Self.stop(readers[...]) }

    private static func stop(_ readers: ArraySlice<Reader>) {
        for reader in readers { reader.askToStop() }
        for reader in readers { reader.waitForEnd() }
    }
}

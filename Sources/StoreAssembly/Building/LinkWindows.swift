import SQLiteFileBuilder
import Synchronization

/// The windows of arrivals in which the rows of a table are read again, with the results of the references of their
/// rows. Several readers take the windows in turn.
final class LinkWindows: @unchecked Sendable {
    private let patches: SortedPairs
    private let next: Int64
    private let rows: Int64
    private let isTaken = Mutex<Void>(())
    /// The first result that belongs to a later window, and whether it has been read.
    @exclusivity(unchecked) private var following: SortedPairs.Pair?
    @exclusivity(unchecked) private var isBegun = false
    /// The number of windows whose results have been read.
    @exclusivity(unchecked) private var readCount = 0
    /// The results of windows that their readers have not taken yet, by reader. A reader cannot be more than a few
    /// windows ahead of another one, because their blocks are used in turn.
    @exclusivity(unchecked) private var waiting: [[[SortedPairs.Pair]]]

    /// The number of windows.
    let count: Int

    /// - Parameters:
    ///   - patches: the results, sorted by row.
    ///   - next: the arrival after the last row.
    ///   - rows: the number of arrivals in a window; at least one is used.
    ///   - readers: the number of readers. Window `n` is that of reader `n % readers`.
    init(_ patches: SortedPairs, of next: Int64, rows: Int, readers: Int) {
        (self.patches, self.next, self.rows) = (patches, next, Int64(max(1, rows)))
        waiting = [[[SortedPairs.Pair]]](repeating: [], count: readers)
        // The first arrival is 1.
        count = Int((max(1, next) - 1 + self.rows - 1) / self.rows)
    }

    /// Returns the first arrival of a window.
    func start(of window: Int) -> Int64 { Int64(window) * rows + 1 }

    /// Returns the last arrival of a window.
    func end(of window: Int) -> Int64 { Int64(window + 1) * rows }

    /// Replaces an array with the results of a reader's next window.
    func take(_ taken: inout [SortedPairs.Pair], for reader: Int) throws(BuildError) {
        try isTaken.withLock { (_) throws(BuildError) in
            while waiting[reader].isEmpty {
                var found = taken
                taken = []
                found.removeAll(keepingCapacity: true)
                try read(&found)
                waiting[readCount % waiting.count].append(found)
                readCount += 1
            }
            taken = waiting[reader].removeFirst()
        }
    }

    /// Reads the results of the first window whose results have not been read.
    private func read(_ found: inout [SortedPairs.Pair]) throws(BuildError) {
        let end = end(of: readCount)
        if !isBegun { (isBegun, following) = (true, try patches.next()) }
        while let pair = following, pair.first <= end {
            found.append(pair)
            following = try patches.next()
        }
    }
}

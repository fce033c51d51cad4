internal import SQLiteAccess

/// The pages of a file that is being checked, as one thread reads them.
final class CheckedPages {
    private let reader: PageReader
    private let runBytes: Int

    let path: String
    let pageSize: Int
    let usableSize: Int
    let pageCount: UInt32
    let firstFreePage: UInt32
    let freePageCount: UInt32
    let largestRoot: UInt32
    let vacuumsIncrementally: Bool

    init(_ reader: PageReader, runBytes: Int) {
        self.reader = reader
        self.runBytes = runBytes
        path = reader.path
        pageSize = reader.pageSize
        usableSize = reader.usableSize
        pageCount = reader.pageCount
        firstFreePage = reader.firstFreePage
        freePageCount = reader.freePageCount
        largestRoot = reader.largestRoot
        vacuumsIncrementally = reader.vacuumsIncrementally
    }

    /// Returns the same pages for another thread; nil if the file cannot be opened once more.
    func another() -> CheckedPages? { reader.another().map { CheckedPages($0, runBytes: runBytes) } }

    /// Consecutive pages that one thread has read together, because it asked for one page after the other.
    struct Run {
        fileprivate var first: UInt32 = 0
        fileprivate var count: UInt32 = 0
        fileprivate(set) var bytes: [UInt8] = []
        /// The page that was requested last.
        fileprivate var last: UInt32 = 0
    }

    /// Returns the place of a page among the pages that were read together; nil if it must be read by itself.
    ///
    /// If the file has no log and the page follows the one that was requested before, the pages after it are read as
    /// well.
    func place(of number: UInt32, in run: inout Run) -> Range<Int>? {
        if number &- run.first >= run.count {
            let follows = number == run.last &+ 1
            run.count = 0
            if follows { read(from: number, into: &run) }
        }
        run.last = number
        // If the pages cannot be read together, the damaged page may be one that is never requested.
        guard number &- run.first < run.count else { return nil }
        let start = Int(number - run.first) * pageSize
        return start..<start + pageSize
    }

    private func read(from number: UInt32, into run: inout Run) {
        guard !reader.hasLog, number <= pageCount else { return }
        let count = min(runBytes / pageSize, Int(pageCount - number) + 1)
        guard count > 1 else { return }
        if run.bytes.count != count * pageSize { run.bytes = [UInt8](repeating: 0, count: count * pageSize) }
        if (try? reader.read(from: number, into: &run.bytes)) != nil {
            (run.first, run.count) = (number, UInt32(count))
        }
    }

    func read(_ number: UInt32, into bytes: inout [UInt8]) throws(SQLiteError) {
        try reader.read(number, into: &bytes)
    }
}

internal import SQLiteAccess
internal import Synchronization

/// The pages of a file that is checked, read by one thread at a time.
final class CheckedPages: @unchecked Sendable {
    private let reader: PageReader
    private let reading = Mutex(())

    let path: String
    let pageSize: Int
    let usableSize: Int
    let pageCount: UInt32
    let firstFreePage: UInt32
    let freePageCount: UInt32
    let largestRoot: UInt32
    let vacuumsIncrementally: Bool

    init(_ reader: PageReader) {
        self.reader = reader
        path = reader.path
        pageSize = reader.pageSize
        usableSize = reader.usableSize
        pageCount = reader.pageCount
        firstFreePage = reader.firstFreePage
        freePageCount = reader.freePageCount
        largestRoot = reader.largestRoot
        vacuumsIncrementally = reader.vacuumsIncrementally
    }

    func read(_ number: UInt32, into bytes: inout [UInt8]) throws(SQLiteError) {
        let code = reading.withLock { _ -> SQLiteError? in
            do throws(SQLiteError) {
                try reader.read(number, into: &bytes)
                return nil
            } catch {
                return error
            }
        }
        if let code { throw code }
    }
}

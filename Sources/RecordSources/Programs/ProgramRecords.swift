/// Records that a program supplies one after the other; they can be read only once.
package final class ProgramRecords: @unchecked Sendable {
    /// The name of the source in messages.
    package static let name = "(records)"

    let columns: [String]
    /// The place of each column.
    let places: [String: Int]
    /// Called on one thread at a time.
    let next: () -> [String: RecordValue]?

    package init(_ records: some Sequence<[String: RecordValue]>, columns: [String]) {
        self.columns = columns
        places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var iterator = records.makeIterator()
        next = { iterator.next() }
    }
}

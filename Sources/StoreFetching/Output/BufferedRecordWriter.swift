/// A writer that can take back what it has appended of a record.
protocol BufferedRecordWriter: RecordWriter {
    var output: OutputBuffer { get set }
}

extension BufferedRecordWriter {
    /// Takes over from a writer of the same form, with what it has not passed on yet.
    public mutating func goOn(after other: inout Self) { swap(&output, &other.output) }

    /// Appends what a row has; false, and nothing is appended, where the row is refused.
    mutating func append(_ cursor: FetchCursor, _ body: (inout Self) throws -> Void) throws -> Bool {
        let start = output.bytes.count
        do {
            try body(&self)
            return true
        } catch let error as FetchError {
            try cursor.refuse(error)
            output.bytes.removeSubrange(start...)
            return false
        }
    }
}

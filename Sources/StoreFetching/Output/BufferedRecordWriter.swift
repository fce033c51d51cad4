/// A writer that can remove what it has appended of a record.
protocol BufferedRecordWriter: RecordWriter {
    var output: OutputBuffer { get set }
}

extension BufferedRecordWriter {
    /// Continues after another writer for the same format, and takes over its pending output.
    public mutating func goOn(after other: inout Self) { swap(&output, &other.output) }

    /// Appends a row; returns false, and appends nothing, if the row is refused.
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

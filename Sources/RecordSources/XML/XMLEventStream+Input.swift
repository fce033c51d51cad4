import DocumentReading

extension XMLEventStream {
    /// Reads a document from an input. If the input cannot be read, the error is also in `ByteInput.failure`.
    init(_ input: ByteInput, limits: XMLReadingLimits = XMLReadingLimits()) {
        self.init(name: input.name, limits: limits) { buffer throws(DocumentError) in
            do throws(SourceError) {
                return try input.read(into: &buffer, at: 0, atMost: buffer.count)
            } catch {
                throw DocumentError(
                    .unreadable, error.code.sentence, at: SourceLocation(file: input.name, line: 1))
            }
        }
    }
}

import RecordSources

/// An input of the fuzzer: two bytes of choices, then the text of a source.
struct SourceInput {
    let choices: UInt8
    let number: Int
    let content: [UInt8]

    init(_ bytes: [UInt8]) {
        choices = bytes.first ?? 0
        number = Int(bytes.dropFirst().first ?? 0)
        content = Array(bytes.dropFirst(2))
    }

    func isChosen(_ choice: UInt8) -> Bool { choices & choice != 0 }

    /// The text, in chunks of a few bytes where the first choice is made.
    func bytes(_ name: String) -> ByteInput {
        ByteInput(bytes: content, name: name, chunkBytes: isChosen(2) ? 1 + number : 1 << 20)
    }

    /// Reads all records and all of their fields.
    func drain(_ source: inout some RecordSource) throws {
        var batch = RecordBatch(
            limits: isChosen(1) ? RecordBatch.Limits(rows: 1 + number % 7, bytes: 1 + number) : RecordBatch.Limits())
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                for field in 0..<Int(batch[record].fieldCount) { _ = batch.text(of: batch.field(field, of: record)) }
                _ = (batch.problem(of: record), Array(batch.sourceBytes(of: record)))
            }
        }
    }
}

package import RecordSources

/// All that a delimited text holds, read in the plainest way: what tests compare.
package struct DelimitedReading: Equatable {
    package var columns: [String] = []
    package var records: [[String]] = []
    /// The problem of each record, nil for a good one.
    package var problems: [RecordProblem?] = []
    package var lines: [Int] = []
    package var sourceBytes: [[UInt8]] = []
    package var offsets: [Int] = []

    /// Reads a whole source batch by batch.
    package init(
        _ input: ByteInput, options: DelimitedOptions = DelimitedOptions(),
        limits: RecordBatch.Limits = RecordBatch.Limits(), from position: RecordPosition? = nil
    ) throws {
        var source = try DelimitedSource(input, options: options, from: position)
        columns = source.columns.map(\.name)
        var batch = RecordBatch(limits: limits)
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                let fields = 0..<Int(batch[record].fieldCount)
                records.append(fields.map { batch.text(of: batch.field($0, of: record)) })
                problems.append(batch.problem(of: record))
                lines.append(batch[record].line)
                offsets.append(batch[record].sourceOffset)
                sourceBytes.append(Array(batch.sourceBytes(of: record)))
            }
        }
    }

    /// Reads a text in memory, in chunks of so many bytes.
    package init(
        _ text: String, options: DelimitedOptions = DelimitedOptions(), chunkBytes: Int = 64 << 10,
        limits: RecordBatch.Limits = RecordBatch.Limits()
    ) throws {
        try self.init(
            ByteInput(bytes: Array(text.utf8), name: "text.csv", chunkBytes: chunkBytes), options: options,
            limits: limits)
    }

    /// The records as dictionaries by column.
    package var dictionaries: [[String: String]] {
        records.map { Dictionary(zip(columns, $0), uniquingKeysWith: { first, _ in first }) }
    }

    package var codes: [RecordProblem.Code?] { problems.map { $0?.code } }
}

extension DelimitedOptions {
    /// Options with some of them set.
    package static func with(_ change: (inout DelimitedOptions) -> Void) -> DelimitedOptions {
        var options = DelimitedOptions()
        change(&options)
        return options
    }

    /// RFC 4180 without header, with nothing left to guess.
    package static let plain = with {
        $0.delimiter = ","
        $0.quote = .some(UInt8(ascii: "\""))
        $0.escape = .some(nil)
        $0.hasHeader = false
        $0.encoding = .utf8
        $0.skipsSpaceBeforeQuote = false
    }
}

import ImportTestSupport
import RecordConversion
import RecordSources
import SQLiteAccess

/// The outcome of converting one value, in a form that tests can compare.
enum Converting: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case failure(ConversionFailure.Reason)

    /// Converts a value that stands quoted or unquoted in a delimited file, by itself and as one of a column.
    init(_ text: String, quoted: Bool = false, _ conversion: ValueConversion) throws {
        var options = DelimitedOptions.plain
        options.emptyLines = .keep
        options.delimiter = "\u{1}"
        let field = quoted ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
        var source = try DelimitedSource(
            ByteInput(bytes: Array((field + "\n").utf8), name: "value"), options: options)
        try self.init(&source, conversion)
    }

    /// Converts the first value of a source.
    init(_ source: inout some RecordSource, _ conversion: ValueConversion) throws {
        var batch = RecordBatch()
        guard try source.next(into: &batch) else {
            self = .failure(.notASingleValue)
            return
        }
        var values: [ConvertedValue] = []
        var failures: [Int: ConversionFailure] = [:]
        conversion.convert(column: 0, of: &batch, into: &values, failures: &failures)
        if let failure = failures[0] {
            self = .failure(failure.reason)
            return
        }
        switch values[0] {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let range): self = .text(String(decoding: batch.arena[range.range], as: UTF8.self))
        case .blob(let range): self = .blob(Array(batch.arena[range.range]))
        }
    }

    static func fails(_ reason: ConversionFailure.Reason) -> Converting { .failure(reason) }
}

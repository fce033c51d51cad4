import RecordConversion
import RecordSources
import SQLiteAccess

/// Adds up the numbers of a column that are written as in Germany, such as 1.234,50; throws at a value that is none.
func sum(ofColumn column: Int, in path: String) throws -> Double {
    var conversion = ValueConversion(.double)
    conversion.numbers = NumberFormat(
        decimalSeparator: UInt8(ascii: ","), groupingSeparator: [UInt8(ascii: ".")])
    var source = try DelimitedSource(ByteInput(path: path))
    var batch = RecordBatch()
    var sum = 0.0
    while try source.next(into: &batch) {
        for record in 0..<batch.count {
            let value = try conversion.convert(batch.field(column, of: record), in: &batch)
            if case .real(let number) = value { sum += number }
        }
    }
    return sum
}

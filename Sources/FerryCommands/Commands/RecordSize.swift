import CommandLineParsing
import RecordSources

extension ClosedRange<ByteCount> {
    static var sizesOfRecords: Self {
        ByteCount(bytes: RecordLimits.allowedBytes.lowerBound)...ByteCount(bytes: RecordLimits.allowedBytes.upperBound)
    }
}

import CommandLineParsing

extension ClosedRange<ByteCount> {
    /// A batch holds something; beyond a tebibyte a number is a slip.
    static var sizesOfBatches: Self { ByteCount(bytes: 1)...ByteCount(bytes: 1 << 40) }
}

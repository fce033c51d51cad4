import CommandLineParsing

extension ClosedRange<ByteCount> {
    /// A batch must not be empty; numbers above a tebibyte are probably mistakes.
    static var sizesOfBatches: Self { ByteCount(bytes: 1)...ByteCount(bytes: 1 << 40) }
}

/// Decodes a compressed stream piece by piece, in memory that depends neither on its size nor on what it decodes to.
///
/// A decoder belongs to one thread at a time.
public protocol StreamDecoder: AnyObject {
    /// Whether the stream may end where the input that was read so far ends.
    var isComplete: Bool { get }

    /// Reads some input and writes some output; neither, where it needs more input than there is.
    ///
    /// - Throws: `StreamDecodingError`, at the place behind `read` bytes of the input.
    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(StreamDecodingError) -> StreamProgress
}

/// How far one step of a decoder came, in bytes.
public struct StreamProgress: Equatable, Sendable {
    /// The bytes of input that were consumed.
    public var read: Int
    /// The bytes of output that were produced.
    public var written: Int
}

/// Decodes a compressed stream in pieces; memory depends neither on its compressed nor on its decompressed size.
///
/// A decoder belongs to one thread at a time.
public protocol StreamDecoder: AnyObject {
    /// Whether the stream may end after the input that has been read so far.
    var isComplete: Bool { get }

    /// Reads some input and writes some output; neither, if it needs more input than there is.
    ///
    /// - Throws: `StreamDecodingError`, at the position after `read` bytes of the input.
    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(StreamDecodingError) -> StreamProgress
}

/// The progress of one step of a decoder, in bytes.
public struct StreamProgress: Equatable, Sendable {
    /// The number of input bytes that were consumed.
    public var read: Int
    /// The number of output bytes that were produced.
    public var written: Int
}

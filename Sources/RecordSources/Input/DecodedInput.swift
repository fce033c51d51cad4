import CompressedStreams

/// The decoded bytes of a compressed input.
final class DecodedInput {
    private let file: RawInput
    private let decoder: any StreamDecoder
    private var pieces: [UInt8]
    /// The compressed bytes that were read but not decoded yet.
    private var pending = 0..<0
    private var isAtEnd = false

    init(_ file: RawInput, _ compression: StreamCompression, pieceBytes: Int) throws(SourceError) {
        self.file = file
        pieces = [UInt8](repeating: 0, count: pieceBytes)
        do throws(StreamDecodingError) {
            decoder = try compression.makeDecoder()
        } catch {
            throw SourceError(.notDecoded(error), in: file.name, at: 0)
        }
    }

    /// Reads decoded bytes into a range of a buffer; returns 0 at the end.
    func read(into buffer: inout [UInt8], _ range: Range<Int>) throws(SourceError) -> Int {
        while true {
            let progress = try decode(into: &buffer, range)
            pending = pending.lowerBound + progress.read..<pending.upperBound
            if progress.written > 0 { return progress.written }
            guard progress.read == 0 else { continue }
            if isAtEnd {
                if decoder.isComplete { return 0 }
                throw failure(.truncated)
            }
            // A decoder that needs more input has consumed all of its input.
            guard pending.isEmpty else { throw failure(.damaged("no progress")) }
            let count = try file.read(into: &pieces, 0..<pieces.count)
            pending = 0..<count
            isAtEnd = count == 0
        }
    }

    private func decode(into buffer: inout [UInt8], _ range: Range<Int>) throws(SourceError) -> StreamProgress {
        let result: Result<StreamProgress, StreamDecodingError> = buffer.withUnsafeMutableBytes { output in
            pieces.withUnsafeBytes { input in
                do throws(StreamDecodingError) {
                    return .success(
                        try decoder.decode(
                            UnsafeRawBufferPointer(rebasing: input[pending]),
                            into: UnsafeMutableRawBufferPointer(rebasing: output[range])))
                } catch {
                    return .failure(error)
                }
            }
        }
        switch result {
        case .success(let progress): return progress
        case .failure(let error): throw failure(error)
        }
    }

    /// Returns an error with the offset in the compressed file.
    private func failure(_ error: StreamDecodingError) -> SourceError {
        SourceError(.notDecoded(error), in: file.name, at: file.offset - pending.count)
    }
}

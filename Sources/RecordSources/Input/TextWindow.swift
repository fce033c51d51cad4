/// The part of a source that is being scanned, in UTF-8. It moves forward batch by batch, and grows if a record does
/// not fit.
///
/// For encodings other than UTF-8, the window also keeps the original bytes, so that offsets and rejected records
/// correspond to the source.
struct TextWindow {
    let input: ByteInput
    let encoding: TextEncoding

    /// The decoded bytes. Those from `start` to `end` are unread; at least `padding` bytes follow them.
    private(set) var bytes: [UInt8] = []
    private(set) var start = 0
    private(set) var end = 0
    /// Whether the source has no more bytes than those in the window.
    private(set) var isAtEnd = false
    /// The offset of `start` in the source.
    private(set) var sourceOffset = 0

    /// Scanners load 64 bytes at a time, so this number of bytes after the end must be readable.
    static let padding = 64

    /// The original bytes from `start` on; the last ones may not have been decoded yet.
    private(set) var original: [UInt8] = []
    private(set) var originalStart = 0
    private var decodedEnd = 0
    private var originalEnd = 0
    private let decoder: EncodingConverter?
    /// Measures how many original bytes correspond to decoded bytes.
    private let measurer: EncodingConverter?
    private var measured: [UInt8] = []

    /// Opens a window; `pending` are bytes of the input that were read already but not consumed.
    init(_ input: ByteInput, encoding: TextEncoding, pending: ArraySlice<UInt8> = []) throws(SourceError) {
        self.input = input
        self.encoding = encoding
        sourceOffset = input.offset - pending.count
        guard !encoding.isUTF8 else {
            decoder = nil
            measurer = nil
            bytes = Array(pending) + [UInt8](repeating: 0, count: TextWindow.padding)
            end = pending.count
            return
        }
        original = Array(pending)
        originalEnd = pending.count
        decoder = EncodingConverter(encoding)
        measurer = EncodingConverter(encoding)
        guard decoder != nil, measurer != nil else {
            throw SourceError(.unknownEncoding(encoding.name), in: input.name)
        }
    }

    var isTranscoded: Bool { decoder != nil }
    var count: Int { end - start }

    /// Reads at least one more chunk after the unread bytes, or detects the end of the source.
    ///
    /// The window doubles in size each time that a long record does not fit, so the time is proportional to the
    /// record's length.
    mutating func fill() throws(SourceError) {
        let wanted = count >= 4096 ? max(input.chunkBytes, count) : input.chunkBytes
        if decoder == nil {
            try fillPlainly(wanted)
        } else {
            try fillDecoding(wanted)
        }
    }

    private mutating func fillPlainly(_ wanted: Int) throws(SourceError) {
        makeRoom(wanted)
        let goal = end + wanted
        while end < goal {
            let read = try input.read(into: &bytes, at: end, atMost: goal - end)
            if read == 0 {
                isAtEnd = true
                return
            }
            end += read
        }
    }

    private mutating func fillDecoding(_ wanted: Int) throws(SourceError) {
        guard let decoder else { return }
        if originalStart > 0 {
            TextWindow.move(&original, originalStart..<originalEnd)
            decodedEnd -= originalStart
            originalEnd -= originalStart
            originalStart = 0
        }
        if original.count < originalEnd + wanted {
            original.append(contentsOf: [UInt8](repeating: 0, count: originalEnd + wanted - original.count))
        }
        let goal = originalEnd + wanted
        while originalEnd < goal && !isAtEnd {
            let read = try input.read(into: &original, at: originalEnd, atMost: goal - originalEnd)
            isAtEnd = read == 0
            originalEnd += read
        }
        while decodedEnd < originalEnd {
            // No encoding needs more than three bytes of UTF-8 for one of its bytes. If the bytes do not fit, they are
            // decoded next time.
            makeRoom(3 * (originalEnd - decodedEnd) + 16)
            let progress = decoder.convert(
                original, from: decodedEnd, to: originalEnd, isFinal: isAtEnd, into: &bytes, at: end,
                limit: bytes.count - TextWindow.padding)
            decodedEnd += progress.read
            end += progress.written
            if progress.read == 0 { break }
        }
    }

    /// Moves the unread bytes to the front, and makes room for more after them.
    private mutating func makeRoom(_ wanted: Int) {
        if start > 0 {
            TextWindow.move(&bytes, start..<end)
            end -= start
            start = 0
        }
        let needed = end + wanted + TextWindow.padding
        if bytes.count < needed {
            bytes.append(contentsOf: [UInt8](repeating: 0, count: max(needed, 2 * bytes.count) - bytes.count))
        }
    }

    /// Moves bytes to the front in place; a slice of the array would copy the whole array.
    private static func move(_ bytes: inout [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeMutableBytes { all in
            UnsafeMutableRawBufferPointer(rebasing: all[..<range.count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[range]))
        }
    }

    /// Skips decoded bytes; returns the corresponding number of original bytes.
    @discardableResult
    mutating func advance(by decodedCount: Int) -> Int {
        start += decodedCount
        guard let measurer else {
            sourceOffset += decodedCount
            return decodedCount
        }
        guard decodedCount > 0 else { return 0 }
        if measured.count < decodedCount {
            measured = [UInt8](repeating: 0, count: max(decodedCount, 2 * measured.count))
        }
        let progress = measurer.convert(
            original, from: originalStart, to: decodedEnd, isFinal: isAtEnd, into: &measured, at: 0,
            limit: decodedCount)
        originalStart += progress.read
        sourceOffset += progress.read
        return progress.read
    }

    /// Returns the original bytes that the last call of `advance` skipped.
    func passedBytes(_ sourceCount: Int) -> ArraySlice<UInt8> {
        isTranscoded ? original[originalStart - sourceCount..<originalStart] : bytes[start - sourceCount..<start]
    }

    /// Moves forward to an offset in the source and discards what was read; returns false if the source ends before it.
    mutating func skip(toSourceOffset target: Int) throws(SourceError) -> Bool {
        let buffered = isTranscoded ? originalEnd - originalStart : count
        if target < sourceOffset { return false }
        if target - sourceOffset <= buffered {
            let distance = target - sourceOffset
            sourceOffset = target
            guard isTranscoded else {
                start += distance
                return true
            }
            originalStart += distance
            start = 0
            end = 0
            decodedEnd = originalStart
            isAtEnd = false
            return true
        }
        start = 0
        end = 0
        originalStart = 0
        originalEnd = 0
        decodedEnd = 0
        sourceOffset = target
        isAtEnd = false
        return try input.skip(to: target)
    }
}

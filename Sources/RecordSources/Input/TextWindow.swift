/// The part of a source that is being scanned, as UTF-8: moved forward batch by batch, grown to hold one whole record.
///
/// For an encoding other than UTF-8 the window keeps the source's own bytes beside the decoded ones, so that places and
/// rejected records are given as they are in the source.
struct TextWindow {
    let input: ByteInput
    let encoding: TextEncoding

    /// The decoded bytes; those from `start` to `end` are unread, and at least `padding` bytes follow them.
    private(set) var bytes: [UInt8] = []
    private(set) var start = 0
    private(set) var end = 0
    /// Whether the source has no more bytes than the window holds.
    private(set) var isAtEnd = false
    /// The offset of `start` in the source.
    private(set) var sourceOffset = 0

    /// Scanning looks at 64 bytes at once, so that many bytes beyond the end can be read.
    static let padding = 64

    /// The source's bytes: those of `start` and on, those not yet decoded last.
    private(set) var original: [UInt8] = []
    private(set) var originalStart = 0
    private var decodedEnd = 0
    private var originalEnd = 0
    private let decoder: EncodingConverter?
    /// Measures how many of the source's bytes stand for decoded ones.
    private let measurer: EncodingConverter?
    private var measured: [UInt8] = []

    /// `pending` are the bytes read from the input already, of which nothing is consumed.
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

    /// Reads at least one more chunk behind the unread bytes, or comes to know that the source has ended.
    ///
    /// A long record doubles the window each time: reading it takes time in proportion to its length.
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
            // No encoding takes more than three bytes of UTF-8 for one of its own; what does not fit comes next time.
            makeRoom(3 * (originalEnd - decodedEnd) + 16)
            let progress = decoder.convert(
                original, from: decodedEnd, to: originalEnd, isFinal: isAtEnd, into: &bytes, at: end,
                limit: bytes.count - TextWindow.padding)
            decodedEnd += progress.read
            end += progress.written
            if progress.read == 0 { break }
        }
    }

    /// Moves the unread bytes to the front and has room for more behind them.
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

    /// Moves bytes to the front in place; a slice of the array itself would make a copy of all of it.
    private static func move(_ bytes: inout [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeMutableBytes { all in
            UnsafeMutableRawBufferPointer(rebasing: all[..<range.count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[range]))
        }
    }

    /// Skips decoded bytes and returns how many bytes of the source they were.
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

    /// The source's bytes that the last step skipped.
    func passedBytes(_ sourceCount: Int) -> ArraySlice<UInt8> {
        isTranscoded ? original[originalStart - sourceCount..<originalStart] : bytes[start - sourceCount..<start]
    }

    /// Goes forward to an offset in the source, forgetting what was read; false if the source ends before it.
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

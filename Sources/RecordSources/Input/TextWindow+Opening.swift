extension TextWindow {
    /// Opens a text: detects its encoding if none is given, and skips its byte order mark.
    ///
    /// A byte order mark takes precedence over a given encoding that does not specify the byte order. `otherwise` is
    /// the encoding of formats that allow only one, whatever the bytes look like.
    static func opening(
        _ input: ByteInput, as given: TextEncoding?, otherwise: TextEncoding? = nil
    ) throws(SourceError) -> TextWindow {
        var sample = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        while count < sample.count {
            let read = try input.read(into: &sample, at: count, atMost: sample.count - count)
            if read == 0 { break }
            count += read
        }
        let pending = sample[..<count]
        var encoding = encoding(of: pending, isWhole: count < sample.count, given: given)
        if let otherwise, !encoding.name.hasPrefix("UTF-") { encoding = otherwise }
        var window = try TextWindow(input, encoding: encoding, pending: pending)
        if !encoding.mark.isEmpty && pending.starts(with: encoding.mark) {
            _ = try window.skip(toSourceOffset: window.sourceOffset + encoding.mark.count)
        }
        return window
    }

    private static func encoding(
        of sample: ArraySlice<UInt8>, isWhole: Bool, given: TextEncoding?
    ) -> TextEncoding {
        guard let given else { return TextEncoding.detected(in: sample, isWhole: isWhole) }
        guard let marked = TextEncoding.marked(at: sample), given.name.hasPrefix("UTF-") else { return given }
        return given.name.prefix(6) == marked.name.prefix(6) ? marked : given
    }

    /// Reads until a number of decoded bytes are in memory, or the source ends.
    mutating func fill(toHold wanted: Int) throws(SourceError) {
        while count < wanted && !isAtEnd { try fill() }
    }
}

extension [UInt8] {
    /// Appends borrowed bytes in one operation, for which there is no safe API yet.
    public mutating func append(copying bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            append(atMost: bytes.count) { end in
                end.update(from: base, count: bytes.count)
                return bytes.count
            }
        }
    }

    /// Appends the UTF-8 of a literal.
    @inlinable
    public mutating func append(text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

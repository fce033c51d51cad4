extension [UInt8] {
    /// Appends borrowed bytes in one operation, for which there is no safe API yet.
    @inlinable
    public mutating func append(copying bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends the UTF-8 of a literal.
    @inlinable
    public mutating func append(text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

extension [UInt8] {
    /// Appends borrowed bytes at once, which no safe way does yet.
    @inlinable
    public mutating func append(copying bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

extension String {
    /// A text of borrowed bytes; for the slow ways only.
    package init(copying bytes: Span<UInt8>) {
        self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
}

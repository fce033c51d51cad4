extension String {
    /// Makes a text from borrowed bytes; for slow paths only.
    package init(copying bytes: Span<UInt8>) {
        self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
}

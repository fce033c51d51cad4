import CLibXML

/// What libxml2 has got and not consumed yet: a tag that is not complete, if it is much.
struct XMLPendingInput {
    /// The number of bytes.
    private(set) var count = 0

    /// How many attributes there are in it, where it is a tag: values in quotes.
    private(set) var attributeCount = 0

    /// Whether it is a DOCTYPE: libxml2 waits for its first `>`, and then for the end of the declarations in brackets.
    private(set) var isDocumentType = false

    /// Where it begins, counted in bytes from the start of the document.
    private var start = -1

    /// How many of its bytes have been looked at.
    private var scannedCount = 0

    /// The quote that ends the value in which the last look ended.
    private var quote: UInt8?

    /// Less than this is never looked into, in bytes.
    private static let smallSize = 16_384

    mutating func update(_ context: xmlParserCtxtPtr) {
        count = 0
        guard let input = unsafe context.pointee.input, let base = unsafe input.pointee.base,
            let current = unsafe input.pointee.cur, let end = unsafe input.pointee.end
        else { return }
        count = unsafe end - current
        let position = unsafe Int(bitPattern: input.pointee.consumed) + (current - base)
        if position != start {
            start = position
            scannedCount = 0
            attributeCount = 0
            quote = nil
        }
        guard count >= Self.smallSize, count > scannedCount else { return }
        let bytes = unsafe UnsafeBufferPointer(start: current, count: count)
        let isBeforeRoot = unsafe context.pointee.nameNr == 0
        unsafe isDocumentType =
            isBeforeRoot
            && (context.pointee.instate == XML_PARSER_DTD
                || bytes.starts(with: "<!D".utf8))
        defer { scannedCount = count }
        // Comments, CDATA and processing instructions are held back as well.
        guard unsafe bytes[0] == UInt8(ascii: "<"), unsafe bytes[1] != UInt8(ascii: "!"),
            unsafe bytes[1] != UInt8(ascii: "?")
        else { return }
        for index in scannedCount..<count {
            let byte = unsafe bytes[index]
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { continue }
            if quote == nil {
                quote = byte
                attributeCount += 1
            } else if quote == byte {
                quote = nil
            }
        }
    }
}

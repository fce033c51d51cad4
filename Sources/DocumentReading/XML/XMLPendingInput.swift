import CLibXML

/// The input that libxml2 has received but not consumed: an incomplete tag, if it is large.
struct XMLPendingInput {
    /// The number of bytes.
    private(set) var count = 0

    /// The number of attributes in it, if it is a tag: quoted values.
    private(set) var attributeCount = 0

    /// Whether it is a DOCTYPE: libxml2 waits for its first `>`, and then for the end of the declarations in brackets.
    private(set) var isDocumentType = false

    /// Its offset from the start of the document, in bytes.
    private var start = -1

    /// The number of its bytes that have been scanned.
    private var scannedCount = 0

    /// The quote of the value in which the last scan ended.
    private var quote: UInt8?

    /// The size in bytes below which the input is not scanned.
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
        // Comments, CDATA and processing instructions are also held back.
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

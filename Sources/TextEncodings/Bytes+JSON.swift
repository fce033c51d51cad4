extension [UInt8] {
    /// A text as a JSON string, with its quotation marks. That it is UTF-8 is for the caller to know.
    public mutating func append(json text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""): append(text: "\\\"")
            case UInt8(ascii: "\\"): append(text: "\\\\")
            case UInt8(ascii: "\n"): append(text: "\\n")
            case UInt8(ascii: "\r"): append(text: "\\r")
            case UInt8(ascii: "\t"): append(text: "\\t")
            case 0..<0x20:
                append(text: "\\u00")
                append(hexadecimal: byte)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}

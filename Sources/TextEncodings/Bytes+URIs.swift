extension [UInt8] {
    /// Appends a path as the path of a URI (RFC 3986): everything except slashes and unreserved characters is
    /// percent-encoded.
    public mutating func append(uriPath path: String) {
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                append(byte)
            default:
                append(UInt8(ascii: "%"))
                append(hexadecimal: byte)
            }
        }
    }
}

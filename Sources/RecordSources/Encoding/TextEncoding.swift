/// A character encoding, with the name by which iconv knows it.
public struct TextEncoding: Equatable, Sendable {
    /// The name in upper case, such as `UTF-16LE`.
    public let name: String

    /// Creates an encoding from a name that iconv knows, or from a common name to which iconv gives another meaning
    /// than most files do.
    public init(named given: String) {
        let name = given.uppercased()
        self.name = TextEncoding.meanings[name] ?? name
    }

    /// The encodings that files with these labels usually have: Microsoft's extensions, and the usual byte order
    /// without a mark.
    private static let meanings = [
        "UTF8": "UTF-8", "UTF-8": "UTF-8", "UTF-8-SIG": "UTF-8", "US-ASCII": "UTF-8", "ASCII": "UTF-8",
        "LATIN1": "ISO-8859-1", "LATIN-1": "ISO-8859-1", "ISO8859-1": "ISO-8859-1",
        "WINDOWS-1252": "CP1252", "ANSI": "CP1252", "WINDOWS-1251": "CP1251",
        "GB2312": "GB18030", "GBK": "GB18030", "CP936": "GB18030",
        "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SHIFTJIS": "CP932", "SJIS": "CP932", "WINDOWS-31J": "CP932",
        "UTF-16": "UTF-16LE", "UTF16": "UTF-16LE", "UNICODE": "UTF-16LE", "UTF-32": "UTF-32LE", "UTF32": "UTF-32LE",
    ]

    /// UTF-8, with or without a byte order mark.
    public static let utf8 = TextEncoding(named: "UTF-8")
    /// UTF-16 with the low byte first.
    public static let utf16LittleEndian = TextEncoding(named: "UTF-16LE")
    /// UTF-16 with the high byte first.
    public static let utf16BigEndian = TextEncoding(named: "UTF-16BE")
    /// Windows-1252, for Western European languages.
    public static let windows1252 = TextEncoding(named: "CP1252")
    /// Shift JIS in Windows' variant.
    public static let shiftJIS = TextEncoding(named: "CP932")
    /// Windows-1251, for Cyrillic.
    public static let windows1251 = TextEncoding(named: "CP1251")
    /// GB 18030, for Chinese.
    public static let gb18030 = TextEncoding(named: "GB18030")

    /// Whether texts need no conversion.
    public var isUTF8: Bool { name == "UTF-8" }

    /// The number of bytes in the smallest character, which is skipped if bytes are not text.
    var unitBytes: Int {
        if name.hasPrefix("UTF-16") || name.hasPrefix("UCS-2") { return 2 }
        if name.hasPrefix("UTF-32") || name.hasPrefix("UCS-4") { return 4 }
        return 1
    }

    /// The byte order mark with which files in this encoding may begin; empty if there is none.
    var mark: [UInt8] {
        switch name {
        case "UTF-8": [0xEF, 0xBB, 0xBF]
        case "UTF-16LE", "UCS-2LE": [0xFF, 0xFE]
        case "UTF-16BE", "UCS-2BE": [0xFE, 0xFF]
        case "UTF-32LE", "UCS-4LE": [0xFF, 0xFE, 0, 0]
        case "UTF-32BE", "UCS-4BE": [0, 0, 0xFE, 0xFF]
        case "GB18030": [0x84, 0x31, 0x95, 0x33]
        default: []
        }
    }

    /// Converts ASCII bytes to this encoding.
    func encoded(ascii: [UInt8]) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: unitBytes - 1)
        return name.hasSuffix("BE") ? ascii.flatMap { zeros + [$0] } : ascii.flatMap { [$0] + zeros }
    }
}

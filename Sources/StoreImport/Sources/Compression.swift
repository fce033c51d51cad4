/// How a file is packed that looks like no source: told by its first bytes.
public enum Compression: String, Sendable {
    case gzip, bzip2, xz, zstd
    /// Also what spreadsheets are packed in.
    case zip

    private static let marks: [(kind: Compression, bytes: [UInt8])] = [
        (.gzip, [0x1F, 0x8B]), (.zip, [0x50, 0x4B, 0x03, 0x04]), (.bzip2, [0x42, 0x5A, 0x68]),
        (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]),
    ]

    init?(start: [UInt8]) {
        guard let mark = Self.marks.first(where: { start.starts(with: $0.bytes) }) else { return nil }
        // Three letters may begin a text: behind them bzip2 has the size of its blocks and a number.
        if mark.kind == .bzip2, !(start.count > 4 && start[4] == 0x31) { return nil }
        self = mark.kind
    }

    /// What to do about it.
    var remedy: String {
        switch self {
        case .gzip: "unpack it: gunzip -c FILE | ferry import -"
        case .bzip2: "unpack it: bunzip2 -c FILE | ferry import -"
        case .xz: "unpack it: xz -dc FILE | ferry import -"
        case .zstd: "unpack it: zstd -dc FILE | ferry import -"
        case .zip: "unpack it; export a spreadsheet as CSV"
        }
    }
}

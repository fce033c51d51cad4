import Foundation

/// A file of lines, read or written block by block.
final class LineFile {
    static let tab = UInt8(ascii: "\t")
    /// In bytes.
    private static let blockSize = 1 << 16

    private let file: FileHandle
    private var bytes: [UInt8] = []
    private var position = 0

    init(reading path: String) throws {
        file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    }

    init(writing path: String) throws {
        file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    /// The next line without its end; nil behind the last.
    func next() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return bytes[position..<end]
            }
            bytes.removeSubrange(..<position)
            position = 0
            guard let block = try file.read(upToCount: Self.blockSize), !block.isEmpty else {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes[...]
            }
            bytes += block
        }
    }

    func append(_ fields: [[UInt8]]) throws {
        bytes += fields.joined(separator: [Self.tab])
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.blockSize { try flush() }
    }

    func finish() throws {
        try flush()
        try file.close()
    }

    private func flush() throws {
        try file.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: Texts

    /// A text without tabs and line ends; all other bytes stay, whether they are UTF-8 or not.
    static func escaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in text {
            switch byte {
            case tab: result += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case UInt8(ascii: "\n"): result += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\\"): result += [byte, byte]
            default: result.append(byte)
            }
        }
        return result
    }

    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isEscape = false
        for byte in text {
            if isEscape {
                result.append(byte == UInt8(ascii: "t") ? tab : byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscape = false
            } else if byte == UInt8(ascii: "\\") {
                isEscape = true
            } else {
                result.append(byte)
            }
        }
        return result
    }
}

extension [UInt8] {
    var hexadecimal: [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// nil if these are not pairs of hexadecimal digits.
    init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.count % 2 == 0 else { return nil }
        self = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
    }
}

import Glibc

/// Finds the entity and the ID of each object of an XML store, without reading what else is there.
///
/// It goes from one `<` to the next, and knows only what no part of a well-formed document can look like: it gives up
/// where there are comments, CDATA, declarations, or IDs that are not plain. What it passes counts only if the store
/// turns out to be well-formed when it is read.
public struct XMLStoreKeyScanner: ~Copyable {
    private let descriptor: Int32
    private let pieceSize: Int
    private var buffer: [UInt8] = []
    private var position = 0

    /// Opens a file; nil if that fails.
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - pieceSize: how many bytes are read at once.
    public init?(path: String, pieceSize: Int = 256 << 10) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.pieceSize = pieceSize
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// What a tag turned out to be.
    private enum Tag {
        case object(type: Range<Int>, id: Int64, end: Int)
        case other(end: Int)
        /// It goes on behind what has been read.
        case incomplete
        /// What cannot be left out.
        case unknown
    }

    /// Passes each object: the name of its entity in upper case, and the number of its ID.
    ///
    /// - Returns: whether all was plain, up to the end; otherwise what was passed does not count.
    /// - Throws: what the closure throws.
    public mutating func forEach(_ body: (ArraySlice<UInt8>, Int64) throws -> Void) throws -> Bool {
        var isAtStart = true
        while true {
            guard let tag = nextTag() else {
                switch fill() {
                case .some(0): return true
                case .some: continue
                case nil: return false
                }
            }
            switch self.tag(at: tag, isAtStart: isAtStart) {
            case .object(let type, let id, let end):
                try body(buffer[type], id)
                position = end
            case .other(let end): position = end
            case .unknown: return false
            case .incomplete:
                position = tag
                guard let count = fill(), count > 0 else { return false }
                continue
            }
            isAtStart = false
        }
    }

    /// The place of the next `<` in the buffer, but for those of tags whose names begin otherwise than an object's.
    private func nextTag() -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var position = position
            while position < bytes.count,
                let found = memchr(base + position, Int32(UInt8(ascii: "<")), bytes.count - position)
            {
                position = UnsafeRawPointer(found) - base
                guard position + 1 < bytes.count else { return position }
                switch bytes[position + 1] {
                case UInt8(ascii: "o"), UInt8(ascii: "!"), UInt8(ascii: "?"): return position
                default: position += 2
                }
            }
            return nil
        }
    }

    /// Reads on, and forgets what was passed; how many bytes were read, nil if that fails or a tag is too long.
    private mutating func fill() -> Int? {
        if nextTag() == nil { position = buffer.count }
        buffer.removeSubrange(..<position)
        position = 0
        let kept = buffer.count
        guard kept <= Self.maximumTagSize else { return nil }
        buffer.append(contentsOf: repeatElement(0, count: pieceSize))
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + kept }, pieceSize) }
            if count < 0, errno == EINTR { continue }
            buffer.removeLast(pieceSize - max(count, 0))
            return count < 0 ? nil : count
        }
    }

    /// A tag that is longer, in bytes, is not one of an object.
    private static let maximumTagSize = 1 << 20

    private func tag(at start: Int, isAtStart: Bool) -> Tag {
        guard start + 9 < buffer.count else { return .incomplete }
        switch buffer[start + 1] {
        case UInt8(ascii: "o"): return object(at: start)
        case UInt8(ascii: "?"):
            // The declaration at the very start, of UTF-8 if of any encoding.
            guard isAtStart, start == 0 else { return .unknown }
            guard let end = end(of: start) else { return .incomplete }
            let text = String(decoding: buffer[start..<end], as: UTF8.self).lowercased()
            let isPlain = !text.contains("encoding") || text.contains("\"utf-8\"") || text.contains("'utf-8'")
            return text.hasPrefix("<?xml ") && isPlain ? .other(end: end) : .unknown
        case UInt8(ascii: "!"):
            guard buffer[start..<start + 9].elementsEqual("<!DOCTYPE".utf8) else { return .unknown }
            guard let end = end(of: start) else { return .incomplete }
            return buffer[start..<end].contains(UInt8(ascii: "[")) ? .unknown : .other(end: end)
        default: return .unknown
        }
    }

    private func end(of start: Int) -> Int? { buffer[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } }

    private func object(at start: Int) -> Tag {
        var index = start + 1
        for byte in "object".utf8 {
            // Names that only begin with an o are in no store.
            guard buffer[index] == byte else { return .unknown }
            index += 1
        }
        var type: Range<Int>?
        var id: Int64?
        while index < buffer.count {
            let byte = buffer[index]
            if byte == UInt8(ascii: ">") {
                guard let type, let id else { return .unknown }
                return .object(type: type, id: id, end: index + 1)
            }
            guard byte == 0x20 || byte == 0x09 || byte == 0x0A else { return .unknown }
            index += 1
            guard index < buffer.count, buffer[index] > 0x20, buffer[index] != UInt8(ascii: ">") else { continue }
            let nameStart = index
            while index < buffer.count, buffer[index] != UInt8(ascii: "=") { index += 1 }
            let name = buffer[nameStart..<index]
            guard index + 1 < buffer.count else { return .incomplete }
            let quote = buffer[index + 1]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .unknown }
            let valueStart = index + 2
            index = valueStart
            while index < buffer.count, buffer[index] != quote {
                guard buffer[index] > 0x20, buffer[index] != UInt8(ascii: "&") else { return .unknown }
                index += 1
            }
            guard index < buffer.count else { return .incomplete }
            if name.elementsEqual("type".utf8), type == nil {
                type = valueStart..<index
            } else if name.elementsEqual("id".utf8), id == nil, let number = number(valueStart..<index) {
                id = number
            } else {
                return .unknown
            }
            index += 1
        }
        return .incomplete
    }

    /// The number of an ID such as `z102`, as long as no one can doubt it.
    private func number(_ range: Range<Int>) -> Int64? {
        guard range.count > 1, range.count <= 18, buffer[range.lowerBound] == UInt8(ascii: "z") else { return nil }
        var number: Int64 = 0
        for index in range.dropFirst() {
            guard 0x30...0x39 ~= buffer[index] else { return nil }
            number = number * 10 + Int64(buffer[index] - 0x30)
        }
        return number > 0 ? number : nil
    }
}

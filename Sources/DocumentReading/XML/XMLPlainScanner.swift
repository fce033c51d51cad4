/// The input and position of the scanner for the plain part of a document.
///
/// Documents that programs write are almost completely plain: elements, attributes, and texts in UTF-8, with the five
/// predefined entities. libxml2 reads the beginning of a document up to its root's start tag, and everything from the
/// first position on that is not plain: comments, CDATA, other references, declarations of namespaces, carriage
/// returns, and all errors. So libxml2 alone decides what is well formed, and plain parts take a sixth of its time.
struct XMLPlainScanner {
    /// The bytes around the position: some before it, for excerpts, then those not yet read, then zeros.
    var buffer: [UInt8] = []

    /// The position, as an index of the buffer.
    var position = 0

    /// The line of the position.
    var line: Int32

    /// The beginning of that line, as an index of the buffer; it is increased by each byte of a character but the
    /// first, so that the difference to the position is a number of characters.
    var lineStart: Int

    /// The offset of the buffer's first byte in the document.
    var bufferOffset: Int

    var elementNames = XMLPlainNames()
    var attributeNames = XMLPlainNames()

    /// The number of bytes before the position that stay in the buffer, for excerpts in libxml2's errors.
    private static let historySize = 64

    /// The size in bytes above which a token is left to libxml2.
    private static let maximumTokenSize = 1 << 20

    /// Zeros after the text: names are compared by whole words, and plain text contains no zeros.
    static let padding = 16

    /// - Parameters:
    ///   - offset: the offset in the document at which the scanner begins.
    ///   - place: the line and the column there.
    ///   - history: the bytes before it, or the last of them.
    init(at offset: Int, _ place: XMLTagPlace, after history: UnsafeBufferPointer<UInt8>) {
        unsafe buffer.append(contentsOf: history.suffix(Self.historySize))
        position = buffer.count
        line = place.line
        lineStart = position - Int(place.column) + 1
        bufferOffset = offset - position
    }

    /// The position, with line and column.
    var place: XMLTagPlace {
        XMLTagPlace(
            line: line, column: Int32(truncatingIfNeeded: position - lineStart + 1), offset: bufferOffset + position)
    }

    /// The bytes before the position.
    var history: [UInt8] { Array(buffer[..<position].suffix(Self.historySize)) }

    /// The bytes that have not been read yet.
    var pending: ArraySlice<UInt8> { buffer[position...] }

    /// The number of bytes that have not been read yet.
    var pendingCount: Int { buffer.count - position }

    /// Whether a token exceeds the maximum size.
    var isOverfull: Bool { pendingCount > Self.maximumTokenSize }

    /// Discards what has been read, and adds a piece of the document.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        let removed = max(0, position - Self.historySize)
        if removed > 0 {
            buffer.removeSubrange(..<removed)
            position -= removed
            lineStart -= removed
            bufferOffset += removed
        }
        unsafe buffer.append(contentsOf: piece)
    }

    /// Returns the offset at which a document's root element begins to have content: after its start tag, if only
    /// comments, a DOCTYPE without declarations and processing instructions precede it; otherwise nil.
    static func startOfContent(_ piece: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = unsafe piece.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        /// Skips a text; returns whether it was there.
        func pass(_ text: StaticString) -> Bool {
            let text = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            while index + text.count <= piece.count {
                if unsafe piece[index..<index + text.count].elementsEqual(text) {
                    index += text.count
                    return true
                }
                index += 1
            }
            return false
        }
        while index + 1 < piece.count {
            let byte = unsafe piece[index]
            guard byte == UInt8(ascii: "<") else {
                guard byte == 0x20 || byte == 0x09 || byte == 0x0A else { return nil }
                index += 1
                continue
            }
            switch unsafe piece[index + 1] {
            case UInt8(ascii: "?"):
                let start = index
                guard pass("?>") else { return nil }
                // If an encoding is given, it must be UTF-8.
                let instruction = unsafe String(decoding: piece[start..<index], as: UTF8.self).lowercased()
                if instruction.hasPrefix("<?xml "), instruction.split(separator: "encoding").count > 1,
                    !instruction.contains("\"utf-8\""), !instruction.contains("'utf-8'")
                {
                    return nil
                }
            case UInt8(ascii: "!"):
                let isComment = unsafe piece[index...].starts(with: "<!--".utf8)
                guard unsafe isComment ? pass("-->") : passTag(piece, &index) else { return nil }
            default:
                guard unsafe passTag(piece, &index), unsafe piece[index - 2] != UInt8(ascii: "/") else { return nil }
                // libxml2's message for bytes that are not UTF-8 depends on the following bytes.
                return unsafe String(validating: piece[..<index], as: UTF8.self) == nil ? nil : index
            }
        }
        return nil
    }

    /// Skips to after the `>` of a tag or a DOCTYPE; returns false if it is missing, or if there are declarations.
    private static func passTag(_ piece: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        var quote: UInt8?
        while index < piece.count {
            let byte = unsafe piece[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            case UInt8(ascii: ">") where quote == nil: return true
            case UInt8(ascii: "[") where quote == nil: return false
            default: continue
            }
        }
        return false
    }
}

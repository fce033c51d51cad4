/// What the plain part of a document is read from, and where the reading stands.
///
/// Plain is what nearly all of a document consists of that a program wrote: elements, attributes, and texts in UTF-8,
/// with the five entities that XML itself has. libxml2 reads the beginning of a document up to its root's start tag,
/// and the rest from the first place on that is not plain: comments, CDATA, other references, declarations of
/// namespaces, carriage returns, and all that is an error. So there is one judge of what is well-formed, and what is
/// read here needs a sixth of its time.
struct XMLPlainScanner {
    /// The bytes around the place: some before it, for excerpts, then what is not read yet, then zeros.
    var buffer: [UInt8] = []

    /// The place, as an index of the buffer.
    var position = 0

    /// The line of the place.
    var line: Int32

    /// Where that line begins, as an index of the buffer; each byte of a character but its first has moved it on by
    /// one, so that the difference to a place is a number of characters.
    var lineStart: Int

    /// The offset of the buffer's first byte in the document.
    var bufferOffset: Int

    var elementNames = XMLPlainNames()
    var attributeNames = XMLPlainNames()

    /// Bytes before the place that stay in the buffer, for excerpts of what libxml2 finds there.
    private static let historySize = 64

    /// A token that is longer than this many bytes is libxml2's.
    private static let maximumTokenSize = 1 << 20

    /// Behind the text: a name is compared by whole words, and nothing that is plain has a zero.
    static let padding = 16

    /// - Parameters:
    ///   - offset: where the scanner begins, in the document's bytes.
    ///   - place: the line and the column there.
    ///   - history: the bytes before it, or the last of them.
    init(at offset: Int, _ place: XMLTagPlace, after history: UnsafeBufferPointer<UInt8>) {
        unsafe buffer.append(contentsOf: history.suffix(Self.historySize))
        position = buffer.count
        line = place.line
        lineStart = position - Int(place.column) + 1
        bufferOffset = offset - position
    }

    /// The place.
    var place: XMLTagPlace {
        XMLTagPlace(
            line: line, column: Int32(truncatingIfNeeded: position - lineStart + 1), offset: bufferOffset + position)
    }

    /// Bytes before the place.
    var history: [UInt8] { Array(buffer[..<position].suffix(Self.historySize)) }

    /// The bytes that are not read yet.
    var pending: ArraySlice<UInt8> { buffer[position...] }

    /// The number of bytes that are not read yet.
    var pendingCount: Int { buffer.count - position }

    /// Whether a token goes on for longer than it may.
    var isOverfull: Bool { pendingCount > Self.maximumTokenSize }

    /// Forgets what was read, and adds a piece of the document.
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

    /// Where a document's root element begins to have content: behind its start tag, if nothing but comments, a
    /// DOCTYPE without declarations and processing instructions stands before it; nil otherwise.
    static func startOfContent(_ piece: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = unsafe piece.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        /// Goes behind a text.
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
                // An encoding that is named has to be this one.
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
                // What libxml2 says of bytes that are not UTF-8 depends on those that follow.
                return unsafe String(validating: piece[..<index], as: UTF8.self) == nil ? nil : index
            }
        }
        return nil
    }

    /// Goes behind the `>` of a tag or a DOCTYPE; false if it is not there, or if there are declarations in it.
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

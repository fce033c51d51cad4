import CLibXML

/// The position of libxml2, and that of the tag that it has just read. Columns are 0 if unknown.
struct XMLTagPlace {
    var line: Int32
    var column: Int32

    /// Whether the position is before the slash of `<a/>`.
    var isAtSlash = false

    /// The offset in the document's bytes; negative if they are converted, since libxml2 knows only the offsets in
    /// UTF-8.
    var offset = -1

    /// Returns the position of the parser.
    static func current(_ handle: xmlParserCtxtPtr?) -> XMLTagPlace {
        guard let input = unsafe handle?.pointee.input else { return XMLTagPlace(line: 1, column: 1) }
        return unsafe XMLTagPlace(
            line: input.pointee.line, column: input.pointee.col, offset: offset(of: input.pointee.cur, input))
    }

    private static func offset(of position: UnsafePointer<xmlChar>?, _ input: xmlParserInputPtr) -> Int {
        guard let position = unsafe position, let base = unsafe input.pointee.base,
            unsafe input.pointee.buf?.pointee.encoder == nil
        else { return -1 }
        return unsafe Int(bitPattern: input.pointee.consumed) + (position - base)
    }

    /// Returns the position of the tag that has just been read; the parser's position is at its end, which may be lines
    /// further down.
    ///
    /// A tag contains no second `<`, and libxml2 keeps a tag in its buffer as a whole, so the last `<` is its start.
    ///
    /// - Parameter origin: the position at which libxml2 began to read the document; nil for its beginning.
    static func startOfTag(_ handle: xmlParserCtxtPtr?, from origin: XMLTagPlace?) -> XMLTagPlace {
        guard let input = unsafe handle?.pointee.input, var base = unsafe input.pointee.base,
            var position = unsafe input.pointee.cur
        else { return XMLTagPlace(line: 1, column: 0) }
        // The number of bytes in the buffer before the origin, which are not the document's; negative if it is before
        // the buffer.
        let foreign = origin.map { unsafe $0.offset - Int(bitPattern: input.pointee.consumed) } ?? -1
        if foreign > 0 { unsafe base += min(foreign, position - base) }
        let isAtSlash = unsafe input.pointee.end > position && position.pointee == UInt8(ascii: "/")
        var newlines: Int32 = 0
        var characters: Int32 = 0
        while unsafe position > base {
            unsafe position -= 1
            let byte = unsafe position.pointee
            if byte == UInt8(ascii: "<") {
                characters += 1
                break
            }
            characters += byte & 0xC0 == 0x80 ? 0 : 1
            newlines += byte == UInt8(ascii: "\n") ? 1 : 0
        }
        let line = unsafe input.pointee.line - newlines
        let offset = unsafe offset(of: position, input)
        if newlines == 0 {
            let column = unsafe max(input.pointee.col - characters, 0)
            return XMLTagPlace(line: line, column: column, isAtSlash: isAtSlash, offset: offset)
        }
        // The column counter has been reset since: count from the newline before the tag, if that is still available.
        var column: Int32 = 1
        while unsafe position > base {
            unsafe position -= 1
            let byte = unsafe position.pointee
            if byte == UInt8(ascii: "\n") {
                return XMLTagPlace(line: line, column: column, isAtSlash: isAtSlash, offset: offset)
            }
            column += byte & 0xC0 == 0x80 ? 0 : 1
        }
        if let origin, foreign >= 0 {
            column += origin.column - 1
        } else if unsafe origin != nil || input.pointee.consumed != 0 {
            column = 0
        }
        return XMLTagPlace(line: line, column: column, isAtSlash: isAtSlash, offset: offset)
    }
}

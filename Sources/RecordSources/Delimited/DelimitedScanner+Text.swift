extension DelimitedScanner {
    /// The text that is scanned.
    ///
    /// Its methods take the parts of the dialect that they need. As methods of the scanner, which is being modified,
    /// each call would copy the scanner.
    struct Text {
        var base: UnsafePointer<UInt8>
        var start: Int
        var end: Int
        /// Whether the text is the end of the source.
        var isLast: Bool
        var line: Int
        var sourceOffset: Int
        /// The future offset in the batch's arena of the byte at `start`.
        var arenaStart: Int

        /// Returns the length of the line end at an offset; 0 if there is none, nil if more bytes are needed to decide.
        func lineEndLength(at offset: Int, _ newline: DelimitedDialect.Newline) -> Int? {
            guard offset < end else { return isLast ? 0 : nil }
            let byte = base[offset]
            if byte == 0x0A { return newline == .carriageReturn ? 0 : 1 }
            guard byte == 0x0D else { return 0 }
            if newline == .carriageReturn { return 1 }
            guard offset + 1 < end else { return isLast ? (newline == .any ? 1 : 0) : nil }
            if base[offset + 1] == 0x0A { return 2 }
            return newline == .any ? 1 : 0
        }

        /// Returns whether a byte ends a line as messages count lines: a CR before a LF does not.
        func isLineEnd(at offset: Int) -> Bool {
            guard offset < end else { return false }
            if base[offset] == 0x0A { return true }
            return base[offset] == 0x0D && (offset + 1 >= end || base[offset + 1] != 0x0A)
        }

        /// Returns whether a delimiter of several bytes is complete at an offset; nil if more bytes are needed to
        /// decide.
        func has(_ delimiter: [UInt8], at offset: Int) -> Bool? {
            for (index, byte) in delimiter.enumerated() {
                guard offset + index < end else { return isLast ? false : nil }
                if base[offset + index] != byte { return false }
            }
            return true
        }

        /// Returns the end of a comment's line, including the line end; nil if more bytes are needed.
        func commentEnd(from offset: Int, _ newline: DelimitedDialect.Newline) -> Int? {
            var index = offset
            while index < end {
                guard let length = lineEndLength(at: index, newline) else { return nil }
                if length > 0 { return index + length }
                index += 1
            }
            return isLast ? end : nil
        }

        /// Returns whether the bytes between a closing quote and the next structural byte can be ignored.
        func isBlank(
            _ range: Range<Int>, _ newline: DelimitedDialect.Newline, _ strayQuotes: DelimitedDialect.StrayQuotes
        ) -> Bool {
            for index in range {
                let byte = base[index]
                if byte == 0x0D && index == range.upperBound - 1 && newline == .lineFeed { continue }
                if (byte != 0x20 && byte != 0x09) || strayQuotes == .reject { return false }
            }
            return true
        }
    }
}

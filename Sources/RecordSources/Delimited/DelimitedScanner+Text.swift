extension DelimitedScanner {
    /// The text that is scanned.
    ///
    /// What is asked of it takes the parts of the dialect that it needs: if it were asked of the scanner, which is
    /// being changed, each question would copy the scanner.
    struct Text {
        var base: UnsafePointer<UInt8>
        var start: Int
        var end: Int
        /// Whether nothing follows the text.
        var isLast: Bool
        var line: Int
        var sourceOffset: Int
        /// Where the byte at `start` will lie in the batch's arena.
        var arenaStart: Int

        /// How many bytes of line end there are at an offset; 0 for none, nil if more bytes must be seen.
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

        /// Whether a byte ends a line of the source, as messages count lines: a CR before a LF does not.
        func isLineEnd(at offset: Int) -> Bool {
            guard offset < end else { return false }
            if base[offset] == 0x0A { return true }
            return base[offset] == 0x0D && (offset + 1 >= end || base[offset + 1] != 0x0A)
        }

        /// Whether a delimiter of several bytes is whole at an offset; nil if more bytes must be seen.
        func has(_ delimiter: [UInt8], at offset: Int) -> Bool? {
            for (index, byte) in delimiter.enumerated() {
                guard offset + index < end else { return isLast ? false : nil }
                if base[offset + index] != byte { return false }
            }
            return true
        }

        /// The end of the line that a comment fills, line end included; nil if more bytes must be seen.
        func commentEnd(from offset: Int, _ newline: DelimitedDialect.Newline) -> Int? {
            var index = offset
            while index < end {
                guard let length = lineEndLength(at: index, newline) else { return nil }
                if length > 0 { return index + length }
                index += 1
            }
            return isLast ? end : nil
        }

        /// Whether the bytes after a closing quote up to the next structural byte mean nothing.
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

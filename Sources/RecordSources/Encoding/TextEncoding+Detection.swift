extension TextEncoding {
    /// Returns the encoding that a byte order mark specifies; nil if there is none. UTF-32's mark begins with UTF-16's.
    static func marked(at start: ArraySlice<UInt8>) -> TextEncoding? {
        for name in ["UTF-8", "UTF-32LE", "UTF-32BE", "UTF-16LE", "UTF-16BE", "GB18030"] {
            let encoding = TextEncoding(named: name)
            if start.starts(with: encoding.mark) { return encoding }
        }
        return nil
    }

    /// Detects the encoding of a source from its first bytes: from its byte order mark, its zeros, whether it is valid
    /// UTF-8, and its probable script.
    static func detected(in sample: ArraySlice<UInt8>, isWhole: Bool) -> TextEncoding {
        if let marked = marked(at: sample) { return marked }
        let isUTF8 = isUTF8(sample, isWhole: isWhole)
        if let wide = wideEncoding(of: sample, mayBeUTF8: isUTF8) { return wide }
        if isUTF8 || isMostlyUTF8(sample) { return .utf8 }
        if isLikelyShiftJIS(sample) { return .shiftJIS }
        if isLikelyChinese(sample) { return .gb18030 }
        return isLikelyCyrillic(sample) ? .windows1251 : .windows1252
    }

    /// Returns whether the high bytes form pairs of GB18030, nine out of ten of which are characters and signs in
    /// common use.
    private static func isLikelyChinese(_ sample: ArraySlice<UInt8>) -> Bool {
        var (pairs, common) = (0, 0)
        var index = sample.startIndex
        while index < sample.endIndex {
            let lead = sample[index]
            index += 1
            if lead < 0x80 { continue }
            guard 0x81...0xFE ~= lead else { return false }
            guard index < sample.endIndex else { break }
            let trail = sample[index]
            // Rare characters have four bytes.
            if 0x30...0x39 ~= trail {
                index += 3
                pairs += 1
                continue
            }
            guard 0x40...0xFE ~= trail, trail != 0x7F else { return false }
            index += 1
            pairs += 1
            // GB 2312: signs and the two levels of characters.
            if 0xA1...0xA3 ~= lead || 0xB0...0xF7 ~= lead, trail >= 0xA1 { common += 1 }
        }
        return pairs > 1 && common * 10 >= pairs * 9
    }

    /// Returns whether most high bytes are letters of Windows-1251 in words of three letters or more, and such words
    /// outnumber those with mixed scripts. In Western texts, high letters usually stand alone among other letters.
    private static func isLikelyCyrillic(_ sample: ArraySlice<UInt8>) -> Bool {
        var (high, inWords, run) = (0, 0, 0)
        var (words, mixed) = (0, 0)
        var (hasLatin, hasHigh, isLong) = (false, false, false)
        func endRun() {
            if run >= 3 { (inWords, isLong) = (inWords + run, true) }
            run = 0
        }
        func endWord() {
            if hasHigh, hasLatin { mixed += 1 } else if isLong { words += 1 }
            (hasLatin, hasHigh, isLong) = (false, false, false)
        }
        for byte in sample {
            if byte >= 0xC0 || byte == 0xA8 || byte == 0xB8 {
                run += 1
                high += 1
                hasHigh = true
                continue
            }
            if byte >= 0x80 { high += 1 }
            endRun()
            if 0x61...0x7A ~= byte | 0x20 { hasLatin = true } else { endWord() }
        }
        endRun()
        endWord()
        return words > mixed && inWords * 10 >= high * 6
    }

    /// Detects UTF-16 without a byte order mark: Latin letters, digits and line ends have a zero in every other byte.
    private static func wideEncoding(of sample: ArraySlice<UInt8>, mayBeUTF8: Bool) -> TextEncoding? {
        let pairs = sample.count / 2
        guard pairs > 0 else { return nil }
        var zeros = (first: 0, second: 0)
        for pair in 0..<pairs {
            if sample[sample.startIndex + 2 * pair] == 0 { zeros.first += 1 }
            if sample[sample.startIndex + 2 * pair + 1] == 0 { zeros.second += 1 }
        }
        // A text that is also valid UTF-8 is only UTF-16 if most pairs contain a zero; a few zeros may belong to the
        // text.
        if mayBeUTF8, max(zeros.first, zeros.second) * 2 < pairs { return nil }
        // A tenth, because delimiters and line ends alone reach this even in texts without Latin letters. In a text
        // that contains NUL bytes itself, they are at even and at odd offsets.
        if zeros.second * 10 > pairs && zeros.first * 20 < zeros.second { return .utf16LittleEndian }
        if zeros.first * 10 > pairs && zeros.second * 20 < zeros.first { return .utf16BigEndian }
        return nil
    }

    private static func isUTF8(_ sample: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
        var validation = UTF8Validation()
        let bad = sample.withUnsafeBufferPointer { validation.firstInvalid(in: $0, from: 0) }
        guard let bad else { return true }
        // A sample may end inside a character.
        return !isWhole && sample.count - bad < 4 && sample[(sample.startIndex + bad)...].allSatisfy { $0 >= 0x80 }
    }

    /// Returns whether the sample has at least as many well-formed non-ASCII UTF-8 characters as invalid bytes, which
    /// is very unlikely in other encodings. Records with invalid bytes are then rejected, and the others are read as
    /// UTF-8.
    private static func isMostlyUTF8(_ sample: ArraySlice<UInt8>) -> Bool {
        var (good, bad) = (0, 0)
        sample.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var index = 0
            while index < bytes.count {
                let length = UTF8Validation.characterLength(base + index, available: bytes.count - index)
                if length > 1 { good += 1 }
                if length == 0 { bad += 1 }
                index += max(1, length)
            }
        }
        return good > 0 && good >= bad
    }

    /// Returns whether the high bytes form pairs of Shift_JIS, with a quarter of the pairs in its two rows of kana.
    private static func isLikelyShiftJIS(_ sample: ArraySlice<UInt8>) -> Bool {
        var pairs = 0
        var kana = 0
        var index = sample.startIndex
        while index < sample.endIndex {
            let lead = sample[index]
            index += 1
            if lead < 0x80 { continue }
            if 0xA1...0xDF ~= lead {
                pairs += 1
                kana += 1
                continue
            }
            guard 0x81...0x9F ~= lead || 0xE0...0xFC ~= lead else { return false }
            guard index < sample.endIndex else { break }
            let trail = sample[index]
            guard 0x40...0x7E ~= trail || 0x80...0xFC ~= trail else { return false }
            index += 1
            pairs += 1
            if (lead == 0x82 && trail >= 0x9F) || (lead == 0x83 && trail <= 0x96) { kana += 1 }
        }
        return kana * 4 >= pairs && hasDoubleBytes(sample)
    }

    /// Returns whether there is a real double-byte character. Half-width kana alone may just as well be letters of a
    /// Western text.
    private static func hasDoubleBytes(_ sample: ArraySlice<UInt8>) -> Bool {
        zip(sample, sample.dropFirst()).contains { 0x81...0x84 ~= $0 && $1 >= 0x40 }
    }
}

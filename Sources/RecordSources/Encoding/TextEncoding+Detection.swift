extension TextEncoding {
    /// The encoding that a byte order mark names, nil without one. UTF-32's mark begins with that of UTF-16.
    static func marked(at start: ArraySlice<UInt8>) -> TextEncoding? {
        for name in ["UTF-8", "UTF-32LE", "UTF-32BE", "UTF-16LE", "UTF-16BE", "GB18030"] {
            let encoding = TextEncoding(named: name)
            if start.starts(with: encoding.mark) { return encoding }
        }
        return nil
    }

    /// The encoding of a source, from its first bytes: its mark, its zeros, whether it is UTF-8, and its likely script.
    static func detected(in sample: ArraySlice<UInt8>, isWhole: Bool) -> TextEncoding {
        if let marked = marked(at: sample) { return marked }
        let isUTF8 = isUTF8(sample, isWhole: isWhole)
        if let wide = wideEncoding(of: sample, mayBeUTF8: isUTF8) { return wide }
        if isUTF8 || isMostlyUTF8(sample) { return .utf8 }
        if isLikelyShiftJIS(sample) { return .shiftJIS }
        if isLikelyChinese(sample) { return .gb18030 }
        return isLikelyCyrillic(sample) ? .windows1251 : .windows1252
    }

    /// Whether the high bytes pair up as GB18030 does, nine of ten as the characters and signs that are in common use.
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
            // Four bytes: what is rare.
            if 0x30...0x39 ~= trail {
                index += 3
                pairs += 1
                continue
            }
            guard 0x40...0xFE ~= trail, trail != 0x7F else { return false }
            index += 1
            pairs += 1
            // GB 2312: signs, and the two levels of characters.
            if 0xA1...0xA3 ~= lead || 0xB0...0xF7 ~= lead, trail >= 0xA1 { common += 1 }
        }
        return pairs > 1 && common * 10 >= pairs * 9
    }

    /// Whether most high bytes are letters of Windows-1251 in words of three letters and more, and such words outnumber
    /// those that mix scripts: the high letters of Western texts stand alone between others.
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

    /// UTF-16 without a mark: Latin letters, digits and line ends leave zeros in every other byte.
    private static func wideEncoding(of sample: ArraySlice<UInt8>, mayBeUTF8: Bool) -> TextEncoding? {
        let pairs = sample.count / 2
        guard pairs > 0 else { return nil }
        var zeros = (first: 0, second: 0)
        for pair in 0..<pairs {
            if sample[sample.startIndex + 2 * pair] == 0 { zeros.first += 1 }
            if sample[sample.startIndex + 2 * pair + 1] == 0 { zeros.second += 1 }
        }
        // What is UTF-8 too is only wide where zeros are in most pairs: a few are a text's own.
        if mayBeUTF8, max(zeros.first, zeros.second) * 2 < pairs { return nil }
        // A tenth: delimiters and line ends alone make that much even of a text without Latin letters. Text with NUL
        // bytes of its own has them on both sides.
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

    /// Whether at least as many characters beyond ASCII are well-formed UTF-8 as bytes are not: by chance, those of
    /// another encoding hardly ever are. The records with bad bytes are rejected, and the others read as what they are.
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

    /// Whether the high bytes pair up as Shift_JIS does, with a quarter of the pairs in its two rows of kana.
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

    /// Half-width kana alone are as likely the letters of a Western text: some real pair must be there.
    private static func hasDoubleBytes(_ sample: ArraySlice<UInt8>) -> Bool {
        zip(sample, sample.dropFirst()).contains { 0x81...0x84 ~= $0 && $1 >= 0x40 }
    }
}

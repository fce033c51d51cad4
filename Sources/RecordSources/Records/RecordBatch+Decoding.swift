extension RecordBatch {
    /// Rejects the records with bytes that are not UTF-8 in a range of the arena.
    mutating func rejectUndecodable(_ range: Range<Int>, from firstRecord: Int) {
        var validation = UTF8Validation()
        var index = range.lowerBound
        var record = firstRecord
        while record < count {
            let found = arena.withUnsafeBufferPointer {
                validation.firstInvalid(in: UnsafeBufferPointer(rebasing: $0[range]), from: index - range.lowerBound)
            }
            guard let found else { return }
            let bad = range.lowerBound + found
            while record < count && entries[record].arenaRange.upperBound <= bad { record += 1 }
            guard record < count else { return }
            let entry = entries[record]
            if entry.arenaRange.contains(bad) {
                let lines = lineEnds(in: Int(entry.arenaStart)..<bad)
                reject(
                    record,
                    for: RecordProblem(.undecodable, offset: bad - Int(entry.arenaStart), line: entry.line + lines))
                index = entry.arenaRange.upperBound
            } else {
                // The byte is between two records, in a comment, which is not imported.
                index = bad + 1
            }
        }
    }

    private func lineEnds(in range: Range<Int>) -> Int {
        var lines = 0
        for index in range where arena[index] == 0x0A || (arena[index] == 0x0D && arena[index + 1] != 0x0A) {
            lines += 1
        }
        return lines
    }
}

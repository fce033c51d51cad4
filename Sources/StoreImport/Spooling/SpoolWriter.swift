import PersistentStores

/// The writer of a spool, block by block, to a file that gets its name when it is complete.
struct SpoolWriter {
    private let output: StagedOutput
    /// The number of bytes, including those that have not been written yet: the offset of the next block.
    private(set) var offset = 0
    private var pending: [UInt8] = []
    private let path: String
    private let limits: SpoolLimits

    /// - Parameter replacing: whether an existing file is replaced.
    init(_ path: String, replacing: Bool, limits: SpoolLimits = SpoolLimits()) throws(StoreError) {
        self.path = path
        self.limits = limits
        output = try StagedOutput(for: path, replacing: replacing)
        var header = SpoolEncoder()
        header.append(bits: SpoolBlock.version)
        pending = SpoolBlock.magic + header.bytes
        offset = pending.count
    }

    /// - Throws: `SpoolError.blockTooLarge`, because readers would refuse the block; `StoreError`.
    mutating func append(_ kind: SpoolBlock, _ content: [UInt8]) throws {
        guard content.count <= limits.blockContent else {
            throw SpoolError.blockTooLarge(path, limit: limits.blockContent)
        }
        let word = UInt64(content.count) | UInt64(kind.rawValue) << 56
        append(word)
        if content.count < limits.copiedBytes {
            pending.append(contentsOf: content)
        } else {
            try flush()
            try output.write(content)
        }
        offset += content.count
        append(SpoolBlock.checksum(word, content.span))
        if pending.count >= limits.writtenBytes { try flush() }
    }

    /// Writes the last block, and gives the file its name.
    mutating func finish(_ ending: [UInt8]) throws {
        let start = UInt64(offset)
        try append(.ending, ending)
        append(start)
        pending += SpoolBlock.endMagic
        try flush()
        try output.finish()
    }

    private mutating func append(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { pending.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        offset += 8
    }

    private mutating func flush() throws(StoreError) {
        try output.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}

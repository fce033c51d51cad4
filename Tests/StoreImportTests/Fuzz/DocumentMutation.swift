import TestSupport

/// Changes a document at random, mostly where its format has something to get wrong.
struct DocumentMutation {
    private var random: RandomNumbers
    private let tokens: [[UInt8]]

    /// - Parameter tokens: what the format gives a meaning to.
    init(seed: Int, tokens: [String]) {
        random = RandomNumbers(seed: UInt64(seed))
        self.tokens =
            tokens.map { Array($0.utf8) }
            + [[0], [0xFF], [0xEF, 0xBB, 0xBF], [0xC3], [0xF0, 0x9F, 0x98, 0x80], [0xED, 0xA0, 0x80], [0x0D, 0x0A]]
    }

    /// A document with one to a dozen changes; parts of another one may be put into it.
    mutating func mutated(_ seed: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...12, using: &random) { change(&bytes, other) }
        return bytes
    }

    /// What goes into another generator: the size of chunks or batches.
    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where !bytes.isEmpty:
            bytes[place(in: bytes) % bytes.count] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where !bytes.isEmpty: bytes[place(in: bytes) % bytes.count] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(range(in: bytes, atMost: 8))
        case 3: bytes.removeSubrange(range(in: bytes, atMost: 200))
        case 4, 5:
            bytes.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &random)], at: place(in: bytes))
        case 6:
            let copy = Array(bytes[range(in: bytes, atMost: 60)])
            bytes.insert(contentsOf: copy, at: place(in: bytes))
        case 7: bytes.insert(contentsOf: other[range(in: other, atMost: 60)], at: place(in: bytes))
        default: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(place(in: bytes)...) }
        }
        // Repetition must not make a document that takes seconds by itself.
        if bytes.count > 8192 { bytes.removeSubrange(8192...) }
    }

    private mutating func place(in bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

    private mutating func range(in bytes: [UInt8], atMost count: Int) -> Range<Int> {
        let start = place(in: bytes)
        return start..<min(bytes.count, start + Int.random(in: 0...count, using: &random))
    }
}

/// The words for yes and no, without regard to case.
public struct BooleanWords: Equatable, Sendable {
    private let yes: Words
    private let no: Words

    /// Creates lists of words. The caller must refuse words that are in both lists.
    public init(yes: [String], no: [String]) {
        self.yes = Words(yes)
        self.no = Words(no)
    }

    /// The words that are common in files.
    public static let common = BooleanWords(yes: commonYes, no: commonNo)
    static let commonYes = ["1", "true", "t", "yes", "y", "on"]
    static let commonNo = ["0", "false", "f", "no", "n", "off"]

    @inline(__always)
    func boolean(_ text: Span<UInt8>) throws(ConversionFailure) -> Bool {
        if yes.contains(text) { return true }
        if no.contains(text) { return false }
        throw ConversionFailure(.notABoolean)
    }

    /// Words of at most eight bytes are compared as 64-bit numbers.
    private struct Words: Equatable, Sendable {
        private let short: [UInt64]
        private let long: [[UInt8]]
        /// The words with non-ASCII letters, in lower case.
        private let others: [String]

        init(_ words: [String]) {
            let lowercased = words.map { $0.utf8.map(Words.lowercased) }
            short = lowercased.filter { 1...8 ~= $0.count }.map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
            long = lowercased.filter { $0.count > 8 }
            others = words.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }.map { $0.lowercased() }
        }

        @inline(__always)
        func contains(_ text: Span<UInt8>) -> Bool {
            guard text.count <= 8 else { return containsLong(text) }
            var packed: UInt64 = 0
            for index in text.indices { packed = packed << 8 | UInt64(Words.lowercased(text[index])) }
            let words = short.span
            for index in words.indices where words[index] == packed { return true }
            return others.isEmpty ? false : containsOther(text)
        }

        @inline(never)
        private func containsLong(_ text: Span<UInt8>) -> Bool {
            long.contains { word in
                word.count == text.count && word.indices.allSatisfy { Words.lowercased(text[$0]) == word[$0] }
            } || containsOther(text)
        }

        /// Returns whether a text is one of the words with non-ASCII letters, with Unicode equivalence.
        @inline(never)
        private func containsOther(_ text: Span<UInt8>) -> Bool {
            guard !others.isEmpty, text.indices.contains(where: { text[$0] >= 0x80 }) else { return false }
            return others.contains(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.lowercased())
        }

        @inline(__always)
        private static func lowercased(_ byte: UInt8) -> UInt8 {
            0x41...0x5A ~= byte ? byte | 0x20 : byte
        }
    }
}

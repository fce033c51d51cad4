import TextEncodings

/// The version hash of an entity: 32 bytes that differ for incompatible stores.
public struct VersionHash: Sendable, Hashable {
    /// The bytes as four big-endian numbers.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Makes the hash from 32 bytes; nil for any other number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(bytes)
    }

    /// Makes the hash from the result of SHA-256.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32)
        func word(_ index: Int) -> UInt64 {
            bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// Makes the hash from 64 hexadecimal digits; nil for other texts.
    public init?(hex: String) {
        guard let bytes = Hexadecimal.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// Makes the hash from 44 characters of base 64; nil for other texts.
    public init?(base64: String) {
        guard let bytes = Base64.decode(base64) else { return nil }
        self.init(bytes: bytes)
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    /// The hash as 64 lowercase hexadecimal digits.
    public var hex: String { Hexadecimal.encode(bytes) }

    /// The hash as 44 characters of base 64, as in XML stores.
    public var base64: String { Base64.encode(bytes) }

    public static func == (left: VersionHash, right: VersionHash) -> Bool {
        left.words == right.words
    }

    public func hash(into hasher: inout Hasher) {
        // The value is a hash itself: a part of it is as good as the whole.
        hasher.combine(words.0)
    }
}

extension VersionHash: CustomStringConvertible {
    public var description: String { hex }
}

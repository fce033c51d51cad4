import TextEncodings

/// The version hash of an entity: 32 bytes that change with whatever makes stores incompatible.
public struct VersionHash: Sendable, Hashable {
    /// The bytes as four numbers, the first byte in the first number's highest place.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The hash of exactly 32 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(bytes)
    }

    /// The hash of what SHA-256 gives.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32)
        func word(_ index: Int) -> UInt64 {
            bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The hash of 64 hexadecimal digits; nil for other texts.
    public init?(hex: String) {
        guard let bytes = Hexadecimal.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The hash of 44 characters of base 64; nil for other texts.
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

    /// 64 hexadecimal digits in lower case.
    public var hex: String { Hexadecimal.encode(bytes) }

    /// 44 characters, as in XML stores.
    public var base64: String { Base64.encode(bytes) }

    public static func == (left: VersionHash, right: VersionHash) -> Bool {
        left.words == right.words
    }

    public func hash(into hasher: inout Hasher) {
        // It is a hash already: a part of it is as good as all.
        hasher.combine(words.0)
    }
}

extension VersionHash: CustomStringConvertible {
    public var description: String { hex }
}

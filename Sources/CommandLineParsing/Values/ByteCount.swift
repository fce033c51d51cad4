/// A size in bytes: 4096, 512k, 4MiB, 1G. The letters k, M, G, T count by 1024, as KiB does; kB, MB, GB, TB by 1000.
public struct ByteCount: Sendable, Hashable, Comparable, ArgumentValue {
    /// The size in bytes.
    public let bytes: Int

    /// Makes a size from a number of bytes.
    public init(bytes: Int) {
        self.bytes = bytes
    }

    /// Parses digits with a unit; nil for another unit, for fractions, or out of range.
    public init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let unit = argument.dropFirst(digits.count).lowercased()
        guard let count = Int(digits), let factor = Self.factors[unit] else { return nil }
        let (product, overflows) = count.multipliedReportingOverflow(by: factor)
        guard !overflows else { return nil }
        bytes = product
    }

    /// The size in the largest unit of 1024 that divides it, such as `64KiB`; in bytes if there is none.
    public var argument: String {
        let unit = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
            .first { bytes != 0 && bytes.isMultiple(of: $0.1) }
        return unit.map { "\(bytes / $0.1)\($0.0)" } ?? String(bytes)
    }

    /// The description of a value in errors: a size, with examples.
    public static var expectation: String { "a size such as 65536, 512k, 4MiB or 1G" }

    public static func < (left: Self, right: Self) -> Bool {
        left.bytes < right.bytes
    }

    /// The units in lower case, with their factors in bytes.
    private static let factors: [String: Int] = {
        var factors = ["": 1, "b": 1]
        for (power, letter) in ["k", "m", "g", "t"].enumerated() {
            let binary = 1 << (10 * (power + 1))
            factors[letter] = binary
            factors[letter + "ib"] = binary
            factors[letter + "b"] = (0...power).reduce(1) { product, _ in product * 1000 }
        }
        return factors
    }()
}

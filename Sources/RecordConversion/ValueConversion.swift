import RecordSources

/// How the values of one column become the values of one attribute: the type, and how it is written.
public struct ValueConversion: Equatable, Sendable {
    /// What values become.
    public enum Target: UInt8, Equatable, Sendable {
        /// The ten types that attributes of imports have; integers of all sizes are one.
        case integer, decimal, double, float, string, boolean, date, binary, uuid, uri
    }

    /// When a text without any character is NULL.
    public enum EmptyText: String, CaseIterable, Equatable, Sendable {
        /// Whether it is quoted or not.
        case always
        /// `a,,b` has a NULL, `a,"",b` an empty text.
        case unlessQuoted
        /// It stays a text, or is an error if the attribute is not a string.
        case never
    }

    /// What values become.
    public var target: Target
    /// The integers that an integer attribute holds.
    public var integerRange: ClosedRange<Int64> = Int64.min...Int64.max
    /// How numbers are written.
    public var numbers = NumberFormat.plain
    /// The words for yes and no.
    public var booleans = BooleanWords.common
    /// How dates are written.
    public var date = DateConversion()
    /// How binary data are written.
    public var binary = BinaryConversion.base64
    /// Whether white space around a text is left out.
    public var trims: Bool
    /// When a text without any character is NULL.
    public var emptyText: EmptyText
    /// Unquoted texts that stand for NULL.
    public var nullTokens: [[UInt8]] {
        // No observer: that would not see what an initializer sets.
        get { tokens }
        set {
            tokens = newValue
            nullTokenStarts = ByteSet(newValue.compactMap(\.first))
        }
    }
    private var tokens: [[UInt8]]
    /// The first bytes of the NULL tokens: nearly every value is told from them by its own first byte.
    package private(set) var nullTokenStarts: ByteSet

    /// A conversion with the settings that suit most sources: only strings keep their white space and may be empty.
    public init(_ target: Target) {
        self.target = target
        trims = target != .string
        emptyText = target == .string ? .unlessQuoted : .always
        tokens = [Array(RecordField.commonNullToken.utf8)]
        nullTokenStarts = ByteSet(tokens.compactMap(\.first))
    }

    /// An integer of so many bits.
    public static func integer(_ range: ClosedRange<Int64>) -> ValueConversion {
        var conversion = ValueConversion(.integer)
        conversion.integerRange = range
        return conversion
    }

    /// What a value must look like, for messages.
    public var expectation: String {
        switch target {
        case .integer: "an integer from \(integerRange.lowerBound) to \(integerRange.upperBound)"
        case .decimal: "a decimal number of at most \(DecimalConversion.largestDigitCount) digits"
        case .double, .float: "a number"
        case .string: "a text"
        case .boolean: "a word for yes or no"
        case .date: date.expectation
        case .binary: binary.expectation
        case .uuid: "a UUID such as 123e4567-e89b-12d3-a456-426614174000"
        case .uri: "a URI"
        }
    }
}

extension BinaryConversion {
    var expectation: String {
        switch self {
        case .base64: "base64"
        case .hexadecimal: "pairs of hexadecimal digits"
        case .text: "a text"
        case .file(let folder): "the path of a file in \(folder.path)"
        case .archive(let form): form.expectation
        }
    }
}

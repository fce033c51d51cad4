import RecordSources

/// The conversion of a column's values to the values of an attribute: the type, and the form of the values.
public struct ValueConversion: Equatable, Sendable {
    /// The type to which values are converted.
    public enum Target: UInt8, Equatable, Sendable {
        /// The ten types of attributes that can be imported; integers of all sizes are one type.
        case integer, decimal, double, float, string, boolean, date, binary, uuid, uri
    }

    /// Whether an empty text is NULL.
    public enum EmptyText: String, CaseIterable, Equatable, Sendable {
        /// Empty texts are NULL, quoted or not.
        case always
        /// `a,,b` contains a NULL, and `a,"",b` an empty text.
        case unlessQuoted
        /// It stays an empty text, which is an error unless the attribute is a string.
        case never
    }

    /// The type to which values are converted.
    public var target: Target
    /// The range of the integer attribute.
    public var integerRange: ClosedRange<Int64> = Int64.min...Int64.max
    /// The format of numbers.
    public var numbers = NumberFormat.plain
    /// The words for yes and no.
    public var booleans = BooleanWords.common
    /// The form of dates.
    public var date = DateConversion()
    /// The form of binary data.
    public var binary = BinaryConversion.base64
    /// Whether white space around a text is removed.
    public var trims: Bool
    /// Whether an empty text is NULL.
    public var emptyText: EmptyText
    /// Unquoted texts that stand for NULL.
    public var nullTokens: [[UInt8]] {
        // Not a property observer, because observers are not called in initializers.
        get { tokens }
        set {
            tokens = newValue
            nullTokenStarts = ByteSet(newValue.compactMap(\.first))
        }
    }
    private var tokens: [[UInt8]]
    /// The first bytes of the NULL tokens. For nearly every value, its first byte shows that it is not a token.
    package private(set) var nullTokenStarts: ByteSet

    /// Creates a conversion with settings that suit most sources: only strings keep their white space and may be empty.
    public init(_ target: Target) {
        self.target = target
        trims = target != .string
        emptyText = target == .string ? .unlessQuoted : .always
        tokens = [Array(RecordField.commonNullToken.utf8)]
        nullTokenStarts = ByteSet(tokens.compactMap(\.first))
    }

    /// Returns a conversion to integers in a range.
    public static func integer(_ range: ClosedRange<Int64>) -> ValueConversion {
        var conversion = ValueConversion(.integer)
        conversion.integerRange = range
        return conversion
    }

    /// A description of the expected form of a value, for messages.
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

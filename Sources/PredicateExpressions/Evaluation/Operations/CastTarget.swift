import KeyedArchives
import TextEncodings

/// The target types of `CAST(value, "type")`.
enum CastTarget: String, CaseIterable {
    case string = "NSString"
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case date = "NSDate"
    case data = "NSData"
    case uuid = "NSUUID"
    case url = "NSURL"
    case array = "NSArray"
    case set = "NSSet"
    /// A class, by its name.
    case objectClass = "Class"

    /// Returns the value converted to this type. NULL stays NULL; a value that cannot be converted is an error.
    func convert(_ value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        let result: ExpressionValue? =
            switch self {
            case _ where value.isNull: .null
            case .string: Self.text(of: value).map { .string($0) }
            case .number: Self.number(of: value)
            case .decimal: try Self.decimal(of: value)
            case .date: Self.date(of: value)
            case .data: Self.data(of: value)
            case .uuid: Self.uuid(of: value)
            case .url: Self.url(of: value)
            case .array: value.elements.map { .array($0) }
            case .set: value.elements.map { .set(CollectionFunction.distinct($0)) }
            case .objectClass: Self.className(of: value)
            }
        guard let result else {
            let shown = Self.text(of: value).map { " (\(String($0.prefix(40)).debugDescription))" } ?? ""
            throw EvaluationFault(.conversionFailed, "\(value.kind)\(shown) cannot be made a \(rawValue)")
        }
        return result
    }

    private static func text(of value: ExpressionValue) -> String? {
        switch value {
        case .string(let text), .url(let text), .className(let text): text
        case .boolean(let value): value ? "1" : "0"
        case .integer(let value): String(value)
        case .real(let value): realText(value)
        case .decimal(let value): value.description
        case .uuid(let bytes): UUIDText.text(bytes)
        case .date(let seconds): DateText.text(seconds)
        default: nil
        }
    }

    /// Returns the text as `NSNumber` formats it: whole numbers without a fraction.
    private static func realText(_ value: Double) -> String {
        if value.magnitude < 1e15, let whole = Int64(exactly: value), whole != 0 || value.sign == .plus {
            return String(whole)
        }
        return "\(value)"
    }

    private static func number(of value: ExpressionValue) -> ExpressionValue? {
        switch value {
        case .boolean, .integer, .real, .decimal: value
        case .string(let text): NumberText.whole(text)
        case .date(let seconds): .real(seconds)
        default: nil
        }
    }

    private static func decimal(of value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue? {
        if case .string(let text) = value {
            return DecimalNumber(text).flatMap { $0.isNotANumber ? nil : .decimal($0) }
        }
        guard let number = NumberValue(value) else { return nil }
        return .decimal(try number.decimal())
    }

    private static func date(of value: ExpressionValue) -> ExpressionValue? {
        switch value {
        case .date: value
        case .string(let text): DateText.seconds(text).map { .date($0) }
        default: NumberValue(value).map { .date($0.real) }
        }
    }

    private static func data(of value: ExpressionValue) -> ExpressionValue? {
        switch value {
        case .data: value
        case .uuid(let bytes): .data(bytes)
        case .string(let text): Base64.decode(text).map { .data($0) }
        default: nil
        }
    }

    private static func uuid(of value: ExpressionValue) -> ExpressionValue? {
        switch value {
        case .uuid: value
        case .string(let text): UUIDText.bytes(text).map { .uuid($0) }
        case .data(let bytes): bytes.count == 16 ? .uuid(bytes) : nil
        default: nil
        }
    }

    private static func url(of value: ExpressionValue) -> ExpressionValue? {
        switch value {
        case .url: value
        case .string(let text): .url(text)
        default: nil
        }
    }

    private static func className(of value: ExpressionValue) -> ExpressionValue? {
        switch value {
        case .className: value
        case .string(let text): .className(text)
        default: nil
        }
    }
}

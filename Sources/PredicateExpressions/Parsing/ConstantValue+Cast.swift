import KeyedArchives
import TextEncodings

/// Constants without a literal, which are written as casts of one.
extension ConstantValue {
    /// Makes the constant that `CAST(value, type)` represents; nil if it is a function to be evaluated.
    init?(cast value: Expression, to type: Expression) {
        guard case .constant(.string(let name)) = type else { return nil }
        switch (name, value) {
        case ("NSDate", .constant(.real(let seconds))): self = .date(seconds)
        case ("NSDate", .constant(.integer(let seconds))): self = .date(Double(seconds))
        case ("NSDecimalNumber", .constant(.string(let text))):
            guard let decimal = DecimalNumber(text) else { return nil }
            self = .decimal(decimal)
        case ("NSNumber", .constant(.string("nan"))): self = .real(.nan)
        case ("NSNumber", .constant(.string("inf"))): self = .real(.infinity)
        case ("NSNumber", .constant(.string("-inf"))): self = .real(-.infinity)
        case ("NSURL", .constant(.string(let text))): self = .url(text)
        case ("NSData", .constant(.string(let text))):
            guard let bytes = Base64.decode(text) else { return nil }
            self = .data(bytes)
        case ("NSUUID", .constant(.string(let text))):
            guard let bytes = UUIDText.bytes(text) else { return nil }
            self = .uuid(bytes)
        case ("NSArray", .aggregate(let elements)):
            guard let constants = Self.constants(elements) else { return nil }
            self = .array(constants)
        case ("NSSet", .aggregate(let elements)):
            guard let constants = Self.constants(elements) else { return nil }
            self = .set(constants)
        default: return nil
        }
    }

    /// Returns whether a cast function would be parsed as a constant, and therefore has to be written differently.
    static func isCast(_ arguments: [Expression]) -> Bool {
        arguments.count == 2 && ConstantValue(cast: arguments[0], to: arguments[1]) != nil
    }

    private static func constants(_ elements: [Expression]) -> [ConstantValue]? {
        var constants: [ConstantValue] = []
        for element in elements {
            guard case .constant(let constant) = element else { return nil }
            constants.append(constant)
        }
        return constants
    }
}

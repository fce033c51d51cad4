/// Methods by which Foundation's classes make values: `FUNCTION(CAST("NSDate", "Class"), "date")`.
enum ClassMethod {
    /// The one that has another value each time: a new UUID.
    static let newUUID = (className: "NSUUID", selector: "UUID")

    // 978307200 seconds lie between 1970 and 2001.
    private static let epoch = Expression.constant(.real(978_307_200))

    /// Returns an equivalent expression without the call; nil if the method is unknown.
    static func plain(_ className: String, _ selector: String, _ arguments: [Expression]) -> Expression? {
        guard let value = arguments.first else {
            switch (className, selector) {
            case ("NSDate", "date"): return .function("now", [])
            case ("NSNull", "null"): return .constant(.null)
            default: return nil
            }
        }
        guard arguments.count == 1 else { return nil }
        switch (className, selector) {
        case ("NSDate", "dateWithTimeIntervalSinceReferenceDate:"): return cast(value, to: .date)
        case ("NSDate", "dateWithTimeIntervalSince1970:"):
            return cast(.function(ArithmeticOperator.subtract.rawValue, [value, epoch]), to: .date)
        case ("NSDate", "dateWithTimeIntervalSinceNow:"):
            return .function(ArithmeticOperator.add.rawValue, [.function("now", []), value])
        case ("NSURL", "URLWithString:"): return cast(value, to: .url)
        case ("NSDecimalNumber", "decimalNumberWithString:"): return cast(value, to: .decimal)
        case ("NSString", "stringWithString:"): return value
        default: return nil
        }
    }

    private static func cast(_ value: Expression, to target: CastTarget) -> Expression {
        .function(PredefinedFunction.cast, [value, .constant(.string(target.rawValue))])
    }
}

extension Expression {
    /// Whether two evaluations for the same row may have different values.
    public var isRandom: Bool {
        format.contains("random") || format.contains("\"\(ClassMethod.newUUID.selector)\"")
    }

    /// The target of a method for which this is the target expression.
    var methodTarget: MethodTarget {
        switch self {
        case .evaluatedObject: .evaluatedObject
        case .variable(let name): .variable(name)
        case .constant(.className(let name)): .className(name)
        case .function(PredefinedFunction.cast, let arguments) where arguments.count == 2:
            // CAST("Name", "Class"), the form in which Xcode writes a class.
            if case .constant(.string(let name)) = arguments[0],
                arguments[1] == .constant(.string(CastTarget.objectClass.rawValue))
            {
                .className(name)
            } else {
                .value
            }
        default: .value
        }
    }
}

/// A type in source code.
indirect enum SwiftType: Sendable, Hashable {
    /// A name such as `Outer.Inner`, each component without its type arguments.
    case named([String])
    case optional(SwiftType)
    case array(SwiftType)
    case set(SwiftType)
    case dictionary(SwiftType, SwiftType)
    /// All other types: functions, tuples, generic types, compositions.
    case other(String)

    /// The type without optionals, and whether it had any.
    var unwrapped: (type: SwiftType, isOptional: Bool) {
        var (type, isOptional) = (self, false)
        while case .optional(let inner) = type { (type, isOptional) = (inner, true) }
        return (type, isOptional)
    }
}

extension SwiftType: CustomStringConvertible {
    var description: String {
        switch self {
        case .named(let names): names.joined(separator: ".")
        case .optional(let type): "\(type)?"
        case .array(let type): "[\(type)]"
        case .set(let type): "Set<\(type)>"
        case .dictionary(let key, let value): "[\(key): \(value)]"
        case .other(let text): text
        }
    }
}

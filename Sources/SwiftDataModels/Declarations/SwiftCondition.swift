/// Whether code between `#if` and `#endif` is compiled.
enum SwiftCondition: Sendable, Hashable {
    case yes
    case no
    /// It depends on this condition, whose value is unknown.
    case unknown(String)

    func and(_ other: SwiftCondition) -> SwiftCondition {
        switch (self, other) {
        case (.no, _), (_, .no): .no
        case (.unknown, _): self
        case (.yes, _): other
        }
    }

    var negated: SwiftCondition {
        switch self {
        case .yes: .no
        case .no: .yes
        case .unknown(let text): .unknown("!(\(text))")
        }
    }

    var unknownText: String? {
        if case .unknown(let text) = self { text } else { nil }
    }
}

import KeyedArchives
import ManagedObjectModels
import PredicateExpressions

/// The predicates that an attribute's values must satisfy.
struct ValueCheck: Sendable {
    private let program: PredicateProgram?

    /// Predicates that cannot be evaluated, as text: values are made without them.
    let unknown: [String]

    /// - Parameter predicates: in the predicate format language, `SELF` being the value.
    init(_ predicates: [Predicate]) {
        var names = ValueNames()
        var unknown: [String] = []
        let usable = predicates.filter { predicate in
            do {
                _ = try predicate.compile(resolving: &names)
                return true
            } catch {
                unknown.append(predicate.format)
                return false
            }
        }
        program = usable.isEmpty ? nil : try? Predicate.all(of: usable).compile(resolving: &names)
        self.unknown = unknown
    }

    /// Whether a value satisfies them all. What cannot be evaluated for it does not.
    func accepts(_ value: AttributeValue) -> Bool {
        guard let program else { return true }
        return (try? program.matches(in: RecordContext([Self.expressionValue(value)]))) ?? false
    }

    private static func expressionValue(_ value: AttributeValue) -> ExpressionValue {
        switch value {
        case .integer(let number): .integer(number)
        case .decimal(let text): DecimalNumber(text).map { .decimal($0) } ?? .null
        case .real(let number): .real(number)
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .date(let seconds): .date(seconds)
        case .binary(let bytes): .data(bytes)
        case .uuid(let bytes): .uuid(bytes)
        case .uri(let text): .url(text)
        case .unparsed: .null
        }
    }
}

/// `SELF` is the value; what follows it is a key of that.
private struct ValueNames: NameResolver {
    func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        start == .evaluatedObject ? ResolvedName(slot: 0, keyCount: 0) : nil
    }
}

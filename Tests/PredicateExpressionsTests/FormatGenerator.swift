import KeyedArchives
import PredicateExpressions
import TestSupport

/// Makes predicates and expressions of every kind; the same ones for the same seed.
struct FormatGenerator {
    private var random: RandomNumbers

    init(seed: UInt64) { random = RandomNumbers(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
        elements.randomElement(using: &random) ?? fallback
    }

    mutating func predicate(depth: Int) -> Predicate {
        guard depth > 0 else { return .constant(Bool.random(using: &random)) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .and([predicate(depth: depth - 1), predicate(depth: depth - 1), predicate(depth: depth - 2)])
        case 1: return .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
        case 2: return .not(predicate(depth: depth - 1))
        default:
            let comparisonOperator = pick(ComparisonOperator.allCases, or: .equal)
            let options = comparisonOperator == .between ? 0 : Int.random(in: 0..<16, using: &random)
            return .comparison(
                ComparisonPredicate(
                    expression(depth: depth - 1), comparisonOperator, expression(depth: depth - 1),
                    modifier: pick([.direct, .all, .any], or: .direct), options: ComparisonOptions(rawValue: options)))
        }
    }

    mutating func expression(depth: Int) -> Expression {
        guard depth > 0 else { return leaf() }
        let below = depth - 1
        switch Int.random(in: 0..<13, using: &random) {
        case 0: return .keyPath(path(), on: expression(depth: below))
        case 1, 2:
            let selector = pick(PredefinedFunction.selectors.sorted(), or: "now")
            return .function(selector, arguments(of: selector, depth: below))
        case 3:
            let selector = pick(["go", "go:", "valueForKey:", "from:to:"], or: "go")
            return .invocation(
                target: expression(depth: below), selector: selector, arguments: arguments(of: selector, depth: below))
        case 4: return .aggregate((0..<Int.random(in: 0..<4, using: &random)).map { _ in expression(depth: below) })
        case 5: return .set(pick(SetOperation.allCases, or: .union), expression(depth: below), expression(depth: below))
        case 6:
            return .subquery(
                collection: expression(depth: below), variable: "x", predicate: predicate(depth: below))
        case 7:
            return .conditional(
                predicate(depth: below), then: expression(depth: below), otherwise: expression(depth: below))
        case 8:
            return .fetchRequest(
                request: expression(depth: below), context: expression(depth: below),
                countOnly: Bool.random(using: &random))
        case 11: return .assignment(variable: "v", expression(depth: below))
        case 12: return .function("objectFrom:withIndex:", [expression(depth: below), .symbol(.last)])
        default: return leaf()
        }
    }

    private mutating func arguments(of selector: String, depth: Int) -> [Expression] {
        (0..<selector.count { $0 == ":" }).map { _ in expression(depth: depth) }
    }

    private mutating func leaf() -> Expression {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .evaluatedObject
        case 1: .variable(pick(["x", "FETCH_SOURCE", "größe"], or: "x"))
        case 2: .keyPath(path())
        case 3: .anyKey
        default: .constant(constant(depth: 2))
        }
    }

    private mutating func path() -> String {
        pick(
            [
                "name", "a.b.c", "in", "SIZE", "size", "items.@count", "@sum.price", "and.or.not", "odd name",
                "größe.世界",
                "1st", "a.@distinctUnionOfSets.b", "", "..", "quote\"s", "count", "cast",
            ], or: "name")
    }

    private mutating func constant(depth: Int) -> ConstantValue {
        switch Int.random(in: 0..<(depth > 0 ? 14 : 12), using: &random) {
        case 0: .null
        case 1: .boolean(Bool.random(using: &random))
        case 2: .integer(pick([0, 1, -1, 42, .max, .min], or: 0))
        case 3: .real(pick([0.5, -1.25e-10, 3, 1e300, .infinity], or: 0))
        case 4: .decimal(pick(["1.5", "-99999999999999999999"], or: "0").asDecimal)
        case 5, 6: .string(pick(["", "text", "a \"b\" 'c'", "tab\tline\n\\d", "世界 👋", "\u{1}", "SELF"], or: ""))
        case 7: .date(pick([0, -20_251_997.055845, 1e10], or: 0))
        case 8: .data(pick([[], [1, 2, 3], [0xFF]], or: []))
        case 9: .uuid(Array(0..<16))
        case 10: .url("https://example.org/?a=b")
        case 12: .array([constant(depth: depth - 1), constant(depth: depth - 1)])
        case 13: .set([constant(depth: depth - 1)])
        // Of the elements of a collection none is a class.
        default: depth == 2 ? .className("NSString") : .integer(7)
        }
    }
}

extension String {
    fileprivate var asDecimal: DecimalNumber {
        DecimalNumber(self) ?? .notANumber
    }
}

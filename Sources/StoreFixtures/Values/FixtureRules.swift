import KeyedArchives
import ManagedObjectModels
import PredicateExpressions

/// The rules of an attribute from which values can be generated: bounds, lengths, lists, patterns.
///
/// Validation predicates with a simple form are analyzed (`SELF >= 1`, `length < 9`, `SELF IN {...}`, `SELF MATCHES
/// "..."`, and several of them with AND); in addition, all predicates are evaluated for each value.
struct FixtureRules {
    private(set) var lower: Bound?
    private(set) var upper: Bound?
    private(set) var lengths = 0...Int(Int32.max)
    /// The only allowed values, if a predicate lists them.
    private(set) var listed: [ConstantValue]?
    private(set) var pattern: String?
    private(set) var predicates: [Predicate] = []

    /// Predicates that cannot be parsed, as text.
    private(set) var unparsed: [String] = []

    /// The reason why no value can satisfy the rules, as a part of a sentence.
    private(set) var contradiction: String?

    /// A limit, exact for integers.
    enum Bound: Hashable {
        case integer(Int64)
        case real(Double)

        var real: Double {
            switch self {
            case .integer(let number): Double(number)
            case .real(let number): number
            }
        }
    }

    private let type: AttributeType

    init(_ attribute: ResolvedAttribute) {
        type = attribute.type
        let validation = attribute.description.validation
        if let minimum = validation.minimum.flatMap(Self.bound) { raise(minimum) }
        if let maximum = validation.maximum.flatMap(Self.bound) { cut(maximum) }
        if let pattern = validation.regularExpression {
            self.pattern = pattern
            predicates.append(.comparison(.evaluatedObject, .matches, .constant(.string(pattern))))
        }
        for text in validation.otherPredicates.map(\.predicateFormat) {
            guard let predicate = try? Predicate(format: text) else {
                unparsed.append(text)
                continue
            }
            predicates.append(predicate)
            read(predicate)
        }
        if let lower, let upper, lower.real > upper.real { contradiction = "its smallest value is above its largest" }
    }

    private static func bound(_ value: AttributeValue) -> Bound? {
        switch value {
        case .integer(let number): .integer(number)
        case .real(let number), .date(let number): .real(number)
        case .decimal(let digits): Int64(digits).map { .integer($0) } ?? Double(digits).map { .real($0) }
        default: nil
        }
    }

    // MARK: Predicates

    private mutating func read(_ predicate: Predicate) {
        switch predicate {
        case .and(let parts): parts.forEach { read($0) }
        case .comparison(let comparison) where comparison.modifier == .direct: read(comparison)
        default: break
        }
    }

    private mutating func read(_ comparison: ComparisonPredicate) {
        let lengths: [Expression] = [.keyPath("length"), .function("length:", [.evaluatedObject])]
        let isLength = lengths.contains(comparison.left)
        guard comparison.left == .evaluatedObject || isLength else { return }
        let constants = Self.constants(comparison.right)
        switch comparison.comparisonOperator {
        case .equal where constants.count == 1, .memberOf where !isLength && !constants.isEmpty:
            if isLength { setLength(constants, constants) } else { narrow(constants) }
        case .greaterThanOrEqual: raise(constants, isLength: isLength, isStrict: false)
        case .greaterThan: raise(constants, isLength: isLength, isStrict: true)
        case .lessThanOrEqual: cut(constants, isLength: isLength, isStrict: false)
        case .lessThan: cut(constants, isLength: isLength, isStrict: true)
        case .between where constants.count == 2:
            raise([constants[0]], isLength: isLength, isStrict: false)
            cut([constants[1]], isLength: isLength, isStrict: false)
        case .matches:
            if case .string(let text)? = constants.first, pattern == nil { pattern = text }
        case .beginsWith, .endsWith, .contains, .like:
            if case .string(let text)? = constants.first, pattern == nil {
                pattern = Self.pattern(comparison.comparisonOperator, text)
            }
        default: break
        }
    }

    private static func constants(_ expression: Expression) -> [ConstantValue] {
        switch expression {
        case .constant(.array(let values)), .constant(.set(let values)): values
        case .constant(let value): [value]
        case .aggregate(let elements): elements.flatMap(constants)
        default: []
        }
    }

    /// Returns the equivalent regular expression of a condition.
    private static func pattern(_ comparison: ComparisonOperator, _ text: String) -> String {
        let words = "(?: [a-z]{2,8}){0,3}"
        guard comparison != .like else {
            return text.map { $0 == "*" ? "[a-z]{0,8}" : $0 == "?" ? "[a-z]" : "\\Q\($0)\\E" }.joined()
        }
        let quoted = "\\Q\(text)\\E"
        switch comparison {
        case .beginsWith: return quoted + words
        case .endsWith: return words + quoted
        default: return "[a-z]{0,6}" + quoted + words
        }
    }

    private mutating func narrow(_ values: [ConstantValue]) {
        listed = listed.map { $0.filter(values.contains) } ?? values
        if listed?.isEmpty == true { contradiction = "its predicates list no value in common" }
    }

    private mutating func setLength(_ lowest: [ConstantValue], _ highest: [ConstantValue]) {
        raise(lowest, isLength: true, isStrict: false)
        cut(highest, isLength: true, isStrict: false)
    }

    private mutating func raise(_ constants: [ConstantValue], isLength: Bool, isStrict: Bool) {
        guard let bound = Self.bound(constants) else { return }
        switch (isLength, bound) {
        case (true, .integer(let number)): raiseLength(isStrict ? number.addingClamped(1) : number)
        case (true, .real): break
        case (false, .integer(let number)) where isStrict && type.integerRange != nil:
            raise(.integer(number.addingClamped(1)))
        case (false, _): raise(isStrict ? .real(bound.real.nextUp) : bound)
        }
    }

    private mutating func cut(_ constants: [ConstantValue], isLength: Bool, isStrict: Bool) {
        guard let bound = Self.bound(constants) else { return }
        switch (isLength, bound) {
        case (true, .integer(let number)): cutLength(isStrict ? number.addingClamped(-1) : number)
        case (true, .real): break
        case (false, .integer(let number)) where isStrict && type.integerRange != nil:
            cut(.integer(number.addingClamped(-1)))
        case (false, _): cut(isStrict ? .real(bound.real.nextDown) : bound)
        }
    }

    private static func bound(_ constants: [ConstantValue]) -> Bound? {
        switch constants.first {
        case .integer(let number)?: .integer(number)
        case .real(let number)?, .date(let number)?: .real(number)
        case .decimal(let number)?: bound(.decimal(number.description))
        default: nil
        }
    }

    // MARK: Bounds

    private mutating func raise(_ bound: Bound) {
        if type == .string {
            if case .integer(let number) = bound { raiseLength(number) }
        } else if lower.map({ bound.real > $0.real }) ?? true {
            lower = bound
        }
    }

    private mutating func cut(_ bound: Bound) {
        if type == .string {
            if case .integer(let number) = bound { cutLength(number) }
        } else if upper.map({ bound.real < $0.real }) ?? true {
            upper = bound
        }
    }

    private mutating func raiseLength(_ number: Int64) {
        let least = max(lengths.lowerBound, Int(clamping: number))
        guard least <= lengths.upperBound else { return contradict() }
        lengths = least...lengths.upperBound
    }

    private mutating func cutLength(_ number: Int64) {
        let most = min(lengths.upperBound, Int(clamping: number))
        guard most >= lengths.lowerBound else { return contradict() }
        lengths = lengths.lowerBound...most
    }

    private mutating func contradict() { contradiction = "its smallest length is above its largest" }

    /// Returns the range of integers that a type and the bounds allow; nil if there are none.
    func integers(of range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        var (low, high) = (range.lowerBound, range.upperBound)
        switch lower {
        case .integer(let number)?: low = max(low, number)
        case .real(let number)?:
            let whole = number.rounded(.up)
            if whole > -9.2e18 { low = max(low, Int64(exactly: whole) ?? .max) }
        case nil: break
        }
        switch upper {
        case .integer(let number)?: high = min(high, number)
        case .real(let number)?:
            let whole = number.rounded(.down)
            if whole < 9.2e18 { high = min(high, Int64(exactly: whole) ?? .min) }
        case nil: break
        }
        return low <= high ? low...high : nil
    }
}

extension Int64 {
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

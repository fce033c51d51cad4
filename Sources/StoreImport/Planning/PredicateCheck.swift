import KeyedArchives
import ManagedObjectModels
import PredicateExpressions
import SQLiteAccess

/// The regular expression and the validation predicates of one attribute, made ready for a loop.
struct PredicateCheck {
    private let programs: [(program: PredicateProgram, fault: ValidationFault)]
    private let type: AttributeType

    /// Predicates that cannot be evaluated, as text.
    let unknown: [String]

    /// Nil where the attribute has neither. Throws for a regular expression that is none.
    init?(
        _ validation: AttributeValidation, type: AttributeType, localization: LocalizationDictionary?
    ) throws(ImportPlanError) {
        var programs: [(PredicateProgram, ValidationFault)] = []
        var unknown: [String] = []
        var names = ValueNames()
        if let pattern = validation.regularExpression, type == .string {
            let predicate = Predicate.comparison(.evaluatedObject, .matches, .constant(.string(pattern)))
            do {
                programs.append((try predicate.compile(resolving: &names), .patternMismatch))
            } catch {
                throw ImportPlanError(.badPattern(pattern))
            }
        }
        for rule in validation.otherPredicates {
            do {
                let program = try Predicate(format: rule.predicateFormat).compile(resolving: &names)
                let warning = rule.warning.map { localization?.errorString($0) ?? $0 }
                programs.append((program, .predicateFailed(format: rule.predicateFormat, warning: warning)))
            } catch {
                unknown.append(rule.predicateFormat)
            }
        }
        guard !programs.isEmpty || !unknown.isEmpty else { return nil }
        self.programs = programs
        self.type = type
        self.unknown = unknown
    }

    /// The first one that a value fails; what cannot be evaluated for it, it fails.
    func fault(_ value: ConvertedValue, in arena: [UInt8]) -> ValidationFault? {
        guard !programs.isEmpty else { return nil }
        let context = RecordContext([expressionValue(value, arena)])
        return programs.first { (try? $0.program.matches(in: context)) != true }?.fault
    }

    private func expressionValue(_ value: ConvertedValue, _ arena: [UInt8]) -> ExpressionValue {
        switch value {
        case .null: return .null
        case .integer(let number): return type == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): return type == .date ? .date(number) : .real(number)
        case .text(let range):
            let text = String(decoding: arena[range.range], as: UTF8.self)
            switch type {
            case .decimal: return DecimalNumber(text).map { .decimal($0) } ?? .null
            case .uri: return .url(text)
            default: return .string(text)
            }
        case .blob(let range):
            let bytes = Array(arena[range.range])
            return type == .uuid ? .uuid(bytes) : .data(bytes)
        }
    }
}

/// `SELF` is the value; what follows it is a key of that.
private struct ValueNames: NameResolver {
    func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        start == .evaluatedObject ? ResolvedName(slot: 0, keyCount: 0) : nil
    }
}

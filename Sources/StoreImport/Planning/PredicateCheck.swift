import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The regular expression and the validation predicates of one attribute, made ready for a loop.
struct PredicateCheck {
    private let programs: [(program: PredicateProgram, fault: ValidationFault)]
    private let kind: SQLValueKind

    /// Predicates that cannot be evaluated, as text.
    let unknown: [String]

    /// Nil if the attribute has neither. Throws for an invalid regular expression.
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
        kind = StoreSQLSchema.kind(of: type) ?? .data
        self.unknown = unknown
    }

    /// The first one that a value fails; what cannot be evaluated for it, it fails.
    func fault(_ value: ConvertedValue, in arena: [UInt8]) -> ValidationFault? {
        guard !programs.isEmpty else { return nil }
        let context = RecordContext([ExpressionValue(stored: value.sqliteValue(in: arena), kind: kind)])
        return programs.first { (try? $0.program.matches(in: context)) != true }?.fault
    }
}

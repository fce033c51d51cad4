public import ManagedObjectModels
import PersistentStores
import PredicateExpressions
public import SQLiteAccess

/// The rules of the model for one attribute's values, prepared for a loop.
public struct AttributeRules: Sendable {
    /// A rule that cannot be evaluated.
    public struct Unusable: Sendable {
        /// A regular expression, or a predicate in the predicate format language.
        public let text: String

        /// Whether the rule is a regular expression; otherwise it is a predicate.
        public let isPattern: Bool
        /// Why it cannot be evaluated, as a clause.
        public let reason: String
    }

    /// Whether the value is optional.
    public let isOptional: Bool
    let bounds: AttributeBounds?
    let predicates: [PredicateRule]

    /// The regular expression that texts must match.
    let pattern: String?

    /// Rules that cannot be evaluated, so violations are not detected.
    public let unusable: [Unusable]

    /// Prepares the rules of an attribute.
    /// - Parameters:
    ///   - attribute: the attribute.
    ///   - localization: the localized warnings of predicates.
    public init(_ attribute: ResolvedAttribute, localization: LocalizationDictionary? = nil) {
        isOptional = attribute.isOptional
        let validation = attribute.description.validation
        bounds = AttributeBounds(validation, type: attribute.type)
        var predicates: [PredicateRule] = []
        var unusable: [Unusable] = []
        pattern = validation.regularExpression
        let kind = StoreSQLSchema.kind(of: attribute.type) ?? .data
        if let pattern = validation.regularExpression, attribute.type == .string {
            do {
                var names = ValueNames()
                let predicate = Predicate.comparison(.evaluatedObject, .matches, .constant(.string(pattern)))
                let program = try predicate.compile(resolving: &names)
                predicates.append(PredicateRule(program: program, fault: .patternMismatch, kind: kind))
            } catch {
                unusable.append(Unusable(text: pattern, isPattern: true, reason: "\(error)"))
            }
        }
        for rule in validation.otherPredicates {
            do {
                var names = ValueNames()
                let program = try Predicate(format: rule.predicateFormat).compile(resolving: &names)
                let warning = rule.warning.map { localization?.errorString($0) ?? $0 }
                let fault = ValidationFault.predicateFailed(format: rule.predicateFormat, warning: warning)
                predicates.append(PredicateRule(program: program, fault: fault, kind: kind))
            } catch {
                unusable.append(Unusable(text: rule.predicateFormat, isPattern: false, reason: "\(error)"))
            }
        }
        self.predicates = predicates
        self.unusable = unusable
    }

    /// Whether a value can violate a rule.
    public var hasRules: Bool { bounds != nil || !predicates.isEmpty || !unusable.isEmpty }

    /// Returns the rule that a value violates; nil if it is allowed. A predicate that cannot be evaluated counts as
    /// violated.
    ///
    /// - Parameters:
    ///   - value: a value other than NULL.
    ///   - arena: the bytes of texts and blobs.
    public func fault(_ value: ArenaValue, in arena: [UInt8]) -> ValidationFault? {
        if value == .null { return isOptional ? nil : .missing }
        if let fault = bounds?.fault(value, in: arena) { return fault }
        guard !predicates.isEmpty else { return nil }
        let stored = value.sqliteValue(in: arena)
        return predicates.first { $0.holds(for: stored) != true }?.fault
    }
}

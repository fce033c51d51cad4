import SQLiteAccess

extension AttributeRules {
    /// Returns the rules for values other than NULL, as conditions on an SQL value.
    ///
    /// - Parameters:
    ///   - value: the SQL of the value.
    ///   - tests: receives rules that only Swift can evaluate, and those that cannot be evaluated.
    ///   - subject: `Entity.attribute`, for rules that cannot be evaluated.
    ///   - isAsked: returns whether a rule is to be checked.
    public func conditions(
        on value: String, _ tests: ValueTests, subject: String, isAsked: (ValidationFault) -> Bool = { _ in true }
    ) -> [RuleCondition] {
        var result = bounds?.conditions(on: value) ?? []
        for rule in predicates where isAsked(rule.fault) {
            var condition = tests.condition(rule, value, subject: subject)
            var detail: String?
            if case .predicateFailed(let format, _) = rule.fault { detail = format }
            if rule.fault == .patternMismatch {
                condition = "typeof(\(value)) = 'text' AND \(condition)"
                detail = pattern
            }
            result.append(RuleCondition(fault: rule.fault, sql: condition, detail: detail, nearest: nil))
        }
        for rule in unusable
        where isAsked(rule.isPattern ? .patternMismatch : .predicateFailed(format: rule.text, warning: nil)) {
            tests.note(subject, rule.reason)
        }
        return result
    }
}

extension AttributeBounds {
    func conditions(on value: String) -> [RuleCondition] {
        switch self {
        case .integer(let minimum, let maximum):
            Self.numbers(
                value, minimum.map { .integer($0) }, maximum.map { .integer($0) }, .numberTooSmall, .numberTooLarge)
        case .real(let minimum, let maximum):
            Self.numbers(value, Self.real(minimum), Self.real(maximum), .numberTooSmall, .numberTooLarge)
        case .date(let minimum, let maximum):
            Self.numbers(value, Self.real(minimum), Self.real(maximum), .dateTooSoon, .dateTooLate)
        case .text(let minimum, let maximum): Self.lengths(value, minimum, maximum)
        }
    }

    private static func real(_ number: Double?) -> SQLiteValue? {
        number.flatMap { $0.isFinite ? .real($0) : nil }
    }

    private static func numbers(
        _ value: String, _ minimum: SQLiteValue?, _ maximum: SQLiteValue?, _ tooSmall: ValidationFault,
        _ tooLarge: ValidationFault
    ) -> [RuleCondition] {
        let isNumber = "typeof(\(value)) IN ('integer', 'real')"
        var result: [RuleCondition] = []
        if let bound = minimum?.literal {
            result.append(
                RuleCondition(
                    fault: tooSmall, sql: "\(value) < \(bound) AND \(isNumber)", detail: "at least \(bound)",
                    nearest: bound))
        }
        if let bound = maximum?.literal {
            result.append(
                RuleCondition(
                    fault: tooLarge, sql: "\(value) > \(bound) AND \(isNumber)", detail: "at most \(bound)",
                    nearest: bound))
        }
        return result
    }

    /// Returns conditions on a length. A byte is at most one unit, and three bytes are at least one, so most texts need
    /// not be counted.
    private static func lengths(_ value: String, _ minimum: Int64?, _ maximum: Int64?) -> [RuleCondition] {
        let isText = "typeof(\(value)) = 'text'"
        let bytes = "length(CAST(\(value) AS BLOB))"
        var result: [RuleCondition] = []
        if let minimum, minimum > 0 {
            let (least, overflows) = minimum.multipliedReportingOverflow(by: 3)
            let short = "\(bytes) < \(overflows ? .max : least)"
            result.append(
                RuleCondition(
                    fault: .textTooShort, sql: "\(isText) AND \(short) AND \(ValueTests.length(value)) < \(minimum)",
                    detail: "at least \(minimum)", nearest: nil))
        }
        if let maximum, maximum >= 0 {
            result.append(
                RuleCondition(
                    fault: .textTooLong,
                    sql: "\(isText) AND \(bytes) > \(maximum) AND \(ValueTests.length(value)) > \(maximum)",
                    detail: "at most \(maximum)", nearest: nil))
        }
        return result
    }
}

import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The checks of one attribute's values: its type, its rules, its bytes.
struct ValueChecks {
    let content: ContentChecks
    let tests: ValueTests
    let external: ExternalFiles

    /// Transformers that archive values; what others make nobody here can decode.
    private static let archivers: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromData",
        "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    ]

    /// - Parameters:
    ///   - value: the column.
    ///   - rows: SQL for the rows that have the attribute, with `AND` behind it.
    func checks(of attribute: ResolvedAttribute, _ value: String, _ rows: String) -> [RowCheck] {
        let subject = "\(content.model.entities[attribute.owner].name).\(attribute.name)"
        var result: [RowCheck] = []
        func add(_ rule: VerificationRule, _ condition: String, detail: String? = nil, code: Int? = nil) {
            guard content.verifier.isAsked(rule) else { return }
            result.append(
                RowCheck(rule: rule, subject: subject, detail: detail, cocoaCode: code, condition: rows + "(\(condition))"))
        }
        if !attribute.isOptional, !attribute.isDerived { add(.missingValue, "\(value) IS NULL") }
        if let classes = Self.wrongClass(attribute.type, value) {
            add(.wrongStorageClass, classes, detail: "the type is \(attribute.type.name)")
        }
        if let range = Self.outOfRange(attribute.type, value) {
            add(.numberOutOfRange, range, detail: "the type is \(attribute.type.name)")
        }
        bounds(attribute, value, subject, add)
        if let expression = DerivedAttributeTriggers(layout: content.layout).values[attribute.key] {
            add(.derivedValueStale, "\(value) IS NOT (\(expression))", detail: attribute.description.derivationExpression)
        }
        if attribute.type == .uuid { add(.undecodableValue, "typeof(\(value)) = 'blob' AND length(\(value)) <> 16") }
        if attribute.description.allowsExternalBinaryDataStorage, [.binaryData, .transformable].contains(attribute.type) {
            result += externalChecks(value, rows, subject)
        } else if attribute.type == .transformable, isArchived(attribute), content.verifier.isAsked(.undecodableValue) {
            add(.undecodableValue, "typeof(\(value)) = 'blob' AND \(tests.condition(noArchive: value))")
        }
        return result
    }

    private func isArchived(_ attribute: ResolvedAttribute) -> Bool {
        attribute.description.valueTransformerName.map(Self.archivers.contains) ?? true
    }

    private static func wrongClass(_ type: AttributeType, _ value: String) -> String? {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: "\(value) IS NOT NULL AND typeof(\(value)) <> 'integer'"
        case .double, .float, .date: "\(value) IS NOT NULL AND typeof(\(value)) NOT IN ('real', 'integer')"
        // SPEC B.12: what is no number is the text NaN.
        case .decimal: "\(value) IS NOT NULL AND typeof(\(value)) NOT IN ('real', 'integer') AND \(value) IS NOT 'NaN'"
        case .string, .uri: "\(value) IS NOT NULL AND typeof(\(value)) <> 'text'"
        case .uuid, .binaryData, .transformable: "\(value) IS NOT NULL AND typeof(\(value)) <> 'blob'"
        case .undefined, .objectID, .composite: nil
        }
    }

    private static func outOfRange(_ type: AttributeType, _ value: String) -> String? {
        switch type {
        case .boolean: "(\(value) < 0 OR \(value) > 1) AND typeof(\(value)) = 'integer'"
        case .integer16, .integer32:
            type.integerRange.map {
                "(\(value) < \($0.lowerBound) OR \(value) > \($0.upperBound)) AND typeof(\(value)) = 'integer'"
            }
        // The largest number of single precision.
        case .float: "abs(\(value)) > 3.4028234663852886e38 AND typeof(\(value)) = 'real'"
        default: nil
        }
    }

    private typealias Adding = (VerificationRule, String, String?, Int?) -> Void

    private func bounds(_ attribute: ResolvedAttribute, _ value: String, _ subject: String, _ add: Adding) {
        let validation = attribute.description.validation
        if attribute.type == .string {
            lengths(validation, value, add)
            if let pattern = validation.regularExpression, content.verifier.isAsked(.patternMismatch) {
                let predicate = Predicate.comparison(.evaluatedObject, .matches, .constant(.string(pattern)))
                let condition = tests.condition(failing: predicate, value, of: attribute, subject: subject)
                if let condition { add(.patternMismatch, "typeof(\(value)) = 'text' AND \(condition)", pattern, nil) }
            }
        } else {
            let isNumber = "typeof(\(value)) IN ('integer', 'real')"
            let isDate = attribute.type == .date
            if let minimum = validation.minimum.flatMap(Self.literal) {
                add(.belowMinimum, "\(value) < \(minimum) AND \(isNumber)", "at least \(minimum)", isDate ? 1640 : nil)
            }
            if let maximum = validation.maximum.flatMap(Self.literal) {
                add(.aboveMaximum, "\(value) > \(maximum) AND \(isNumber)", "at most \(maximum)", isDate ? 1630 : nil)
            }
        }
        guard content.verifier.isAsked(.predicateFailed) else { return }
        for other in validation.otherPredicates {
            do {
                let predicate = try Predicate(format: other.predicateFormat)
                if let condition = tests.condition(failing: predicate, value, of: attribute, subject: subject) {
                    add(.predicateFailed, condition, other.predicateFormat, other.warning.flatMap { Int($0) })
                }
            } catch {
                tests.note(subject, "\(error)")
            }
        }
    }

    /// Lengths count UTF-16 units. A byte is one at the most, and three bytes are one at the least: so that most texts
    /// need no counting.
    private func lengths(_ validation: AttributeValidation, _ value: String, _ add: Adding) {
        let isText = "typeof(\(value)) = 'text'"
        let bytes = "length(CAST(\(value) AS BLOB))"
        if case .integer(let minimum)? = validation.minimum, minimum > 0 {
            let short = "\(bytes) < \(minimum.multipliedReportingOverflow(by: 3).partialValue)"
            add(
                .textTooShort, "\(isText) AND \(short) AND \(ValueTests.length(value)) < \(minimum)", "at least \(minimum)",
                nil)
        }
        if case .integer(let maximum)? = validation.maximum, maximum >= 0 {
            add(
                .textTooLong, "\(isText) AND \(bytes) > \(maximum) AND \(ValueTests.length(value)) > \(maximum)",
                "at most \(maximum)", nil)
        }
    }

    private static func literal(_ value: AttributeValue) -> String? {
        switch value {
        case .integer(let number): SQLiteValue.integer(number).literal
        case .real(let number), .date(let number): number.isFinite ? SQLiteValue.real(number).literal : nil
        case .decimal(let digits): Double(digits).map { SQLiteValue.real($0).literal }
        default: nil
        }
    }

    /// SPEC B.6: 01 and the data, or 02, the name of a file and 00.
    private func externalChecks(_ value: String, _ rows: String, _ subject: String) -> [RowCheck] {
        let isName = "substr(\(value), 1, 1) = X'02' AND length(\(value)) = 38 AND substr(\(value), 38, 1) = X'00'"
        var result: [RowCheck] = []
        if content.verifier.isAsked(.externalValueMalformed) {
            result.append(
                RowCheck(
                    rule: .externalValueMalformed, subject: subject,
                    condition: "\(rows)typeof(\(value)) = 'blob' AND substr(\(value), 1, 1) <> X'01' AND NOT (\(isName))"))
        }
        let rules: [VerificationRule] = [
            .externalValueMalformed, .externalFileMissing, .externalFileEmpty, .externalFileUnused,
        ]
        if rules.contains(where: content.verifier.isAsked) {
            result.append(
                RowCheck(
                    rule: .externalFileMissing, subject: subject,
                    condition: "\(rows)typeof(\(value)) = 'blob' AND \(isName)",
                    inspection: ("substr(\(value), 2, 36)", { [external, content] name in
                        external.rule(forFileNamed: name).flatMap { content.verifier.isAsked($0) ? $0 : nil }
                    })))
        }
        return result
    }
}

import ManagedObjectModels
import ObjectValidation
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The checks of one attribute's values: type, rules, and bytes.
struct ValueChecks {
    let content: ContentChecks
    let tests: ValueTests
    let external: ExternalFileInventory

    /// - Parameters:
    ///   - table: the table's name in quotes.
    ///   - rows: the SQL condition for the rows that have the attribute, followed by `AND`.
    func checks(
        of attribute: ResolvedAttribute, _ column: EntityColumn, _ table: String, _ rows: String
    ) -> [RowCondition] {
        let subject = "\(content.model.entities[attribute.owner].name).\(attribute.name)"
        let name = SQLiteIdentifier.quoted(column.name)
        let value = "\(table).\(name)"
        var result: [RowCondition] = []
        func add(
            _ rule: VerificationRule, _ condition: String, detail: String? = nil, code: Int? = nil,
            repair: String? = nil
        ) {
            result.append(
                RowCondition(
                    rule: rule, subject: subject, detail: detail, cocoaCode: code, condition: rows + "(\(condition))",
                    repair: repair.map { .set(name, $0) }))
        }
        let type = attribute.type
        let none = attribute.isOptional ? "NULL" : nil
        if !attribute.isOptional, !attribute.isDerived {
            let initial = StoredValue.defaultValue(of: attribute)
            add(.missingValue, "\(value) IS NULL", repair: initial.isNull ? nil : initial.literal)
        }
        if let classes = Self.wrongClass(type, value) {
            add(
                .wrongStorageClass, classes, detail: "the type is \(type.name)",
                repair: Self.conversion(to: type, of: name))
        }
        if let range = Self.outOfRange(type, value) {
            let nearest = type.integerRange.map { "max(min(\(name), \($0.upperBound)), \($0.lowerBound))" }
            add(
                .numberOutOfRange, range, detail: "the type is \(type.name)",
                repair: type == .boolean ? "1" : nearest)
        }
        let rules = AttributeRules(attribute).conditions(on: value, tests, subject: subject) {
            content.verifier.isAsked(VerificationRule($0))
        }
        for rule in rules {
            add(
                VerificationRule(rule.fault), rule.sql, detail: rule.detail, code: rule.fault.code, repair: rule.nearest
            )
        }
        if let expression = content.derivedValues[attribute.key] {
            add(
                .derivedValueStale, "\(value) IS NOT (\(expression))",
                detail: attribute.description.derivationExpression, repair: expression)
        }
        if type == .uuid {
            add(.undecodableValue, "typeof(\(value)) = 'blob' AND length(\(value)) <> 16", repair: none)
        }
        if attribute.description.hasExternalData {
            external(value, none, add)
        }
        if attribute.description.isKeyedArchive {
            let test = ArchiveTest(attribute.description, content.verifier.files)
            func condition(_ rule: VerificationRule) -> String {
                "typeof(\(value)) = 'blob' AND \(tests.condition(rule, ofArchive: value, test))"
            }
            if content.verifier.isAsked(.undecodableValue) {
                add(.undecodableValue, condition(.undecodableValue), repair: none)
            }
            if let allowed = test.allowed, content.verifier.isAsked(.archivedClassWrong) {
                add(.archivedClassWrong, condition(.archivedClassWrong), detail: allowed)
                result[result.count - 1].found = { "found \(test.foundClasses.joined(separator: ", "))" }
            }
        }
        return result
    }

    /// Returns the SQL that converts a value of the wrong class without losing bytes; nil if there is none.
    private static func conversion(to type: AttributeType, of column: String) -> String? {
        switch type {
        case .string, .uri: "CAST(\(column) AS TEXT)"
        case .binaryData, .transformable, .uuid: "CAST(\(column) AS BLOB)"
        default: nil
        }
    }

    private static func wrongClass(_ type: AttributeType, _ value: String) -> String? {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: "\(value) IS NOT NULL AND typeof(\(value)) <> 'integer'"
        // SQLite sorts numbers before texts, and texts before blobs: comparisons are cheaper than comparing names of
        // classes.
        case .double, .float, .date: "\(value) >= ''"
        // docs/format/sqlite-store.md#entity-tables: a decimal that is not a number is the text NaN.
        case .decimal: "\(value) >= '' AND \(value) IS NOT 'NaN'"
        case .string, .uri: "\(value) < '' OR \(value) >= X''"
        case .uuid, .binaryData, .transformable: "\(value) < X''"
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
        // The largest single-precision number. Infinity stays infinity in single precision.
        case .float: "abs(\(value)) > 3.4028234663852886e38 AND abs(\(value)) < 9e999 AND typeof(\(value)) = 'real'"
        default: nil
        }
    }

    private typealias Adding = (VerificationRule, String, String?, Int?, String?) -> Void

    /// Adds the checks of external data, docs/format/sqlite-store.md#external-binary-data: 01 and the data, or 02, the
    /// name of a file and 00.
    private func external(_ value: String, _ none: String?, _ add: Adding) {
        let isBytes = "typeof(\(value)) = 'blob'"
        let isName = "substr(\(value), 1, 1) = X'02' AND length(\(value)) = 38 AND substr(\(value), 38, 1) = X'00'"
        func test(_ rule: VerificationRule) -> String {
            tests.condition(rule, ofFileNamed: "substr(\(value), 2, 36)", in: external)
        }
        // SQLite's substr returns NULL for an empty blob.
        add(
            .externalValueMalformed,
            "\(isBytes) AND (length(\(value)) = 0 OR substr(\(value), 1, 1) <> X'01' "
                + "AND (NOT (\(isName)) OR \(test(.externalValueMalformed))))", nil, nil, none)
        add(.externalFileMissing, "\(isBytes) AND \(isName) AND \(test(.externalFileMissing))", nil, nil, none)
        add(.externalFileEmpty, "\(isBytes) AND \(isName) AND \(test(.externalFileEmpty))", nil, nil, nil)
    }
}

import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess
import Testing

/// Each rule of an attribute, for a value in memory and for the same value in a row.
@Suite struct AttributeRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let type: AttributeType
        let validation: AttributeValidation
        let value: SQLiteValue
        /// Cocoa's number; nil for a value that is allowed.
        let code: Int?
        var testDescription: String { "\(type.name) \(value) \(validation)" }
    }

    private static func bounds(_ minimum: AttributeValue?, _ maximum: AttributeValue?) -> AttributeValidation {
        AttributeValidation(minimum: minimum, maximum: maximum)
    }

    private static let even = AttributeValidation(otherPredicates: [
        ValidationPredicate(predicateFormat: "modulus:by:(SELF, 2) == 0", warning: "odd")
    ])

    private static let numbered = AttributeValidation(otherPredicates: [
        ValidationPredicate(predicateFormat: "SELF != 13", warning: "1620")
    ])

    @Test(arguments: [
        Case(type: .integer16, validation: bounds(.integer(0), .integer(65)), value: .integer(65), code: nil),
        Case(type: .integer16, validation: bounds(.integer(0), .integer(65)), value: .integer(66), code: 1610),
        Case(type: .integer16, validation: bounds(.integer(0), .integer(65)), value: .integer(-1), code: 1620),
        // A bound between two integers.
        Case(type: .integer64, validation: bounds(.real(1.5), .real(3.5)), value: .integer(1), code: 1620),
        Case(type: .integer64, validation: bounds(.real(1.5), .real(3.5)), value: .integer(2), code: nil),
        Case(type: .integer64, validation: bounds(.real(1.5), .real(3.5)), value: .integer(4), code: 1610),
        Case(type: .integer64, validation: bounds(nil, .real(1e30)), value: .integer(.max), code: nil),
        Case(type: .double, validation: bounds(.real(0.5), nil), value: .real(0.4), code: 1620),
        Case(type: .decimal, validation: bounds(nil, .decimal("2.5")), value: .real(2.6), code: 1610),
        Case(type: .decimal, validation: bounds(nil, .decimal("2.5")), value: .integer(2), code: nil),
        Case(type: .date, validation: bounds(.date(0), .date(10)), value: .real(-1), code: 1640),
        Case(type: .date, validation: bounds(.date(0), .date(10)), value: .real(11), code: 1630),
        // Lengths are those of UTF-16.
        Case(type: .string, validation: bounds(.integer(2), .integer(4)), value: .string("ü"), code: 1670),
        Case(type: .string, validation: bounds(.integer(2), .integer(4)), value: .string("🐕"), code: nil),
        Case(type: .string, validation: bounds(.integer(2), .integer(4)), value: .string("🐕🐕x"), code: 1660),
        Case(
            type: .string, validation: AttributeValidation(regularExpression: "[a-z]+"), value: .string("ab1"),
            code: 1680),
        Case(
            type: .string, validation: AttributeValidation(regularExpression: "[a-z]+"), value: .string("ab"), code: nil
        ),
        Case(type: .integer32, validation: even, value: .integer(3), code: 1550),
        Case(type: .integer32, validation: even, value: .integer(4), code: nil),
        Case(type: .integer32, validation: numbered, value: .integer(13), code: 1620),
    ])
    func aValueInMemoryAndInARowBreakTheSameRule(test: Case) throws {
        let rules = try rules(test.type, test.validation)
        var arena: [UInt8] = [0x78]
        let value: ArenaValue
        switch test.value {
        case .integer(let number): value = .integer(number)
        case .real(let number): value = .real(number)
        case .text(let bytes):
            arena += bytes
            value = .text(ArenaRange(start: 1, count: bytes.count))
        default: value = .null
        }
        #expect(rules.fault(value, in: arena)?.code == test.code)

        let connection = try Connection(path: ":memory:", access: .create)
        let tests = try ValueTests(connection)
        try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (\(test.value.literal)), (NULL)")
        let conditions = rules.conditions(on: "t.v", tests, subject: "E.a")
        let broken = try conditions.filter {
            try connection.value("SELECT count(*) FROM t WHERE \($0.sql)").integer != 0
        }
        #expect(broken.map(\.fault.code) == (test.code.map { [$0] } ?? []))
        #expect(tests.unchecked.isEmpty)
    }

    @Test func aRequiredAttributeNeedsAValue() throws {
        let attribute = try attribute(.integer16, AttributeValidation(), isOptional: false)
        #expect(AttributeRules(attribute).fault(.null, in: []) == .missing)
        #expect(ValidationFault.missing.code == 1570)
    }

    @Test func aRuleThatCannotBeReadIsSaid() throws {
        let validation = AttributeValidation(
            regularExpression: "[", otherPredicates: [ValidationPredicate(predicateFormat: "SELF ===")])
        let rules = try rules(.string, validation)
        #expect(rules.unusable.map(\.text) == ["[", "SELF ==="])
        #expect(rules.unusable.map(\.isPattern) == [true, false])
    }

    @Test func theWarningOfAPredicateIsLocalized() throws {
        let localization = LocalizationDictionary(entries: ["ErrorString/odd": "must be even"])
        let attribute = try attribute(.integer16, Self.even, isOptional: true)
        let fault = AttributeRules(attribute, localization: localization).fault(.integer(1), in: [])
        #expect(fault?.sentence == "must be even (the model's rule is modulus:by:(SELF, 2) == 0)")
    }

    private func rules(_ type: AttributeType, _ validation: AttributeValidation) throws -> AttributeRules {
        AttributeRules(try attribute(type, validation, isOptional: true))
    }

    private func attribute(
        _ type: AttributeType, _ validation: AttributeValidation, isOptional: Bool
    ) throws -> ResolvedAttribute {
        var attribute = AttributeDescription(name: "a", type: type, isOptional: isOptional)
        attribute.validation = validation
        let model = try ResolvedModel(
            ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: [attribute])]))
        return try #require(model.entities[0].attribute(named: "a"))
    }
}

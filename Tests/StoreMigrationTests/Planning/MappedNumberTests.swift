import GeneratedStores
import KeyedArchives
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import Testing

/// Numbers that a mapping model computes, of which an attribute does not keep all: each is found before anything is
/// written, whoever computes it.
@Suite struct MappedNumberTests {
    private static let old = [
        entity(
            "Number",
            [
                attribute("decimal", .decimal), attribute("digits"), attribute("double", .double), attribute("text"),
                attribute("whole", .integer64),
            ],
            [relationship("next", to: "Number", inverse: "last"), relationship("last", to: "Number", inverse: "next")]
        )
    ]
    private static let new = [
        entity(
            "Number",
            [
                attribute("decimal", .decimal), attribute("double", .double), attribute("flag", .boolean),
                attribute("single", .float), attribute("small", .integer16), attribute("whole", .integer64),
            ])
    ]

    /// Seven rows, so that batches of three end in the middle. Each number stands there as a double and as a text.
    private static let doubles = ["1e308", "0.1", "2", "-3.5", nil, "-9.3e18", "32767.5"]
    private static let digits = [
        "1.234567890123456789012345", "12345678901234567890123", "0.1", "1e22", "123456789012345678",
        "100.00000000000000000000", "-0.10000000000000000001",
    ]

    private static func store() throws -> TestStore {
        try TestStore(
            from: old, to: new,
            rows: zip(doubles, digits).enumerated().map { index, values in
                let double = values.0.map { "\($0), '\($0)'" } ?? "NULL, NULL"
                return "INSERT INTO ZNUMBER (Z_PK, Z_ENT, Z_OPT, ZDOUBLE, ZTEXT, ZDIGITS, ZDECIMAL, ZWHOLE, ZNEXT) "
                    + "VALUES (\(index + 1), 1, 1, \(double), '\(values.1)', 12.5, \(index), \(index + 2));\n"
            }.joined())
    }

    private static func mapping(_ name: String, _ expression: String, policy: String? = nil) -> MappingModel {
        MappingModel(entityMappings: [
            EntityMapping(
                name: "Numbers", type: .undefined, sourceEntityName: "Number", destinationEntityName: "Number",
                attributeMappings: [PropertyMapping(name: name, valueExpression: expression)]
                    + ["decimal", "double", "whole"].filter { $0 != name }.map { PropertyMapping(name: $0) },
                migrationPolicyClassName: policy)
        ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let attribute: String
        let expressions: [String]
        let found: [String]
        var testDescription: String { "\(attribute): \(expressions)" }
    }

    private static let range = "error value-out-of-range"
    private static let narrowed = "warning number-narrowed"
    private static let rounded = "warning decimal-rounded"
    private static let asNumber = "CAST($source.text, 'NSNumber')"

    /// What SQL computes, and the same as Swift does.
    @Test(arguments: [
        Case(
            attribute: "whole", expressions: ["$source.double", asNumber, "$source.double * 1", asNumber + " * 1"],
            found: [range + " 2 p1 p6", narrowed + " 3 p2 p4 p7"]),
        Case(
            attribute: "small", expressions: ["$source.double", asNumber],
            found: [range + " 2 p1 p6", narrowed + " 3 p2 p4 p7"]),
        Case(
            attribute: "flag", expressions: ["$source.double", asNumber], found: [narrowed + " 6 p1 p2 p3"]),
        Case(attribute: "flag", expressions: ["$source.whole"], found: [narrowed + " 5 p3 p4 p5"]),
        Case(attribute: "flag", expressions: ["0.5"], found: [narrowed + " 7 p1 p2 p3"]),
        Case(
            attribute: "single", expressions: ["$source.double", asNumber], found: [range + " 1 p1"]),
        Case(
            attribute: "double", expressions: ["$source.double * 10", asNumber + " * 10"], found: [range + " 1 p1"]),
        Case(attribute: "double", expressions: ["$source.double", "$source.next.double", asNumber], found: []),
        Case(
            attribute: "double", expressions: ["1e308 * 10", "1e308 * CAST('10', 'NSNumber')"],
            found: [range + " 7 p1 p2 p3"]),
        Case(attribute: "whole", expressions: ["1e19", "-1e300"], found: [range + " 7 p1 p2 p3"]),
        Case(attribute: "whole", expressions: ["9223372036854775807", "1e18", "$source.whole + 7"], found: []),
        Case(attribute: "small", expressions: ["3.7"], found: [narrowed + " 7 p1 p2 p3"]),
        Case(attribute: "small", expressions: ["40000"], found: [range + " 7 p1 p2 p3"]),
        Case(attribute: "small", expressions: ["$source.whole + 32766"], found: [range + " 5 p3 p4 p5"]),
        Case(attribute: "small", expressions: ["trunc:($source.whole / 2.0)"], found: []),
        Case(attribute: "decimal", expressions: ["1e200", "1e155 * 1e45"], found: [range + " 7 p1 p2 p3"]),
        Case(attribute: "decimal", expressions: ["$source.double", asNumber], found: [range + " 1 p1"]),
        Case(
            attribute: "decimal", expressions: ["CAST($source.digits, 'NSDecimalNumber')"],
            found: [rounded + " 3 p1 p2 p7"]),
        Case(
            attribute: "decimal",
            expressions: [
                "CAST('1.23456789012345678901', 'NSDecimalNumber')", "1.23456789012345678901", "12345678901234567890",
            ], found: [rounded + " 7 p1 p2 p3"]),
        Case(
            attribute: "decimal",
            expressions: ["$source.decimal * 3", "CAST('0.1', 'NSDecimalNumber') + 0.2", "$source.whole"], found: []),
        Case(
            attribute: "whole", expressions: ["$source.decimal", "$source.decimal + 0"],
            found: [narrowed + " 7 p1 p2 p3"]),
    ])
    func whatAnAttributeDoesNotKeepIsFoundBefore(example: Case) throws {
        for expression in example.expressions {
            let store = try Self.store()
            let mapping = Self.mapping(example.attribute, expression)
            let plan = try store.plan(by: mapping, .refuse)
            let found = plan.findings.filter { $0.severity != .note }
            #expect(
                found.map { finding in
                    let keys = finding.examples.map { " p" + ($0.split(separator: "/p").last ?? "") }.joined()
                    return "\(finding.severity.rawValue) \(finding.code) \(finding.count ?? 0)\(keys)"
                } == example.found, "\(expression)")
            #expect(found.allSatisfy { $0.subject == "Number.\(example.attribute)" }, "\(expression)")
            #expect(found.allSatisfy { $0.values?.count == $0.examples.count }, "\(expression)")
            if plan.isRefused {
                #expect(throws: MigrationError.self) { try store.migrate(by: mapping, .refuse) }
                #expect(try store.rows("SELECT count(*) FROM ZNUMBER WHERE ZDOUBLE = 1e308") == ["1"])
            }
        }
    }

    /// What is only counted is cut off or rounded in the same way by both writers, in batches of three.
    @Test(arguments: [
        ("small", "floor:($source.whole / 2.0) + 0.75", ["0", "0", "1", "1", "2", "2", "3"]),
        ("small", "CAST('-' + CAST($source.whole, 'NSString') + '.9', 'NSNumber')", (0..<7).map { "\(-$0)" }),
        ("flag", "$source.whole - 1", ["1", "0", "1", "1", "1", "1", "1"]),
        (
            "decimal", "CAST($source.digits, 'NSDecimalNumber')",
            digits.map { text in Int64(text).map { "\($0)" } ?? (Double(text) == 100 ? "100" : "\(Double(text) ?? 0)") }
        ),
    ])
    func whatIsOnlyCountedIsWritten(attribute: String, expression: String, values: [String]) throws {
        for writer in [NewStoreWriter.sqlite, .auto] {
            let store = try Self.store()
            var options = MigrationOptions(limits: BatchLimits(rows: 3), verifiesFully: true)
            options.writer = writer
            let report = try store.migrate(
                by: Self.mapping(attribute, expression), PolicyRegistry(), options: options)
            let code = attribute == "decimal" ? "decimal-rounded" : "number-narrowed"
            let found = report.findings.filter { $0.severity != .note }
            #expect(found.map(\.code) == [code] && found.map(\.severity) == [.warning])
            let column = attribute.uppercased()
            #expect(try store.rows("SELECT Z\(column) FROM ZNUMBER ORDER BY Z_PK") == values, "\(expression)")
        }
    }

    private final class Fractions: EntityMigrationPolicy {
        override func value(
            ofMethod name: String, _ arguments: [AttributeValue?], for source: SourceObject,
            in context: MigrationContext
        ) throws -> AttributeValue? {
            name == "large:" ? .integer(40_000) : name == "cut:" ? .real(1.5) : .real(2)
        }
    }

    /// A policy may give other values than the mapping does, and so what the mapping gives is a warning.
    @Test func whatAPolicyIsProposedIsSaid() throws {
        let store = try Self.store()
        var policies = PolicyRegistry()
        policies.register(Fractions.self, as: "App.Fractions")
        let plan = try store.plan(
            by: Self.mapping("whole", "$source.double", policy: "App.Fractions"), .refuse, policies: policies)
        #expect(plan.findings.map(\.code) == ["value-out-of-range", "number-narrowed"])
        #expect(plan.severity == .warning && plan.findings.map(\.count) == [2, 3])
        #expect(plan.findings.allSatisfy { $0.message.contains("unless the policy gives another") })
    }

    @Test(arguments: [("large:", "the integer 40000"), ("cut:", "the real 1.5"), ("fits:", nil)])
    func whatAPolicyComputesInAnExpressionHasToFit(selector: String, refused: String?) throws {
        let store = try Self.store()
        var policies = PolicyRegistry()
        policies.register(Fractions.self, as: "App.Fractions")
        let mapping = Self.mapping(
            "small", "FUNCTION($entityPolicy, \"\(selector)\", $source.whole)", policy: "App.Fractions")
        guard let refused else {
            try store.migrate(by: mapping, .refuse, policies: policies)
            #expect(try store.rows("SELECT DISTINCT ZSMALL FROM ZNUMBER") == ["2"])
            return
        }
        let error = #expect(throws: MigrationError.self) {
            try store.migrate(by: mapping, .refuse, policies: policies)
        }
        #expect(error.map { "\($0)".contains("cannot take \(refused)") && "\($0)".contains("/Number/p1") } ?? false)
    }
}

import GeneratedStores
import ManagedObjectModels
import StoreFixtures
import TestSupport
import Testing

/// Models at random, with rules at random: whatever objects there are keep them.
@Suite struct RandomFixtureTests {
    @Test(.long, arguments: 1...60) func everyRuleIsKept(_ seed: UInt64) throws {
        var models = RandomModel(seed: seed)
        var model = models.model()
        var random = RandomNumbers(seed: seed &* 77)
        for index in model.entities.indices {
            for place in model.entities[index].attributes.indices {
                tighten(&model.entities[index].attributes[place], &random)
            }
            for place in model.entities[index].relationships.indices {
                tighten(&model.entities[index].relationships[place], &random)
            }
        }
        let folder = try FixtureFolder()
        let report = try folder.make(model, rows: 3 + Int(seed % 30), seed: seed)
        #expect(try folder.faults(model) == [], "\(report)")
        // Rules may rule out some entities, but seldom most of them.
        #expect(report.objects > 0 || report.findings.contains { $0.code == .noObjects })
    }

    private func tighten(_ attribute: inout AttributeDescription, _ random: inout RandomNumbers) {
        if attribute.derivationExpression == nil, Int.random(in: 0..<2, using: &random) == 0 {
            attribute.isOptional = false
        }
        guard Int.random(in: 0..<2, using: &random) == 0 else { return }
        let low = Int64.random(in: -50...50, using: &random)
        let high = low + Int64.random(in: 0...40, using: &random)
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            attribute.validation = AttributeValidation(minimum: .integer(low), maximum: .integer(high))
        case .double, .float: attribute.validation = AttributeValidation(minimum: .real(Double(low) + 0.3))
        case .decimal: attribute.validation = AttributeValidation(maximum: .decimal("\(high).25"))
        case .date: attribute.validation = AttributeValidation(minimum: .date(Double(low) * 1e7))
        case .string:
            attribute.validation =
                low % 2 == 0
                ? AttributeValidation(minimum: .integer(max(0, low)), maximum: .integer(max(0, high)))
                : AttributeValidation(regularExpression: "[a-z]{2}(-[0-9]+)?( (x|yy|zzz))*")
        default: break
        }
        attribute.defaultValue = nil
    }

    private func tighten(_ relationship: inout RelationshipDescription, _ random: inout RandomNumbers) {
        if Int.random(in: 0..<3, using: &random) == 0 { relationship.isOptional = false }
        guard relationship.isToMany, Int.random(in: 0..<2, using: &random) == 0 else { return }
        relationship.minimumCount = Int.random(in: 0...3, using: &random)
        let width = Int.random(in: 0...3, using: &random)
        relationship.maximumCount = Bool.random(using: &random) ? 0 : relationship.minimumCount + width
    }
}

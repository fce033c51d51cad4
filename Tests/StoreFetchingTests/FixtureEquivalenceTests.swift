import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching
import TestSupport
import Testing

/// Random requests over made-up stores of several models: what SQL finds is what Swift finds.
@Suite struct FixtureEquivalenceTests {
    /// Models with inheritance, many-to-many, ordered and reflexive relationships.
    static let models = [
        "Company/Company.xcdatamodeld", "Recipes/Recipes.xcdatamodeld", "Mappings/Transit/Transit.xcdatamodel",
        "Mappings/StreetMap/StreetMap.xcdatamodel", "Mappings/Atlas/Atlas.xcdatamodel",
    ]

    /// How many requests there are of each entity; more by hand, in the environment's FERRY_EQUIVALENCE_ROUNDS.
    private static let rounds =
        TestSettings.number("FERRY_EQUIVALENCE_ROUNDS", default: 12)

    private func results(
        _ request: FetchRequest, _ sample: OpenedSample, _ evaluation: FetchEvaluation = .automatic
    ) -> [String] {
        do {
            return try sample.lines(request, evaluation)
        } catch {
            return ["no results"]
        }
    }

    @Test(.long, arguments: models) func predicatesThroughSeveralToManySteps(model: String) throws {
        var found = 0
        for seed in 1...UInt64(max(1, Self.rounds / 100)) {
            let sample = try OpenedSample.fixture(model, rows: 14, seed: seed)
            for entity in sample.model.entities {
                var generator = PredicateGenerator(sample, seed: seed * 1000 + UInt64(entity.slot))
                for _ in 0..<min(100, Self.rounds) {
                    var request = FetchRequest(
                        entityName: entity.name, predicate: try generator.predicate(entity.slot, depth: 3))
                    request.resultType = .objectIDs
                    let inSQL = results(request, sample)
                    let inSwift = results(request, sample, .inSwift)
                    #expect(inSQL == inSwift, "\(entity.name) seed \(seed): \(request.predicate?.format ?? "")")
                    found += inSQL.count
                }
            }
        }
        #expect(found > 0)
    }

    @Test(arguments: models) func orderLimitsDistinctResultsAndGroups(model: String) throws {
        var found = 0
        for seed in 1...UInt64(max(1, Self.rounds / 100)) {
            let sample = try OpenedSample.fixture(model, rows: 14, seed: seed)
            for entity in sample.model.entities {
                var generator = RequestGenerator(sample, seed: seed * 1000 + UInt64(entity.slot))
                for _ in 0..<min(100, Self.rounds) {
                    let request = try generator.request(entity)
                    let made = try sample.values(request).map { "\($0)" }
                    let expected = try RequestReference(request, sample).lines()
                    #expect(made == expected, "\(request)")
                    found += made.count
                }
            }
        }
        #expect(found > 0)
    }
}

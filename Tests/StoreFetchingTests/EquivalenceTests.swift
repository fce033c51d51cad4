import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching
import TestSupport
import Testing

/// SQL and Swift find the same objects.
@Suite struct EquivalenceTests {
    /// The objects that satisfy a predicate, or the error of a predicate that has no meaning.
    private func found(_ predicate: FormatPredicate, _ slot: Int, _ sample: OpenedSample, _ evaluation: FetchEvaluation)
        -> [String]
    {
        var request = FetchRequest(entityName: sample.model.entities[slot].name, predicate: predicate)
        request.resultType = .objectIDs
        do {
            return try sample.lines(request, evaluation)
        } catch {
            return ["no results"]
        }
    }

    private func compare(_ sample: OpenedSample, slot: Int, count: Int, seed: UInt64) throws -> Int {
        var generator = PredicateGenerator(sample, seed: seed)
        var satisfied = 0
        for _ in 0..<count {
            let predicate = try generator.predicate(slot, depth: 3)
            let inSQL = found(predicate, slot, sample, .automatic)
            let inSwift = found(predicate, slot, sample, .inSwift)
            #expect(
                inSQL == inSwift, "\(sample.store.files.name) \(sample.model.entities[slot].name): \(predicate.format)")
            satisfied += inSQL.count
        }
        return satisfied
    }

    @Test(.long, arguments: 0..<6) func generatedPredicatesFindTheSameInSQLAndInSwift(slot: Int) throws {
        let sample = try OpenedSample.company()
        let slot = slot % sample.model.entities.count
        #expect(try compare(sample, slot: slot, count: 60, seed: UInt64(slot) + 1) > 0)
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not beside the project"))
    func generatedPredicatesFindTheSameInStoresOfTheCorpus() throws {
        let stores = Corpus.files(under: "3_stores") { $0.hasSuffix(".sqlite") || $0.hasSuffix(".db") }
        var compared = 0
        for (number, path) in stores.enumerated() where number % 8 == 0 && (FileSystem.size(path) ?? 0) < 2 << 20 {
            guard let sample = try OpenedSample(carryingModel: path) else { continue }
            for root in sample.model.rootSlots {
                let table = sample.layout.table(ofEntity: root)?.name ?? ""
                let rows = try sample.store.connection.value("SELECT count(*) FROM \"\(table)\"").integer ?? 0
                guard rows > 0, rows < 200 else { continue }
                _ = try compare(sample, slot: root, count: 2, seed: UInt64(number))
                compared += 1
            }
        }
        #expect(compared > 3)
    }
}

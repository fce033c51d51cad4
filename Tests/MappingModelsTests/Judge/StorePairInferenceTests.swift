import ManagedObjectModels
import MappingModels
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not on this machine"))
struct StorePairInferenceTests {
    @Test func theListIsUnderstood() {
        #expect(CorpusStorePairs.all.count > 50)
    }

    @Test(arguments: CorpusStorePairs.all)
    func isInferable(_ pair: CorpusStorePairs.Pair) throws {
        let correspondence = try CorpusModels().correspondence(
            of: Judge.Pair(source: pair.source, destination: pair.destination))
        let mapping = InferredMapping(correspondence)
        #expect(mapping.refusals == [])
        #expect(mapping.mappingModel.entityMappings.count >= correspondence.destination.entities.count)
    }
}

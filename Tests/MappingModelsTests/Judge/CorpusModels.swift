import ManagedObjectModels
import MappingModels

/// Models of the corpus, each read and resolved once.
final class CorpusModels {
    private var known: [String: ResolvedModel] = [:]

    func model(_ path: String) throws -> ResolvedModel {
        if let model = known[path] { return model }
        let model = try ResolvedModel(try ModelContentsReader.read(path: path).model)
        known[path] = model
        return model
    }

    func correspondence(of pair: Judge.Pair) throws -> ModelCorrespondence {
        ModelCorrespondence(source: try model(pair.source), destination: try model(pair.destination))
    }
}

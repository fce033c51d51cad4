import GeneratedStores
import KeyedArchives
import ManagedObjectModels
import PersistentStores
import StoreConversion
import Testing

/// What a new store of a model is made of.
func newStore(_ model: ResolvedModel) -> NewStore {
    let hashes = ModelHashes.hashes(of: model)
    return NewStore(
        model: model, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes),
        checksum: ModelHashes.checksum(of: hashes), uuid: "")
}

/// Converts a store. All files beside the new one are closed then.
@discardableResult
func convert(
    _ paths: [String], to type: PersistentStoreType, _ target: String, _ model: ResolvedModel,
    of targetModel: ResolvedModel? = nil, _ change: (inout ConversionOptions) -> Void = { _ in }
) throws -> ConversionReport {
    var options = ConversionOptions()
    change(&options)
    let report = try StoreConverter(
        sources: paths.map { .init(path: $0, model: model) },
        target: .init(path: target, type: type, newStore: newStore(targetModel ?? model)), options: options
    ).convert()
    #expect(StagedFiles.openBytes(beside: target) == 0)
    return report
}

import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreEditing

extension TemporaryStore {
    /// Merges objects of another store of the same model into this one.
    @discardableResult
    func merge(
        _ entity: String, from source: TemporaryStore, _ change: (inout MergeOptions) -> Void = { _ in },
        editing: StoreEditor.Options = .init()
    ) throws -> MergeReport {
        var options = MergeOptions(entity: entity)
        change(&options)
        let hashes = ModelHashes.hashes(of: model)
        let new = NewStore(
            model: model, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes),
            checksum: ModelHashes.checksum(of: hashes), uuid: Self.uuid)
        return try StoreMerger(
            from: source.path, into: path, new, options: options, editing: editing
        ).run()
    }
}

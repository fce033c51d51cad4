import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport

/// Two versions of a model, and a store of the first one.
struct ModelChange {
    static let old = "Model 1"
    static let new = "Model 2"

    let folder: StoreFolder
    let bundle: String
    let source: ManagedObjectModel
    let destination: ManagedObjectModel

    /// - Parameters:
    ///   - upTo: how many objects an entity has at the most, where the content is random.
    ///   - content: the objects; random ones where it is nil.
    init(
        _ source: [EntityDescription], _ destination: [EntityDescription], composites: [CompositeDescription] = [],
        writer: StoreWriter = StoreWriter(), storeName: String = "Store.sqlite", upTo count: Int = 12, seed: UInt64 = 1,
        content: StoreContent? = nil
    ) throws {
        self.source = ManagedObjectModel(entities: source, composites: composites)
        self.destination = ManagedObjectModel(entities: destination, composites: composites)
        folder = try StoreFolder(name: storeName)
        bundle = folder.directory.file("Model.xcdatamodeld")
        try GeneratedModels.write([(Self.old, self.source), (Self.new, self.destination)], to: bundle)
        let resolved = try ResolvedModel(self.source)
        var random = RandomContent(model: resolved, seed: seed)
        try writer.write(content ?? random.content(upTo: count), of: resolved, to: folder.store)
    }

    var sourceModel: String { "\(bundle)/\(Self.old).xcdatamodel" }
    var destinationModel: String { "\(bundle)/\(Self.new).xcdatamodel" }

    /// The words of a migration beyond the store and the placement.
    var words: [String] { ["--models", bundle, "--from", Self.old, "--to", Self.new, "--progress", "none"] }

    func migrate(_ placement: Placement, _ more: [String] = []) throws -> (run: ToolProcess.Result, result: String) {
        try folder.migrate(placement, words + more)
    }

    func check(_ result: String) -> ResultCheck {
        ResultCheck(
            original: folder.store, sourceModel: sourceModel, result: result, destinationModel: destinationModel)
    }
}

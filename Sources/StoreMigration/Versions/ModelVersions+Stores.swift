public import ManagedObjectModels
public import SwiftDataModels

extension ModelVersions {
    /// Creates the versions of models at a path, or the model in the store at the path.
    /// - Throws: `ModelError` if there is no model, or if the store contains none.
    public init(
        modelOrStoreAt path: String, sources: SwiftDataSelection = SwiftDataSelection()
    ) throws(ModelError) {
        if let store = try StoreModel(path: path) {
            self.init(store.version)
        } else {
            try self.init(path: path, swiftData: sources)
        }
    }
}

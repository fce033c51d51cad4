public import ManagedObjectModels
public import SwiftDataModels

extension ModelVersions {
    /// The versions of models at a path, or the model that the store there carries.
    /// - Throws: `ModelError` where there is no model, and for a store that carries none.
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

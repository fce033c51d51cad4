public import ManagedObjectModels
import SQLiteAccess

extension SQLiteStore {
    /// In bytes. A larger compressed model is refused; the largest known one has 60 kB.
    private static let maximumModelSize: Int64 = 64 << 20

    /// Returns the model that the store contains in `Z_MODELCACHE`, as Core Data has done since 2015; nil if it has
    /// none.
    /// - Throws: `ModelError` if the model cannot be read, and `StoreError` if the database cannot.
    public func cachedModel() throws -> ModelDocument? {
        guard schema.table(named: "Z_MODELCACHE") != nil else { return nil }
        do {
            let size = try connection.value("SELECT max(length(Z_CONTENT)) FROM Z_MODELCACHE").integer ?? 0
            guard size > 0 else { return nil }
            guard size <= Self.maximumModelSize else {
                throw ModelError(.unreadable("model cache: \(size) bytes are too many for a model"), path: files.path)
            }
            let value = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0 LIMIT 1")
            guard let content = value.blob else { return nil }
            return try ModelCacheReader.read(content, name: files.path)
        } catch let error as SQLiteError {
            throw StoreError(error, path: files.path)
        }
    }
}

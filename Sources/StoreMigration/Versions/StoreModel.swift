public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// The model that a store carries, as a version among others.
public struct StoreModel {
    /// Named after the store's file.
    public let version: ModelVersion

    /// The hashes in the store's metadata.
    public let knownHashes: KnownModelHashes

    /// The model of an opened store; nil if it carries none.
    /// - Throws: `ModelError` where the model that the store carries cannot be read; `StoreError` or `SQLiteError`
    ///   where the store cannot.
    public init?(_ store: SQLiteStore) throws {
        guard let document = try store.cachedModel() else { return nil }
        let name = FileSystem.name(of: store.files.path)
        version = ModelVersion(name: name, path: store.files.path, document: document)
        knownHashes = KnownModelHashes(
            versionName: name, bundlePath: store.files.path,
            hashes: store.metadata.versionHashes.compactMapValues { VersionHash(bytes: $0) }, checksum: nil)
    }

    /// The model of the store at a path; nil if there is no SQLite database.
    ///
    /// Throws `ModelError` for a database that is not a store, cannot be read, or carries no model.
    init?(path: String) throws(ModelError) {
        guard !FileSystem.isDirectory(path), let file = try? DatabaseFile(path: path), file.isSQLite else { return nil }
        let found: StoreModel?
        do {
            found = try StoreModel(SQLiteStore(path: path))
        } catch let error as ModelError {
            throw error
        } catch let error as StoreError {
            throw ModelError(.unreadable(error.sentence), path: path)
        } catch {
            throw ModelError(.unreadable("\(error)"), path: path)
        }
        guard let found else { throw ModelError(.storeWithoutModel, path: path) }
        self = found
    }

    /// The model as it was archived, and a warning for each entity that has another hash in the store's metadata: then
    /// another version of the app left the model behind.
    /// - Throws: `ModelError` where the store carries no model, or one that cannot be read.
    public static func document(of store: SQLiteStore) throws -> (document: ModelDocument, warnings: [ModelWarning]) {
        guard let own = try StoreModel(store) else { throw ModelError(.storeWithoutModel, path: store.files.shownPath) }
        let document = try own.version.document()
        let computed = ModelHashes.entityHashes(of: try ResolvedModel(document.model))
        var warnings: [ModelWarning] = []
        var names: Set<String> = []
        for entity in computed {
            names.insert(entity.entityName)
            guard entity.isProven, own.knownHashes.hashes[entity.entityName] != entity.hash else { continue }
            warnings.append(ModelWarning(.otherHashInStore, entity: entity.entityName, path: store.files.shownPath))
        }
        for name in own.knownHashes.hashes.keys.sorted() where !names.contains(name) {
            warnings.append(ModelWarning(.otherHashInStore, entity: name, path: store.files.shownPath))
        }
        return (document, warnings)
    }
}

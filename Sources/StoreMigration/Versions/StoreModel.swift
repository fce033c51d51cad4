public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// The model in a store, as a version.
public struct StoreModel {
    /// The version, which is named after the store's file.
    public let version: ModelVersion

    /// The hashes in the store's metadata.
    public let knownHashes: KnownModelHashes

    /// Reads the model in an open store; nil if it contains none.
    /// - Throws: `ModelError` if the model in the store cannot be read; `StoreError` or `SQLiteError` if the store
    ///   cannot be read.
    public init?(_ store: SQLiteStore) throws {
        guard let document = try store.cachedModel() else { return nil }
        let name = FileSystem.name(of: store.files.path)
        version = ModelVersion(name: name, path: store.files.path, document: document)
        knownHashes = KnownModelHashes(
            versionName: name, bundlePath: store.files.path,
            hashes: store.metadata.versionHashes.compactMapValues { VersionHash(bytes: $0) }, checksum: nil)
    }

    /// Reads the model in the store at a path; nil if there is no SQLite database.
    ///
    /// Throws `ModelError` for a database that is not a store, cannot be read, or contains no model.
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

    /// Returns the archived model, and a warning for each entity whose hash in the store's metadata differs. The model
    /// was then left by another version of the app.
    /// - Throws: `ModelError` if the store contains no model, or one that cannot be read.
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

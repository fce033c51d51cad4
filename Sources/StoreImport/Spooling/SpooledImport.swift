import FoundationEssentials
import ImportMappings
import KeyedArchives
import ManagedObjectModels
import PersistentStores
import RecordSources

/// The description of an import, which is the same in all shards: its files, its mapping and its model.
struct SpooledImport: Codable {
    /// A file of the import.
    struct File: Codable, Equatable {
        let path: String
        /// The index of its mapping.
        let mapping: Int
        let kind: SourceFormat.Kind
        /// The columns; nil for a nested source.
        let columns: [String]?
        /// The size of the file, and a digest of its first bytes.
        let identity: SourceIdentity
    }

    struct Mapping: Codable, Equatable {
        let source: SourceMapping
        /// The index of the mapping's source; nil if there is no mapping file.
        let index: Int?
    }

    /// The model, and the metadata of a new store.
    struct Model: Codable, Equatable {
        /// The name of the version.
        let name: String
        let compiled: Data
        let hashes: [String: Data]
        let digest: String
        let checksum: String
        /// The entities of the store's configuration; nil for all.
        let entities: [String]?
    }

    let model: Model
    /// The mapping; nil if there is no mapping file.
    let mapping: ImportMapping?
    let request: EntityRequest?
    let mappings: [Mapping]
    let files: [File]
    let findings: [String]
    let largestRecord: Int
    /// The largest number of records in a batch; all shards read the same batches.
    let batchRows: Int
    let batchBytes: Int
    /// The time of `now()`; 0 if it is not used.
    let now: Double
    let localization: LocalizationDictionary?

    /// Returns the encoded description; the bytes are the same for the same import.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    /// Returns what distinguishes this import from another one, for a message.
    func difference(from other: SpooledImport) -> String {
        if model != other.model { return "the model" }
        if mapping != other.mapping || request != other.request { return "the mapping" }
        if files.map(\.path) != other.files.map(\.path) { return "the list of sources" }
        for (one, two) in zip(files, other.files) where one != two { return "the source \(one.path)" }
        return "an option"
    }

    // MARK: Parts of the description

    /// The plan of the import.
    var plan: ImportRun.Plan {
        if let mapping { return .mapping(mapping) }
        return .entity(request ?? EntityRequest(entity: ""))
    }

    func inputs() -> ImportInputs {
        var inputs = ImportInputs()
        for mapping in mappings { inputs.appendMapping(mapping.source, index: mapping.index) }
        for file in files { inputs.appendFile(file.path, mapping: file.mapping, columns: .init(names: file.columns)) }
        return inputs
    }

    /// Whether all indexes in it are valid.
    var isConsistent: Bool {
        files.allSatisfy { mappings.indices.contains($0.mapping) } && (mapping != nil || request != nil)
            && mappings.allSatisfy { found in
                found.index.map { index in mapping.map { $0.sources.indices.contains(index) } ?? false } ?? true
            }
    }

    /// Returns the description of the store to create.
    ///
    /// - Throws: `ModelError`.
    func target(path: String, uuid: String) throws -> ImportRun.Target {
        let document = try CompiledModelReader.read(bytes: Array(model.compiled), name: "the spool's model")
        let resolved = try ResolvedModel(document.model)
        var newStore = NewStore(
            model: resolved, hashes: model.hashes.mapValues { Array($0) }, digest: model.digest,
            checksum: model.checksum, uuid: uuid)
        newStore.objectEntities = model.entities.map { Set($0) }
        return ImportRun.Target(path: path, model: resolved, newStore: newStore, versionName: model.name)
    }
}

extension SpooledImport {
    init(decoding bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(SpooledImport.self, from: Data(bytes))
    }
}

extension SpooledImport.Model {
    /// Creates the description from a store to create; nil if the compiled form of the model would result in other
    /// tables.
    init?(_ target: ImportRun.Target) throws {
        let bytes = try CompiledModelWriter(target.model.model).compile().bytes
        let metadata = target.newStore.metadata
        name = target.versionName
        compiled = Data(bytes)
        hashes = metadata.versionHashes.mapValues { Data($0) }
        digest = metadata.entries[StoreMetadata.Key.versionHashesDigest]?.string ?? ""
        checksum = metadata.entries[StoreMetadata.Key.versionChecksum]?.string ?? ""
        entities = target.newStore.objectEntities?.sorted()
        let reread = try ResolvedModel(CompiledModelReader.read(bytes: bytes, name: "").model)
        let copy = NewStore(
            model: reread, hashes: metadata.versionHashes, digest: digest, checksum: checksum, uuid: metadata.uuid)
        guard copy.isLike(target.newStore) else { return nil }
    }
}

extension NewStore {
    /// Returns whether both result in the same tables with the same bookkeeping.
    fileprivate func isLike(_ other: NewStore) -> Bool {
        layout.tables.map(\.createStatement) == other.layout.tables.map(\.createStatement)
            && layout.joinTables.map(\.createStatement) == other.layout.joinTables.map(\.createStatement)
            && layout.indexes().indexes.map(\.createStatement) == other.layout.indexes().indexes.map(\.createStatement)
            && layout.entityNumbers == other.layout.entityNumbers
            && layout.model.entities.map(\.name) == other.layout.model.entities.map(\.name)
            && BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries))
                == BinaryPropertyListWriter.bytes(for: .dictionary(other.metadata.entries))
    }
}

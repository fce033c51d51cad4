import PersistentStores
public import StoreMigration
public import StoreVerification
import StoreConversion

extension VersionCatalog {
    /// Verifies a store of any type against its model version.
    ///
    /// If no version has the store's hashes, and none is named, only rules that need no model are checked, and a
    /// finding reports that.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - name: the version to verify against, if it cannot be found by the store's hashes.
    ///   - configuration: the configuration of the store, if it cannot be determined from its entities.
    ///   - options: the options of the verification.
    /// - Throws: `StoreError` if the store cannot be read; `ModelError` or `MigrationError` if the named version or
    ///   configuration does not exist, or does not fit.
    /// - Returns: the report, and the version that the store was compared with.
    public func verify(
        storeAt path: String, named name: String? = nil, configuration: String? = nil,
        options: StoreVerifier.Options = .init()
    ) throws -> (report: VerificationReport, version: VersionedModel?) {
        var unknown: [VerificationFinding] = []
        var version: VersionedModel?
        // SQLite reports the error for a file that is not a store.
        let isAtomic = try PersistentStoreRegistry.standard.isAtomic(path)
        let store = isAtomic ? nil : try SQLiteStore(path: path)
        do {
            version =
                try store.map { try sourceVersion(of: $0, named: name, configuration: configuration) }
                ?? sourceVersion(ofStoreAt: path, named: name, configuration: configuration)
        } catch let error as MigrationError {
            guard name == nil, configuration == nil, case .unknownVersion(let reason) = error.code else { throw error }
            unknown = [VerificationFinding.unknownModel(reason.description)]
        }
        // The hashes of a version that the user named may differ from the store's.
        let hashes = name == nil ? [:] : version?.hashes ?? [:]
        let report =
            try store.map {
                try StoreVerifier(
                    $0, model: version?.model, named: version?.name, hashes: hashes,
                    objectEntities: version?.newStore.objectEntities, options: options
                ).verify(with: unknown)
            }
            ?? AtomicStoreVerifier(
                path: path, version?.newStore, named: version?.name, hashes: hashes, options: options
            ).verify(with: unknown)
        return (report, version)
    }

    /// Repairs faults of a store of any type.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - rules: the rules whose faults are repaired.
    ///   - name: the version of the store, if it cannot be found by its hashes.
    ///   - configuration: the configuration of the store, if it cannot be determined from its entities.
    ///   - options: the options of the repair.
    /// - Throws: `RepairError` if the repair is refused; `StoreError` if the store cannot be read or written; the
    ///   errors of `sourceVersion(ofStoreAt:named:configuration:in:)`. The store is unchanged in these cases.
    public func repair(
        storeAt path: String, rules: [VerificationRule], named name: String? = nil, configuration: String? = nil,
        options: StoreRepair.Options = .init()
    ) throws -> RepairReport {
        let model = try sourceVersion(ofStoreAt: path, named: name, configuration: configuration)
        guard try PersistentStoreRegistry.standard.isAtomic(path) else {
            return try StoreRepair(path: path, model: model.model, rules: rules, options: options).run()
        }
        return try AtomicStoreRepair(path: path, model.newStore, rules: rules, options: options).run()
    }
}

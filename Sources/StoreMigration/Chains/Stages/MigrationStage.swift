public import MappingModels
public import PersistentStores

/// A stage of a staged migration: versions between which mappings are inferred, or a step with edits before and after
/// it.
///
/// Versions are given by their names or by their checksums, as in `NSManagedObjectModelReference`.
public struct MigrationStage: Sendable {
    enum Kind: Sendable {
        case lightweight([String])
        case custom(from: String, to: String, mapping: MappingModelDocument?)
    }

    let kind: Kind
    let label: String?
    var willMigrate: [StoreEdit] = []
    var didMigrate: [StoreEdit] = []

    /// Creates a stage in which an inferred mapping leads from any of the versions to the last of them.
    public static func lightweight(_ versions: [String], label: String? = nil) -> Self {
        Self(kind: .lightweight(versions), label: label)
    }

    /// Creates a stage with a step from one version to the next, and edits before and after it.
    ///
    /// - Parameters:
    ///   - from: the version at which the stage begins, by name or checksum.
    ///   - to: the version at which the stage ends, by name or checksum.
    ///   - mapping: the mapping model of the step; nil if it is inferred.
    ///   - label: the name of the stage in messages; nil for its versions.
    ///   - willMigrate: the edits of the objects before the step.
    ///   - didMigrate: the edits of the objects after the step.
    public static func custom(
        from: String, to: String, mapping: MappingModelDocument? = nil, label: String? = nil,
        willMigrate: [StoreEdit] = [], didMigrate: [StoreEdit] = []
    ) -> Self {
        Self(
            kind: .custom(from: from, to: to, mapping: mapping), label: label, willMigrate: willMigrate,
            didMigrate: didMigrate)
    }

    /// Creates a stage with code that gets the store: before the step with the tables of the old version, after it with
    /// those of the new one.
    public static func custom(
        from: String, to: String, label: String, willMigrate: (@Sendable (SQLiteStore) throws -> Void)?,
        didMigrate: (@Sendable (SQLiteStore) throws -> Void)?
    ) -> Self {
        custom(
            from: from, to: to, label: label,
            willMigrate: willMigrate.map { [.code("willMigrate of \(label)", $0)] } ?? [],
            didMigrate: didMigrate.map { [.code("didMigrate of \(label)", $0)] } ?? [])
    }

    /// The mapping model of the step; nil if it is inferred.
    var mapping: MappingModelDocument? {
        guard case .custom(_, _, let mapping) = kind else { return nil }
        return mapping
    }

    /// The versions, in order.
    var references: [String] {
        switch kind {
        case .lightweight(let versions): versions
        case .custom(let from, let to, _): [from, to]
        }
    }
}

public import MappingModels
public import PersistentStores

/// One stage of a staged migration: versions that inference leads through, or a step with work before and behind it.
///
/// Versions are named, or given by their checksums, as `NSManagedObjectModelReference` has them.
public struct MigrationStage: Sendable {
    enum Kind: Sendable {
        case lightweight([String])
        case custom(from: String, to: String, mapping: MappingModelDocument?)
    }

    let kind: Kind
    let label: String?
    var willMigrate: [StoreEdit] = []
    var didMigrate: [StoreEdit] = []

    /// Inference leads from any of these versions to the last of them.
    public static func lightweight(_ versions: [String], label: String? = nil) -> Self {
        Self(kind: .lightweight(versions), label: label)
    }

    /// A step from one version to the next one, with edits before and behind it.
    ///
    /// - Parameters:
    ///   - from: the version that the stage begins with, by name or checksum.
    ///   - to: the version that the stage ends with, by name or checksum.
    ///   - mapping: nil if inference does the step.
    ///   - label: what messages call the stage; nil for its versions.
    ///   - willMigrate: what is done to the objects before the step.
    ///   - didMigrate: what is done to the objects behind the step.
    public static func custom(
        from: String, to: String, mapping: MappingModelDocument? = nil, label: String? = nil,
        willMigrate: [StoreEdit] = [], didMigrate: [StoreEdit] = []
    ) -> Self {
        Self(
            kind: .custom(from: from, to: to, mapping: mapping), label: label, willMigrate: willMigrate,
            didMigrate: didMigrate)
    }

    /// The same with code that gets the store: before the step with the old version's tables, behind it with the new
    /// ones.
    public static func custom(
        from: String, to: String, label: String, willMigrate: (@Sendable (SQLiteStore) throws -> Void)?,
        didMigrate: (@Sendable (SQLiteStore) throws -> Void)?
    ) -> Self {
        custom(
            from: from, to: to, label: label,
            willMigrate: willMigrate.map { [.code("willMigrate of \(label)", $0)] } ?? [],
            didMigrate: didMigrate.map { [.code("didMigrate of \(label)", $0)] } ?? [])
    }

    /// The mapping model that does the step; nil if inference does.
    var mapping: MappingModelDocument? {
        guard case .custom(_, _, let mapping) = kind else { return nil }
        return mapping
    }

    /// The versions in order.
    var references: [String] {
        switch kind {
        case .lightweight(let versions): versions
        case .custom(let from, let to, _): [from, to]
        }
    }
}

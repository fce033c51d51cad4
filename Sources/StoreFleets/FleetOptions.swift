public import StoreExport
public import StoreMigration
public import StoreVerification
import SwiftDataModels

/// The options of a fleet, which are part of its manifest. Paths are absolute.
public struct FleetOptions: Sendable, Hashable, Codable {
    /// The operation on each store.
    public var operation: FleetOperation

    /// The paths of model bundles, models, Swift sources, or folders that contain them.
    public var models: [String]

    /// For Swift sources: the `VersionedSchema` to use; nil for all.
    public var schema: String?
    /// For Swift sources: the classes of the only version, if no list in the sources is to be used.
    public var modelTypes: [String] = []
    /// For Swift sources: whether names in `#if` are defined.
    public var conditions: [String: Bool] = [:]
    /// For Swift sources: the paths of excluded files and folders.
    public var excludedSources: [String] = []

    /// The path of the file with the rules that stores show for Swift sources; nil for the files beside the sources.
    public var swiftDataRules: String?

    /// The version to migrate to, nil for the current one; for other operations the version of the stores, nil to find
    /// it by their hashes.
    public var version: String?

    /// For a migration: the paths of mapping models, or folders that contain them.
    public var mappings: [String] = []

    /// The programs that replace policy classes, by class; `default` runs the mappings without the policy.
    public var policies: [String: String] = [:]

    /// How long a policy's program may be silent, in seconds; 0 for no limit.
    public var policyTimeout: Int64 = 600
    /// For a migration: whether to migrate from version to version, or directly from the first to the last.
    public var chain = ChainMode.auto
    /// For a migration: the handling of persistent history.
    public var history = HistoryPolicy.automatic
    /// For a migration: the handling of numbers that do not fit a smaller type.
    public var narrowing = NumberNarrowing.refuse
    /// For a migration: the handling of objects that violate rules of the new version.
    public var invalidObjects = InvalidObjectPolicy.refuse

    /// For a conversion: the name of the new stores' type; nil for other operations.
    public var storeType: String?

    /// For a conversion: whether to keep keys that another type would renumber.
    public var keepsIDs = false

    /// For a repair: the codes of the rules whose faults are repaired.
    public var rules: [String] = []

    /// For a repair: which of several objects with equal unique values is kept.
    public var survivor = Survivor.first

    /// For an export: the format of the files.
    public var format = ExportFormat.csv

    /// For an export: the entities; if empty, all that have objects of their own.
    public var entities: [String] = []

    /// The folder for backups of the old files, with a folder for each store; nil for none.
    public var backup: String?

    /// The output folder; nil to change the stores in place.
    public var outputDirectory: String?

    /// Whether the stores are names for fetch commands, not files that a plan can read.
    public var isRemote = false

    /// Makes options from an operation and the paths of models.
    public init(_ operation: FleetOperation, models: [String]) {
        self.operation = operation
        self.models = models
    }

    /// Whether the stores themselves are changed.
    public var changesStores: Bool { operation.changesStores && outputDirectory == nil }

    var selection: SwiftDataSelection {
        SwiftDataSelection(
            schema: schema, modelTypes: modelTypes, conditions: conditions, excluded: excludedSources,
            rules: swiftDataRules)
    }
}

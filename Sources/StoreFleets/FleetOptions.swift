public import StoreExport
public import StoreMigration
public import StoreVerification
import SwiftDataModels

/// What is done to the stores of a fleet, and how; a part of its manifest. Paths are absolute.
public struct FleetOptions: Sendable, Hashable, Codable {
    /// What is done to each store.
    public var operation: FleetOperation

    /// Model bundles, models, Swift sources, or folders with some.
    public var models: [String]

    /// Of Swift sources: the `VersionedSchema` that is meant; nil for all.
    public var schema: String?
    /// Of Swift sources: the classes of the only version, where no list in the sources is meant.
    public var modelTypes: [String] = []
    /// Of Swift sources: names in `#if` that the build defines, or does not.
    public var conditions: [String: Bool] = [:]
    /// Of Swift sources: the paths of files and folders that are left out.
    public var excludedSources: [String] = []

    /// The file with what stores say about Swift sources; nil for the ones beside them.
    public var swiftDataRules: String?

    /// The version to migrate to, nil for the current one; of other operations the version that made the stores, nil
    /// for that of their hashes.
    public var version: String?

    /// Of a migration: mapping models, or folders with some.
    public var mappings: [String] = []

    /// The programs that stand for policy classes, by class; `default` runs the mappings without the policy.
    public var policies: [String: String] = [:]

    /// How long a policy's program may be silent, in seconds; 0 for no limit.
    public var policyTimeout: Int64 = 600
    /// Of a migration: whether steps lead from version to version, or from the first one to the last.
    public var chain = ChainMode.auto
    /// Of a migration: what becomes of persistent history.
    public var history = HistoryPolicy.automatic
    /// Of a migration: what becomes of numbers that do not fit a smaller type.
    public var narrowing = NumberNarrowing.refuse
    /// Of a migration: what becomes of objects that break rules of the new version.
    public var invalidObjects = InvalidObjectPolicy.refuse

    /// Of a conversion: the name of the new stores' type; nil for other operations.
    public var storeType: String?

    /// Of a conversion: whether keys stay that another type would renumber.
    public var keepsIDs = false

    /// Of a repair: the codes of the rules whose faults are repaired.
    public var rules: [String] = []

    /// Of a repair: which of objects with equal unique values stays.
    public var survivor = Survivor.first

    /// Of an export: the format of the files.
    public var format = ExportFormat.csv

    /// Of an export: the entities; all that have objects of their own without any.
    public var entities: [String] = []

    /// The folder that keeps the old files of each store, in a folder of its own; nil to keep none.
    public var backup: String?

    /// The folder of what is made of the stores; nil to change the stores where they are.
    public var outputDirectory: String?

    /// Whether the stores are names for the commands that bring them, and no files that a plan can read.
    public var isRemote = false

    /// Makes options of an operation and the paths of models.
    public init(_ operation: FleetOperation, models: [String]) {
        self.operation = operation
        self.models = models
    }

    /// Whether the stores themselves change.
    public var changesStores: Bool { operation.changesStores && outputDirectory == nil }

    var selection: SwiftDataSelection {
        SwiftDataSelection(
            schema: schema, modelTypes: modelTypes, conditions: conditions, excluded: excludedSources,
            rules: swiftDataRules)
    }
}

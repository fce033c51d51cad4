public import StoreMigration
import SwiftDataModels

/// What is done to the stores of a fleet, and how; a part of its manifest. Paths are absolute.
public struct FleetOptions: Sendable, Hashable, Codable {
    public var operation: FleetOperation

    /// Model bundles, models, Swift sources, or folders with some.
    public var models: [String]

    /// Of Swift sources: the `VersionedSchema` that is meant.
    public var schema: String?
    public var modelTypes: [String] = []
    public var conditions: [String: Bool] = [:]
    public var excludedSources: [String] = []

    /// The file with what stores say about Swift sources; nil for the ones beside them.
    public var swiftDataRules: String?

    /// The version to migrate to, or to verify against; nil for the current one, or the store's own.
    public var version: String?

    /// Mapping models, or folders with some.
    public var mappings: [String] = []

    /// The programs that stand for policy classes, by class; `default` runs the mappings without the policy.
    public var policies: [String: String] = [:]

    /// How long a policy's program may be silent, in seconds; 0 for no limit.
    public var policyTimeout: Int64 = 600
    public var chain = ChainMode.auto
    public var history = HistoryPolicy.automatic
    public var narrowing = NumberNarrowing.refuse
    public var invalidObjects = InvalidObjectPolicy.refuse

    /// The folder that keeps the old files of each store, in a folder of its own; nil to keep none.
    public var backup: String?

    /// The folder of the new stores; nil to migrate the stores where they are.
    public var outputDirectory: String?

    public init(_ operation: FleetOperation, models: [String]) {
        self.operation = operation
        self.models = models
    }

    var selection: SwiftDataSelection {
        SwiftDataSelection(
            schema: schema, modelTypes: modelTypes, conditions: conditions, excluded: excludedSources,
            rules: swiftDataRules)
    }
}

/// A report about the results of a fleet.
public struct FleetReport: Sendable, Hashable, Codable {
    /// The number of stores that changed from one version to another.
    public struct Change: Sendable, Hashable, Codable {
        /// The version before; nil if unknown.
        public let from: String?
        /// The version after; nil if unknown.
        public let to: String?
        /// The number of stores.
        public let stores: Int64
    }

    /// A reason for the failure of stores.
    public struct Reason: Sendable, Hashable, Codable {
        /// The code of the reason, such as `locked`.
        public let reason: String
        /// Whether the reason is temporary, so that running the shard again may help.
        public let isTemporary: Bool
        /// The number of stores.
        public var stores: Int64
        /// The paths of some of them.
        public var examples: [String]
        /// The message for the first of them.
        public let message: String
    }

    /// A finding about stores that are done or failed.
    public struct Finding: Sendable, Hashable, Codable {
        /// The severity of the finding: `error`, `warning` or `note`.
        public let severity: String
        /// The code of the finding.
        public let code: String
        /// The number of stores with the finding.
        public var stores: Int64
        /// The number of objects, values or files in all stores; 0 if they were not counted.
        public var count: Int64
    }

    /// A store that took a long time.
    public struct Straggler: Sendable, Hashable, Codable {
        /// The path of the store.
        public let store: String
        /// The duration in seconds.
        public let seconds: Double
        /// The size of the store, in bytes.
        public let bytes: Int64
        /// The number of its shard.
        public let shard: Int
    }

    /// The number of stores below a limit and not below the preceding one.
    public struct Bin: Sendable, Hashable, Codable {
        /// The limit in bytes or seconds, a power of ten.
        public let below: Double
        /// The number of stores.
        public let stores: Int64
    }

    /// The throughput in a time interval.
    public struct Interval: Sendable, Hashable, Codable {
        /// The beginning of the interval, in seconds since 1970.
        public let start: Double
        /// The length of the interval, in seconds.
        public let seconds: Double
        /// The number of stores that finished in it, done or failed.
        public var stores: Int64
        /// The size of these stores, in bytes.
        public var bytes: Int64
    }

    /// A shard to be run again.
    public struct Shard: Sendable, Hashable, Codable {
        /// The shard's number, from 1.
        public let shard: Int
        /// The number of stores without an outcome.
        public let pending: Int64
        /// The number of stores that failed for a temporary reason.
        public let temporary: Int64
    }

    /// The path of the manifest.
    public let manifest: String
    /// The operation on each store.
    public let operation: FleetOperation
    /// The number of shards.
    public let shards: Int
    /// The progress of the fleet.
    public var status = FleetStatus()
    /// The size of the stores that are done or failed, in bytes.
    public var bytes: Int64 = 0
    /// The numbers of stores by their versions before and after.
    public var changes: [Change] = []
    /// The reasons for failures, the most frequent first.
    public var reasons: [Reason] = []
    /// The number of warnings for all stores.
    public var warnings: Int64 = 0
    /// The findings, by severity and code.
    public var findings: [Finding] = []

    /// The number of objects in the stores, if the operation counts them.
    public var objects: Int64 = 0
    /// The numbers of stores by size.
    public var sizes: [Bin] = []
    /// The numbers of stores by duration.
    public var times: [Bin] = []
    /// The throughput in each time interval, in order.
    public var throughput: [Interval] = []
    /// The stores that took longest, the slowest first.
    public var stragglers: [Straggler] = []

    /// The working time of all jobs together, in seconds.
    public var secondsOfWork = 0.0

    /// The time from the beginning of the first store to the end of the last one, in seconds.
    public var secondsElapsed = 0.0

    /// The shards to run again.
    public var again: [Shard] = []

    init(_ manifest: FleetManifest) {
        self.manifest = manifest.path
        operation = manifest.options.operation
        shards = manifest.shardCount
    }
}

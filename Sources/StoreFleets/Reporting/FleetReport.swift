/// What became of a fleet.
public struct FleetReport: Sendable, Hashable, Codable {
    /// How many stores came from one version to another.
    public struct Change: Sendable, Hashable, Codable {
        /// The versions before and after; nil if they are not known.
        public let from: String?
        /// The version after; nil if it is not known.
        public let to: String?
        /// The number of stores.
        public let stores: Int64
    }

    /// Why stores failed.
    public struct Reason: Sendable, Hashable, Codable {
        /// The reason by its code, as in `locked`.
        public let reason: String
        /// Whether the reason may pass, so that running the shard again may help.
        public let isTemporary: Bool
        /// The number of stores.
        public var stores: Int64
        /// The paths of some of them, and what was said of the first.
        public var examples: [String]
        /// What was said of the first of them.
        public let message: String
    }

    /// What operations found of stores that are done or failed.
    public struct Finding: Sendable, Hashable, Codable {
        /// How serious the finding is: `error`, `warning` or `note`.
        public let severity: String
        /// The code of the finding.
        public let code: String
        /// The number of stores that have it.
        public var stores: Int64
        /// Objects, values or files, all stores together; 0 if they were not counted.
        public var count: Int64
    }

    /// A store that took long.
    public struct Straggler: Sendable, Hashable, Codable {
        /// The path of the store.
        public let store: String
        /// The seconds that it took.
        public let seconds: Double
        /// The size of the store, in bytes.
        public let bytes: Int64
        /// The number of its shard.
        public let shard: Int
    }

    /// How many stores lie below a limit and not below the limit before it.
    public struct Bin: Sendable, Hashable, Codable {
        /// The limit in bytes or seconds, a power of ten.
        public let below: Double
        /// The number of stores.
        public let stores: Int64
    }

    /// What a part of the time brought.
    public struct Interval: Sendable, Hashable, Codable {
        /// When the part begins, in seconds since 1970.
        public let start: Double
        /// How long the part is, in seconds.
        public let seconds: Double
        /// The stores that came to an end in it, done or failed.
        public var stores: Int64
        /// The bytes of these stores.
        public var bytes: Int64
    }

    /// A shard that is to be run again.
    public struct Shard: Sendable, Hashable, Codable {
        /// The shard's number, from 1.
        public let shard: Int
        /// The stores that have no outcome yet.
        public let pending: Int64
        /// Stores that failed for a reason that may pass.
        public let temporary: Int64
    }

    /// The path of the manifest.
    public let manifest: String
    /// What was done to each store.
    public let operation: FleetOperation
    /// The number of shards.
    public let shards: Int
    /// How far the fleet is.
    public var status = FleetStatus()
    /// The size of the stores that are done or failed, in bytes.
    public var bytes: Int64 = 0
    /// The stores by the versions that they came from and to.
    public var changes: [Change] = []
    /// Why stores failed, the most frequent reason first.
    public var reasons: [Reason] = []
    /// The warnings of all stores together.
    public var warnings: Int64 = 0
    /// What was found, by severity and code.
    public var findings: [Finding] = []

    /// Objects of the stores, as far as the operation counts them.
    public var objects: Int64 = 0
    /// The stores by their size.
    public var sizes: [Bin] = []
    /// The stores by the time that they took.
    public var times: [Bin] = []
    /// What each part of the time brought, in its order.
    public var throughput: [Interval] = []
    /// The stores that took longest, the slowest first.
    public var stragglers: [Straggler] = []

    /// The time of all jobs together.
    public var secondsOfWork = 0.0

    /// The seconds from the first store's beginning to the last one's end.
    public var secondsElapsed = 0.0

    /// The shards to run again.
    public var again: [Shard] = []

    init(_ manifest: FleetManifest) {
        self.manifest = manifest.path
        operation = manifest.options.operation
        shards = manifest.shardCount
    }
}

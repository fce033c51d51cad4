/// What became of a fleet.
public struct FleetReport: Sendable, Hashable, Codable {
    public struct Change: Sendable, Hashable, Codable {
        /// The versions before and after; nil if they are not known.
        public let from: String?
        public let to: String?
        public let stores: Int64
    }

    public struct Reason: Sendable, Hashable, Codable {
        public let reason: String
        public let isTemporary: Bool
        public var stores: Int64
        /// The paths of some of them, and what was said of the first.
        public var examples: [String]
        public let message: String
    }

    /// What operations found of stores that are done or failed.
    public struct Finding: Sendable, Hashable, Codable {
        public let severity: String
        public let code: String
        public var stores: Int64
        /// Objects, values or files, all stores together; 0 if they were not counted.
        public var count: Int64
    }

    public struct Straggler: Sendable, Hashable, Codable {
        public let store: String
        public let seconds: Double
        public let bytes: Int64
        public let shard: Int
    }

    /// How many stores lie below a limit and not below the limit before it.
    public struct Bin: Sendable, Hashable, Codable {
        /// Bytes or seconds, a power of ten.
        public let below: Double
        public let stores: Int64
    }

    /// What a part of the time brought.
    public struct Interval: Sendable, Hashable, Codable {
        /// Seconds since 1970.
        public let start: Double
        public let seconds: Double
        public var stores: Int64
        public var bytes: Int64
    }

    public struct Shard: Sendable, Hashable, Codable {
        public let shard: Int
        public let pending: Int64
        /// Stores that failed for a reason that may pass.
        public let temporary: Int64
    }

    public let manifest: String
    public let operation: FleetOperation
    public let shards: Int
    public var status = FleetStatus()
    public var bytes: Int64 = 0
    public var changes: [Change] = []
    public var reasons: [Reason] = []
    public var warnings: Int64 = 0
    public var findings: [Finding] = []

    /// Objects of the stores, as far as the operation counts them.
    public var objects: Int64 = 0
    public var sizes: [Bin] = []
    public var times: [Bin] = []
    public var throughput: [Interval] = []
    public var stragglers: [Straggler] = []

    /// The time of all jobs together.
    public var secondsOfWork = 0.0

    /// From the first store's beginning to the last one's end.
    public var secondsElapsed = 0.0

    /// The shards to run again.
    public var again: [Shard] = []

    init(_ manifest: FleetManifest) {
        self.manifest = manifest.path
        operation = manifest.options.operation
        shards = manifest.shardCount
    }
}

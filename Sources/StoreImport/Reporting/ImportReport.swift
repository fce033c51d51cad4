public import PersistentStores

/// The result of an import or of a dry run.
public struct ImportReport: Sendable, Codable, Equatable {
    /// The result for an entity.
    public struct EntityReport: Sendable, Codable, Equatable {
        /// The name of the entity.
        public var entity: String
        /// The number of objects that were created.
        public var inserted: Int64 = 0
        /// The number of objects whose values were changed.
        public var updated: Int64 = 0
        /// The number of objects that already had the values of their records.
        public var unchanged: Int64 = 0
        /// The number of records for which nothing was done, according to their policy.
        public var skipped: Int64 = 0
        /// The number of records that were rejected.
        public var rejected: Int64 = 0
        /// The number of links that exist after the import and did not exist before, in to-one relationships and in
        /// lists.
        public var related: Int64 = 0
        /// The number of links that existed before the import and were removed, because the records refer to other
        /// objects.
        public var unrelated: Int64 = 0
        /// The number of objects that were deleted, because they are in no record of a source with `mirror`.
        public var deleted: Int64 = 0

        /// Creates a report in which all counts are 0.
        public init(entity: String) {
            self.entity = entity
        }

        /// Adds the counts of another report.
        mutating func add(_ other: EntityReport) {
            inserted += other.inserted
            updated += other.updated
            unchanged += other.unchanged
            skipped += other.skipped
            rejected += other.rejected
            related += other.related
            unrelated += other.unrelated
            deleted += other.deleted
        }
    }

    /// The result for a source.
    public struct SourceReport: Sendable, Codable, Equatable {
        /// The path of the file; `-` for standard input.
        public var name: String
        /// The part of the file that contains these records, if other parts of it are read too: a table, a path, or a
        /// name in the mapping; nil if there are no other parts.
        public var part: String?
        /// The number of records that were read.
        public var records: Int64 = 0
        /// The number of records that were rejected.
        public var rejected: Int64 = 0
        /// The number of records that the filter skipped.
        public var filtered: Int64 = 0
        /// The number of bytes that were read from the source.
        public var bytes: Int64 = 0
        /// The encoding of a text that was guessed from its bytes; nil if it was specified, or for UTF-8.
        public var guessedEncoding: String?
        /// The paths of the mapping that no record has; nil if there are none, or if they were not searched.
        public var missingPaths: [MissingPath]?

        /// Creates a report in which all counts are 0.
        public init(name: String, part: String? = nil) {
            self.name = name
            self.part = part
        }
    }

    /// A path of a mapping that does not lead to a value in any record of a source.
    public struct MissingPath: Sendable, Codable, Equatable {
        /// The entity whose mapping contains the path.
        public var entity: String
        /// The path in the mapping.
        public var path: String
        /// The paths that exist, for a message.
        public var hint: String
    }

    /// The path of the store.
    public var store: String
    /// Whether the store was not changed, because this was a dry run.
    public var isDryRun: Bool
    /// The entities that records were mapped to.
    public var entities: [EntityReport]
    /// The sources in the order in which they were read.
    public var sources: [SourceReport]
    /// The number of links whose destination does not exist. The first ten are findings; the reject log contains all of
    /// them.
    public var unresolvedLinks: Int64 = 0
    /// The number of values of which the store cannot represent all decimal digits. The first ten are findings.
    public var roundedDecimals: Int64 = 0
    static let shownRoundings: Int64 = 10
    /// A sentence for each of the first rejected records; the reject log contains all of them.
    public var firstRejections: [String] = []
    /// The first rejected records with their faults, in the order of `firstRejections`; nil if none was rejected.
    public var firstFaults: [RejectedRecord]?
    /// The numbers of faults in all rejected records by kind, in the order in which they first occurred; nil if none
    /// was rejected.
    public var rejections: [RejectionCount]?
    static let shownLinks: Int64 = 10

    /// Findings that users should examine.
    public var findings: [String] = []
    /// How the rows of a new store were written; nil for an existing store.
    public var writer: NewStoreWriter?
    /// The reasons why the objects of a new store were looked up in a working file, as clauses; empty if they were
    /// identified by sorting and merging; nil if SQLite wrote the rows, or if the store existed.
    public var lookupReasons: [String]?
    /// The largest space that a new store and the files for its making took in its folder, in bytes, without files of
    /// large values; nil for an existing store.
    public var peakSpace: Int64?
    /// The space that was free in the folder of a new store at the end, in bytes; nil if it is unknown, and for an
    /// existing store.
    public var freeSpace: Int64?
    /// The duration in seconds.
    public var seconds: Double = 0
    /// The peak memory use of the process, in bytes.
    public var peakMemory: Int64 = 0
    /// Samples of the progress over time; nil if it was not recorded.
    public var progress: [ProgressSample]?

    /// Creates a report of an import without results.
    public init(store: String, isDryRun: Bool, entities: [EntityReport] = [], sources: [SourceReport] = []) {
        self.store = store
        self.isDryRun = isDryRun
        self.entities = entities
        self.sources = sources
    }

    /// The number of rejected records in all sources.
    public var rejected: Int64 { sources.reduce(0) { $0 + $1.rejected } }

    /// Counts the faults of a rejected record.
    mutating func count(_ reasons: [RejectionReason]) {
        // There are as many kinds as a mapping has properties, times a small number.
        for reason in reasons {
            if let index = rejections?.firstIndex(where: { $0.includes(reason) }) {
                rejections?[index].count += 1
            } else {
                rejections = (rejections ?? []) + [RejectionCount(reason)]
            }
        }
    }

    /// Whether some data were not imported.
    public var hasFindings: Bool { rejected > 0 || unresolvedLinks > 0 || roundedDecimals > 0 || !findings.isEmpty }
}

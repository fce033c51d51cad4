public import PersistentStores

/// What an import did, or would do.
public struct ImportReport: Sendable, Codable, Equatable {
    /// What became of the records for an entity.
    public struct EntityReport: Sendable, Codable, Equatable {
        /// The name of the entity.
        public var entity: String
        /// Objects that were made.
        public var inserted: Int64 = 0
        /// Objects that got other values.
        public var updated: Int64 = 0
        /// Objects that had the record's values already.
        public var unchanged: Int64 = 0
        /// Records for which nothing was done, as their policy says.
        public var skipped: Int64 = 0
        /// Records that were rejected.
        public var rejected: Int64 = 0
        /// Links that are there after the import and were not before: to-ones and those in lists, each once.
        public var related: Int64 = 0
        /// Links that were there before the import and ended, because the records name others.
        public var unrelated: Int64 = 0
        /// Objects that were deleted, because no record of a source with `mirror` has them.
        public var deleted: Int64 = 0

        /// Makes a report in which all counts are 0.
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

    /// What was read of a source.
    public struct SourceReport: Sendable, Codable, Equatable {
        /// The path of the file, `-` for standard input.
        public var name: String
        /// Which records of a file these are, where others of it are read too: a table, a path, a name of the mapping;
        /// nil if they are all.
        public var part: String?
        /// Records that were read.
        public var records: Int64 = 0
        /// Records that were rejected.
        public var rejected: Int64 = 0
        /// Records that the filter skipped.
        public var filtered: Int64 = 0
        /// How many bytes of the source were read.
        public var bytes: Int64 = 0
        /// The encoding of a text, where nothing says it and it was guessed from its bytes; nil for UTF-8.
        public var guessedEncoding: String?
        /// Paths of the mapping that no record has; nil if there are none, or nothing was looked for.
        public var missingPaths: [MissingPath]?

        /// Makes a report in which all counts are 0.
        public init(name: String, part: String? = nil) {
            self.name = name
            self.part = part
        }
    }

    /// A path of a mapping that leads to nothing in any record of a source.
    public struct MissingPath: Sendable, Codable, Equatable {
        /// The entity whose mapping has it.
        public var entity: String
        /// The path as the mapping has it.
        public var path: String
        /// What paths there are, for a message.
        public var hint: String
    }

    /// The path of the store.
    public var store: String
    /// Whether the store is as it was: it only says what would be.
    public var isDryRun: Bool
    /// The entities that records were mapped to.
    public var entities: [EntityReport]
    /// The sources in the order in which they were read.
    public var sources: [SourceReport]
    /// Links whose destination is nowhere: the first ten are findings, the reject log has all of them.
    public var unresolvedLinks: Int64 = 0
    /// Decimals of which the store does not have all digits, counted as values of records; the first ten are findings.
    public var roundedDecimals: Int64 = 0
    static let shownRoundings: Int64 = 10
    /// The first rejected records, a sentence for each; the reject log has all of them.
    public var firstRejections: [String] = []
    /// The first rejected records with their faults, in the order of `firstRejections`; nil if none was rejected.
    public var firstFaults: [RejectedRecord]?
    /// What is wrong with all rejected records, by kinds of faults, in the order in which they were met; nil if none was
    /// rejected.
    public var rejections: [RejectionCount]?
    static let shownLinks: Int64 = 10

    /// What somebody should look at.
    public var findings: [String] = []
    /// What wrote the rows of a new store, and why the builder did not; nil for a store that was there.
    public var writer: NewStoreWriter?
    /// Why SQLite wrote the rows, a clause each; nil if the builder did, or the store was there.
    public var writerReasons: [String]?
    /// The seconds that the import took.
    public var seconds: Double = 0
    /// The most memory that the process ever had in use, in bytes.
    public var peakMemory: Int64 = 0
    /// Where the work stood from moment to moment; nil if it was not recorded.
    public var progress: [ProgressSample]?

    /// Makes a report in which nothing was done.
    public init(store: String, isDryRun: Bool, entities: [EntityReport] = [], sources: [SourceReport] = []) {
        self.store = store
        self.isDryRun = isDryRun
        self.entities = entities
        self.sources = sources
    }

    /// The records of all sources that were rejected.
    public var rejected: Int64 { sources.reduce(0) { $0 + $1.rejected } }

    /// Counts the faults of a rejected record.
    mutating func count(_ reasons: [RejectionReason]) {
        // As many kinds as a mapping has properties, at most some for each.
        for reason in reasons {
            if let index = rejections?.firstIndex(where: { $0.includes(reason) }) {
                rejections?[index].count += 1
            } else {
                rejections = (rejections ?? []) + [RejectionCount(reason)]
            }
        }
    }

    /// Whether something did not go over.
    public var hasFindings: Bool { rejected > 0 || unresolvedLinks > 0 || roundedDecimals > 0 || !findings.isEmpty }
}

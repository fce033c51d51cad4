import PersistentStores
import SQLiteAccess
import StoreAssembly

/// The sizes of an import's caches and windows: how much it keeps in memory, and how much one statement or pass takes.
///
/// What an import does must not depend on them. All of them stand here, so that a test can make them as small as it
/// likes.
struct ImportLimits: Sendable {
    /// The most objects that a look-up keeps in memory, whole; with more, those that a batch names are fetched.
    var cachedObjects = 20_000
    /// The most bytes that their keys have: a few MiB in all, with what finds them.
    var cachedKeyBytes = 2 << 20
    /// Keys that one statement looks for; SQLite allows 32 766 variables, and a key has at most four.
    var fetchedKeys = 500
    /// Owners whose parts one statement looks for.
    var fetchedOwners = 200
    /// With how many parts of its owner an object is compared, so that long lists in another order stay cheap.
    var comparedParts = 64
    /// Groups of rows of a table of which it is noted whether they changed, a bit for each; with none, SQLite finds all
    /// rows.
    var notedRowGroups = ChangedRows.mostGroups
    /// Statements for different sets of changed columns: records of one source change few.
    var preparedUpdates = 64
    /// Links that waited for their destinations and are written together.
    var waitingLinks = 1000
    /// Objects whose numbers of others are counted at a time, when all records are read.
    var checkedObjects = 1000
    /// Links to an object that is taken back, which are read at a time: it may have any number.
    var namedLinks = 500
    /// Owners whose last order keys are remembered.
    var orderedOwners = 20_000
    /// Batches that are read, wait or are written at the same time: one of each, and at least one.
    var circulatingBatches = 3

    /// Files of rejected records that are open at a time: there may be one for each source.
    var openRejectFiles = 16

    /// Rejections that a report shows: they say what is wrong, and all of them would drown it.
    var shownRejections = 20

    /// Faults of a record that a report shows.
    var shownFaults = 20

    /// Bytes of the largest binary value that stays in its column, where the model allows a file of its own.
    var largestInline = ExternalData.largestInline

    /// The keys that are known not to be in the store, for each object mapping.
    var keys = KeyHistory.Limits()
    /// What all filters of keys take together, in bytes.
    var filterBytes = 16 << 20

    /// The size of a table from which its indexes may be rebuilt, in objects: smaller ones have indexes that the
    /// cache holds.
    var smallestLargeTable: Int64 = 500_000
    /// A key that goes somewhere into a large index costs more than ten that are sorted.
    var keysPerInsertion: Int64 = 10
    /// Filters of the keys of such a table, in bytes: two million keys; with more the indexes come back.
    var largeFilterBytes = 4 << 20

    /// Bytes of a batch whose rows are encoded while its records are converted, as far as that is possible: those of a
    /// larger one are encoded one by one, so that they are not in memory twice.
    var packedBytes = 1 << 20

    /// What the assembly of a new store keeps in memory.
    var assembly = AssemblyLimits()

    /// Keys of records out of spools that are brought into their order aside: `AssemblyLimits.entriesAside`. Where
    /// records are converted meanwhile, both cores have enough to do.
    var keysAside = 1 << 12

    /// What is kept of records in spools.
    var spools = SpoolLimits()

    /// How many of the store's pages are kept in memory.
    var pages = StorePages.Limits()
}

import PersistentStores
import SQLiteAccess
import StoreAssembly

/// The sizes of an import's caches and windows: how much it keeps in memory, and how much one statement or pass
/// handles.
///
/// The result of an import must not depend on them. All of them are here, so that tests can make them as small as they
/// like.
struct ImportLimits: Sendable {
    /// The maximum number of objects that a look-up keeps in memory. If there are more, it fetches the objects that
    /// each batch names.
    var cachedObjects = 20_000
    /// The maximum size in bytes of the keys of these objects. With the tables that find them, this takes a few MiB.
    var cachedKeyBytes = 2 << 20
    /// The number of keys that one statement looks for. SQLite allows 32 766 variables, and a key has at most four
    /// values.
    var fetchedKeys = 500
    /// The number of owners whose parts one statement looks for.
    var fetchedOwners = 200
    /// The number of parts of its owner with which an object is compared, so that long lists in another order take
    /// little time.
    var comparedParts = 64
    /// The number of groups of rows in each table for which a bit records whether they have changed; with 0, SQLite
    /// finds all rows.
    var notedRowGroups = ChangedRows.mostGroups
    /// The number of prepared statements for different sets of changed columns. Records of one source change few
    /// different sets.
    var preparedUpdates = 64
    /// The number of pending links that are written together.
    var waitingLinks = 1000
    /// The number of objects whose links are counted at a time, when all records are read.
    var checkedObjects = 1000
    /// The number of links to a removed object that are read at a time; there may be any number of them.
    var namedLinks = 500
    /// The number of owners whose last order keys are kept in memory.
    var orderedOwners = 20_000
    /// The number of batches that are read, wait or are written at the same time: one of each; at least one.
    var circulatingBatches = 3

    /// The number of files of rejected records that are open at a time; there may be one for each source.
    var openRejectFiles = 16

    /// The number of rejected records that a report shows. They show what is wrong, and all of them would obscure the
    /// rest.
    var shownRejections = 20

    /// The number of faults of a record that a report shows.
    var shownFaults = 20

    /// The size in bytes of the largest binary value that stays in its column, if the model allows external storage.
    var largestInline = ExternalData.largestInline

    /// The limits of the histories of keys, one for each object mapping whose keys are not in the store.
    var keys = KeyHistory.Limits()
    /// The size in bytes of all filters of keys together.
    var filterBytes = 16 << 20

    /// The number of objects from which the indexes of a table may be rebuilt. The indexes of smaller tables fit into
    /// the cache.
    var smallestLargeTable: Int64 = 500_000
    /// Inserting one key somewhere into a large index takes longer than sorting this number of keys.
    var keysPerInsertion: Int64 = 10
    /// The size in bytes of the filter of keys for such a table, enough for two million keys. With more keys, the
    /// indexes are created again.
    var largeFilterBytes = 4 << 20

    /// The size in bytes up to which the rows of a batch are encoded while its records are converted, as far as that is
    /// possible. The rows of larger batches are encoded one by one, so that they are not in memory twice.
    var packedBytes = 1 << 20

    /// The limits of the assembly of a new store.
    var assembly = AssemblyLimits()

    /// The limits of spools.
    var spools = SpoolLimits()

    /// The number of the store's pages that are kept in memory.
    var pages = StorePages.Limits()
}

import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// Takes the rows of a new SQLite store: SQLite inserts them, or the builder writes them.
protocol NewStoreRows: AnyObject {
    /// Adds the row of an object, with the keys of its to-ones.
    ///
    /// Throws `ConversionError.duplicateKey` where its key is known to be that of another one.
    func append(_ object: borrowing StoredObject) throws

    /// Adds the links of an object to a join table of the layout; a link that is named twice is one.
    func append(_ links: ArraySlice<Int64>, of owner: Int64, toJoinTable index: Int) throws

    /// Adds the links of an object's list to the rows that they lead to; false where SQLite enters them when all rows are
    /// there.
    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws -> Bool

    /// The links of a relationship's lists that were added to rows; nil if there are none.
    func list(of key: PropertyKey) -> ListedLinks?

    /// Ends the rows; from here on the connection has all of them.
    func finish() throws

    /// What became of the keys of rows that got new ones in the end; nil if they kept theirs.
    var renumbering: FinalKeys? { get }
}

import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// Takes the rows of a new SQLite store; either SQLite inserts them, or the builder writes them.
protocol NewStoreRows: AnyObject {
    /// Adds the row of an object, with the keys of its to-one relationships.
    ///
    /// Throws `ConversionError.duplicateKey` if it is already known that another object has its key.
    func append(_ object: borrowing StoredObject) throws

    /// Adds the links of an object to a join table of the layout; repeated links are added once.
    func append(_ links: ArraySlice<Int64>, of owner: Int64, toJoinTable index: Int) throws

    /// Adds the links of an object's list to the rows of their destinations; returns false if SQLite enters them after
    /// all rows have been added.
    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws -> Bool

    /// Returns the links of a relationship's lists that were added to rows; nil if there are none.
    func list(of key: PropertyKey) -> ListedLinks?

    /// Ends the rows, so that the connection can read all of them.
    func finish() throws

    /// The mapping of the keys of rows that got new keys at the end; nil if they kept theirs.
    var renumbering: FinalKeys? { get }
}

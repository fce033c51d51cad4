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

    /// Adds the links of an object's list, which are stored in the rows of the destinations or in a join table.
    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws

    /// Returns what has been done with a relationship's lists, after all rows have been added; nil if it has none.
    func list(of key: PropertyKey) -> EnteredList?

    /// Ends the rows, so that the connection can read all of them.
    func finish() throws

    /// The mapping of the keys of rows that got new keys at the end; nil if they kept theirs.
    var renumbering: FinalKeys? { get }
}

/// The links of a relationship's lists.
enum EnteredList {
    /// The rows of the destinations contain the links.
    case rows(ListedLinks)
    /// The join table contains the links, and the lists of the other direction lack some of them.
    case join(oneSided: Int64)
    /// The links are in the temporary table of lists, with the number of the relationship.
    case waiting(Int64)
}

import ManagedObjectModels

/// Takes the rows of a new SQLite store: SQLite inserts them, or the builder writes them.
protocol NewStoreRows: AnyObject {
    /// Adds the row of an object, with the keys of its to-ones.
    ///
    /// Throws `ConversionError.duplicateKey` where its key is known to be that of another one.
    func append(_ object: borrowing StoredObject) throws

    /// Adds the links of an object to a join table of the layout; a link that is named twice is one.
    func append(_ links: ArraySlice<Int64>, of owner: Int64, toJoinTable index: Int) throws

    /// Ends the rows; from here on the connection has all of them.
    ///
    /// - Parameter changing: tables whose rows are changed afterwards: their indexes come behind that.
    func finish(changing: Set<String>) throws

    /// The names of the indexes that are there when the rows are.
    var indexNames: Set<String> { get }
}

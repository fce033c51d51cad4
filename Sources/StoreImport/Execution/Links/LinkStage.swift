import SQLiteAccess

/// The links that wait until all records are read, and what is known about their destinations.
final class LinkStage {
    /// The links that wait.
    let pending: PendingLinks
    /// The links whose destinations do not exist.
    let absent: AbsentLinks
    /// The destinations that to-one relationships of existing objects had before the import.
    let firstDestinations: FirstDestinations
    /// The relationship that is being filled while the pending links are written.
    var filled = FillState()
    /// Whether the pending links are being written or have been written. From then on, links that lose their
    /// destination are written again immediately.
    var areWritten = false

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - schema: the schema of the working tables, `temp` or `main`.
    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        pending = try PendingLinks(connection, schema: schema)
        absent = try AbsentLinks(connection, schema: schema)
        firstDestinations = FirstDestinations(connection, schema: schema)
    }

    /// Drops the working tables.
    func close() throws(SQLiteError) {
        try firstDestinations.close()
        try absent.close()
        try pending.close()
    }
}

import SQLiteAccess

/// The links that wait until all records are read, and what becomes of them.
final class LinkStage {
    /// The links that wait.
    let pending: PendingLinks
    /// The links that lead nowhere.
    let absent: AbsentLinks
    /// What to-ones of objects that were there led to before.
    let firstDestinations: FirstDestinations
    /// While waiting links are written where only what is empty is filled.
    var filled = FillState()
    /// Whether the links are written that waited: those that are lost are written at once then.
    var areWritten = false

    /// - Parameter schema: where the notes are kept, `temp` or `main`.
    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        pending = try PendingLinks(connection, schema: schema)
        absent = try AbsentLinks(connection, schema: schema)
        firstDestinations = FirstDestinations(connection, schema: schema)
    }

    /// Drops the tables of the notes.
    func close() throws(SQLiteError) {
        try firstDestinations.close()
        try absent.close()
        try pending.close()
    }
}

import SQLiteAccess

/// What an edit does between the beginning and the end of its transaction.
protocol EditWork {
    /// The statements that begin the transaction and lock the store, and no other one.
    var beginning: String { get }

    /// Before the transaction begins.
    func opened(_ connection: Connection) throws

    /// Within the transaction; called again after a rollback where a unique index was met.
    func run(_ transaction: EditTransaction) throws

    /// Before the commit, or the rollback, with the report of what was done; faults that are added forbid the commit.
    func check(_ report: inout EditReport, _ connection: Connection) throws

    /// Behind the commit or the rollback.
    func ended(isKept: Bool) throws
}

extension EditWork {
    var beginning: String { "BEGIN IMMEDIATE" }
    func opened(_ connection: Connection) throws {}
    func check(_ report: inout EditReport, _ connection: Connection) throws {}
    func ended(isKept: Bool) throws {}
}

/// Steps, one after the other.
struct EditSteps: EditWork {
    let steps: [EditStep]

    func run(_ transaction: EditTransaction) throws { try transaction.run(steps) }
}
